// SPDX-License-Identifier: GPL-2.0-or-later
// Judge
#include "daemon/judge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/mute.h"
#include "core/text.h"
#include "daemon/fill.h"
#include "daemon/recent.h"

// Levels without a trigger of their own (memory, conntrack) are found this late. A judgement out of
// the blue costs as much as twenty steps or more.
#define QUIET_MS 180000
// While alerts run, this often is enough to tell how they go on.
#define RUNNING_MS 5000
// At first with each step: whether an alert begins, and what is its cause, shows then.
#define EAGER_MS 10000
// A loss that is known and below the floors: the pause doubles up to this.
#define PATIENCE_MAX_MS 32000

// Never more often than about once a second.
#define SHORTEST_MS 900

#define MAX_BLIND 64

struct judge {
    const struct settings *settings;
    const char *host, *kernel;
    struct recent *recent;
    struct alerts *alerts;
    size_t mount; // table number
    uint64_t fill;
    bool news, loss; // seen since the last judgement
    // Boot time; grew_ms: when a counter of the ledger did; news_ms: when that was news.
    int64_t grew_ms, news_ms, judged_ms, patience_ms;
    char *line;
};

struct judge *judge_new(const struct settings *settings, const char *host, const char *kernel,
        alert_sink *sink, void *userdata) {
    struct judge *judge = calloc(1, sizeof(*judge));
    if (!judge)
        return NULL;
    *judge = (struct judge){
        .settings = settings,
        .host = host,
        .kernel = kernel,
        .alerts = alerts_new(sink, userdata),
        .recent = recent_new(collector_tables(), n_collectors),
        .mount = SIZE_MAX,
        .news = true, // the first step is judged, so that there is a line
    };
    for (size_t i = 0; i < n_collectors; i++)
        if (strcmp(collector_tables()[i]->name, "mount") == 0)
            judge->mount = i;
    return judge->alerts && judge->recent ? judge : judge_free(judge);
}

struct judge *judge_free(struct judge *judge) {
    if (!judge)
        return NULL;
    recent_free(judge->recent);
    alerts_free(judge->alerts);
    free(judge->line);
    free(judge);
    return NULL;
}

void judge_set_settings(struct judge *judge, const struct settings *settings) {
    judge->settings = settings;
    judge->news = true;
}

struct alerts *judge_alerts(struct judge *judge) {
    return judge->alerts;
}

const char *judge_line(const struct judge *judge) {
    return judge->line ?: "";
}

static void watch_fill(struct judge *judge, const struct sample *sample) {
    if (judge->mount == SIZE_MAX || sample->outcome[judge->mount].state == OUTCOME_NOT_DUE)
        return;
    const struct config *config = judge->settings->config;
    uint64_t fill = fill_classes(&sample->rows[judge->mount], config->disk_warning_percent,
            config->disk_critical_percent);
    judge->news |= fill != judge->fill;
    judge->fill = fill;
}

int judge_add(struct judge *judge, const struct step *step, const struct sample *sample) {
    bool grew;
    enum glance glance = loss_watch_step(judge->settings->watch, step, &grew);
    if (grew)
        judge->grew_ms = sample->boottime_ms;
    if (glance == GLANCE_NEWS)
        judge->news_ms = sample->boottime_ms;
    judge->news |= glance == GLANCE_NEWS;
    judge->loss |= glance == GLANCE_LOSS;
    watch_fill(judge, sample);
    int r = recent_add(judge->recent, step);
    return r < 0 ? r : glance != GLANCE_QUIET;
}

static bool is_due(const struct judge *judge, int64_t now_ms) {
    int64_t pause_ms = now_ms - judge->judged_ms;
    if (judge->judged_ms != 0 && pause_ms < SHORTEST_MS)
        return false;
    if (judge->news || pause_ms >= QUIET_MS)
        return true;
    bool worth = alerts_waiting(judge->alerts) || alerts_losing(judge->alerts);
    bool eager = worth && now_ms - judge->news_ms < EAGER_MS;
    if (judge->loss && (eager || pause_ms >= (worth ? RUNNING_MS : judge->patience_ms)))
        return true;
    return now_ms >= alerts_due(judge->alerts, &judge->settings->policy);
}

static void put_verdict(FILE *out, const struct verdict *verdict) {
    int64_t muted = verdict_muted(verdict), lost = verdict->lost - muted;
    if (lost > 0) {
        text_put_count(out, lost);
        fputs(" datagrams lost in ", out);
    } else {
        fputs("Nothing lost in ", out);
    }
    text_put_duration(out, verdict->window.seconds);
    for (size_t i = 0; lost > 0 && i < verdict->n_causes; i++)
        if (!verdict->causes[i].no_loss && !verdict->causes[i].muted) {
            fputs(": ", out);
            text_put(out, verdict->causes[i].title);
            break;
        }
    if (lost == 0) {
        fputs(", ", out);
        text_put_count(out, verdict->received);
        fputs(" received", out);
    }
    if (muted > 0) {
        fputs("; ", out);
        text_put_count(out, muted);
        fputs(" muted", out);
    }
}

static void set_line(struct judge *judge, const struct verdict *verdict) {
    char *line = NULL;
    size_t size;
    FILE *out = open_memstream(&line, &size);
    if (!out)
        return;
    put_verdict(out, verdict);
    for (size_t i = 0; i < verdict->n_levels; i++)
        if (verdict->levels[i].severity >= SEVERITY_WARNING && !verdict->levels[i].muted) {
            fputs("; ", out);
            text_put(out, verdict->levels[i].text);
        }
    if (fclose(out) != 0) {
        free(line);
        return;
    }
    free(judge->line);
    judge->line = line;
}

// Loss is over and told: what judging it took is given back.
static void rest(struct judge *judge, int64_t now_ms) {
    if (now_ms - judge->grew_ms > RECENT_WINDOW_MS && !alerts_waiting(judge->alerts) &&
            !alerts_losing(judge->alerts))
        recent_rest(judge->recent);
}

static void settle(struct judge *judge, const struct verdict *verdict, int64_t now_ms) {
    bool worth = alerts_waiting(judge->alerts) || alerts_losing(judge->alerts);
    if (!worth && verdict->lost == 0)
        recent_rest(judge->recent);
    else
        recent_pause(judge->recent);
    if (judge->news || worth || !judge->loss)
        judge->patience_ms = SHORTEST_MS;
    else if (judge->patience_ms < PATIENCE_MAX_MS)
        judge->patience_ms *= 2;
    loss_watch_settle(judge->settings->watch, verdict);
    judge->judged_ms = now_ms;
    judge->news = judge->loss = false;
}

int judge_run(struct judge *judge, const struct sample *sample, bool last) {
    if (last ? !judge->loss && !judge->news : !is_due(judge, sample->boottime_ms)) {
        rest(judge, sample->boottime_ms);
        return 0;
    }
    struct judgement judgement;
    bool lossless = sample->boottime_ms - judge->grew_ms > 2 * RECENT_WINDOW_MS;
    int r = recent_judge(judge->recent, judge->settings->rules,
            lossless ? RULES_LEVELS : RULES_ALERTS, judge->host, judge->kernel, &judgement);
    if (r != 0)
        return r < 0 ? r : 0;
    mute_verdict(judge->settings->config, judgement.verdict);
    const char *blind[MAX_BLIND];
    struct look look = {
        .verdict = judgement.verdict,
        .fresh = judgement.fresh,
        .n_fresh = judgement.n_fresh,
        .wall_ms = sample->wall_ms,
        .boottime_ms = sample->boottime_ms,
        .observed_ms = judgement.observed_ms,
        .blind = blind,
        .n_blind = loss_watch_blind(judge->settings->watch, blind, MAX_BLIND),
    };
    r = alerts_look(judge->alerts, &look, &judge->settings->policy);
    set_line(judge, judgement.verdict);
    settle(judge, judgement.verdict, sample->boottime_ms);
    judgement_done(&judgement);
    return r < 0 ? r : 1;
}
