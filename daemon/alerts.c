// SPDX-License-Identifier: GPL-2.0-or-later
// Alert states
#include "daemon/alerts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/candidates.h"

// Far more than a person can read; a runaway rule must not take the memory.
#define MAX_ALERTS 256
// A loss that is not confirmed within the verdict's window was a single burst, and not a large one.
#define CONFIRM_WITHIN_MS 60000
// Levels come from the slow lane: looking again sooner shows the same figures.
#define CONFIRM_LEVEL_MS 10000
// Between two looks that nothing but the time calls for.
#define LOOK_PAUSE_MS 1000

struct alerts {
    alert_sink *sink;
    void *userdata;
    struct alert *alerts[MAX_ALERTS];
    size_t n;
    int64_t last_number;
    int64_t looked_ms; // boot time
};

const char *alert_event_name(enum alert_event event) {
    static const char *const names[] = {
        [ALERT_BEGINS] = "begin",
        [ALERT_REMINDS] = "reminder",
        [ALERT_CHANGES] = "changed",
        [ALERT_ENDS] = "end",
        [ALERT_GOES_ON] = "running",
    };
    return names[event];
}

struct alert *alert_free(struct alert *alert) {
    if (!alert)
        return NULL;
    free(alert->cause);
    free(alert->subject);
    free(alert->title);
    free(alert->locus);
    free(alert->key);
    free(alert->challenger);
    json_object_put(alert->document);
    free(alert);
    return NULL;
}

struct alerts *alerts_new(alert_sink *sink, void *userdata) {
    struct alerts *alerts = calloc(1, sizeof(*alerts));
    if (alerts)
        *alerts = (struct alerts){ .sink = sink, .userdata = userdata };
    return alerts;
}

struct alerts *alerts_free(struct alerts *alerts) {
    if (!alerts)
        return NULL;
    for (size_t i = 0; i < alerts->n; i++)
        alert_free(alerts->alerts[i]);
    free(alerts);
    return NULL;
}

static int set_text(char **text, const char *value) {
    char *copy = strdup(value);
    if (!copy)
        return -ENOMEM;
    free(*text);
    *text = copy;
    return 0;
}

// Takes over what the candidate says of cause, subject and texts. 0 or -ENOMEM.
static int describe(struct alert *alert, const struct candidate *candidate) {
    json_object *document = candidate_json(candidate);
    char *subject = subject_name(candidate->subject), *key = strdup(candidate->key);
    if (!document || !subject || !key || set_text(&alert->cause, candidate->id) < 0 ||
            set_text(&alert->title, candidate->title) < 0 ||
            (candidate->locus && set_text(&alert->locus, candidate->locus) < 0)) {
        json_object_put(document);
        free(subject);
        free(key);
        return -ENOMEM;
    }
    json_object_put(alert->document);
    free(alert->subject);
    free(alert->key);
    alert->muted = candidate_is_muted(candidate);
    alert->document = document;
    alert->subject = subject;
    alert->key = key;
    return 0;
}

// Who was told of a beginning is told of the end, too.
static void tell(struct alerts *alerts, enum alert_event event, struct alert *alert) {
    bool silent = alert->muted && !(event == ALERT_ENDS && alert->told);
    alert->told |= !silent && event != ALERT_GOES_ON;
    alerts->sink(alerts->userdata, silent ? ALERT_GOES_ON : event, alert);
}

// Another cause leads the same loss: believed when it has led as long as it takes to begin an
// alert. True: it changed.
static bool challenge(struct alert *alert, const struct candidate *candidate, int64_t confirm) {
    if (strcmp(alert->cause, candidate->id) == 0) {
        alert->challenged = 0;
        return false;
    }
    if (!alert->challenger || strcmp(alert->challenger, candidate->id) != 0) {
        alert->challenged = 0;
        if (set_text(&alert->challenger, candidate->id) < 0)
            return false;
    }
    if (++alert->challenged < confirm)
        return false;
    alert->challenged = 0;
    return true;
}

// A rise is told at once, a fall after it has lasted as long as an end must.
static bool weigh_severity(struct alert *alert, const struct candidate *candidate,
        const struct look *look, const struct alert_policy *policy) {
    if (candidate->severity >= alert->severity) {
        alert->lower_ms = 0;
        if (candidate->severity == alert->severity)
            return false;
    } else {
        alert->lower_ms += look->observed_ms;
        if (alert->lower_ms < policy->clear_ms)
            return false;
    }
    alert->lower_ms = 0;
    alert->severity = candidate->severity;
    return true;
}

static void begin(struct alerts *alerts, struct alert *alert, const struct look *look,
        const struct alert_policy *policy) {
    alert->running = true;
    alert->remind_ms = look->boottime_ms + policy->remind_ms;
    tell(alerts, ALERT_BEGINS, alert);
}

// The running alert is seen again.
static int go_on(struct alerts *alerts, struct alert *alert, const struct candidate *candidate,
        const struct look *look, const struct alert_policy *policy) {
    bool other = challenge(alert, candidate, policy->confirm);
    bool same = strcmp(alert->cause, candidate->id) == 0;
    int r = other || same ? describe(alert, candidate) : 0;
    if (r < 0)
        return r;
    if (weigh_severity(alert, candidate, look, policy) || other) {
        alert->remind_ms = look->boottime_ms + policy->remind_ms;
        tell(alerts, ALERT_CHANGES, alert);
    } else if (look->boottime_ms >= alert->remind_ms) {
        alert->reminders++;
        alert->remind_ms = look->boottime_ms + policy->remind_ms;
        tell(alerts, ALERT_REMINDS, alert);
    } else {
        tell(alerts, ALERT_GOES_ON, alert);
    }
    return 0;
}

static int see(struct alerts *alerts, struct alert *alert, const struct candidate *candidate,
        const struct look *look, const struct alert_policy *policy) {
    alert->present = true;
    alert->healthy_ms = 0;
    alert->last_ms = candidate->last_ms;
    alert->lost_exactly += candidate->lost;
    alert->lost = (int64_t) (alert->lost_exactly + 0.5);
    if (alert->running)
        return go_on(alerts, alert, candidate, look, policy);
    int r = describe(alert, candidate);
    if (r < 0)
        return r;
    alert->severity = candidate->severity;
    if (alert->locus || alert->confirmed == 0 ||
            look->boottime_ms - alert->confirmed_ms >= CONFIRM_LEVEL_MS) {
        alert->confirmed++;
        alert->confirmed_ms = look->boottime_ms;
    }
    if (alert->confirmed >= policy->confirm || candidate->large)
        begin(alerts, alert, look, policy);
    return 0;
}

// Whether this look could have seen the alert's cause.
static bool could_see(const struct alert *alert, const struct look *look) {
    for (size_t i = 0; i < look->n_blind; i++)
        if (alert->locus && strcmp(alert->locus, look->blind[i]) == 0)
            return false;
    for (size_t i = 0; i < look->verdict->n_not_judged; i++)
        if (look->verdict->not_judged[i].id &&
                strcmp(alert->cause, look->verdict->not_judged[i].id) == 0)
            return false;
    return true;
}

// The alert is not seen. True: it is over.
static bool miss(struct alerts *alerts, struct alert *alert, const struct look *look,
        const struct alert_policy *policy) {
    alert->present = false;
    if (!could_see(alert, look))
        return false;
    alert->healthy_ms += look->observed_ms;
    if (!alert->running)
        return !alert->locus || alert->healthy_ms >= CONFIRM_WITHIN_MS;
    if (alert->healthy_ms < policy->clear_ms)
        return false;
    alert->end_ms = alert->last_ms;
    tell(alerts, ALERT_ENDS, alert);
    return true;
}

static int add(struct alerts *alerts, struct candidate *candidate) {
    if (!candidate->present || alerts->n == MAX_ALERTS)
        return 0;
    struct alert *alert = calloc(1, sizeof(*alert));
    if (!alert || set_text(&alert->key, candidate->key) < 0) {
        free(alert);
        return -ENOMEM;
    }
    alert->number = ++alerts->last_number;
    alert->begin_ms = candidate->first_ms;
    alerts->alerts[alerts->n++] = candidate->alert = alert;
    return 0;
}

static struct candidate *candidate_for(
        const struct candidates *candidates, const struct alert *alert) {
    for (size_t i = 0; i < candidates->n; i++)
        if (candidates->all[i].alert == alert)
            return &candidates->all[i];
    return NULL;
}

static void match_exactly(struct alerts *alerts, const struct candidates *candidates) {
    for (size_t i = 0; i < candidates->n; i++)
        for (size_t j = 0; j < alerts->n; j++)
            if (strcmp(candidates->all[i].key, alerts->alerts[j]->key) == 0)
                candidates->all[i].alert = alerts->alerts[j];
}

// A loss whose socket or interface became known, or no longer is, is the same loss.
static void match_loosely(struct alerts *alerts, const struct candidates *candidates) {
    for (size_t i = 0; i < candidates->n; i++) {
        struct candidate *candidate = &candidates->all[i];
        for (size_t j = 0; j < alerts->n && !candidate->alert && candidate->locus; j++)
            if (alerts->alerts[j]->locus && !candidate_for(candidates, alerts->alerts[j]) &&
                    alert_key_matches(candidate->key, alerts->alerts[j]->key))
                candidate->alert = alerts->alerts[j];
    }
}

static int look_at_all(struct alerts *alerts, const struct candidates *candidates,
        const struct look *look, const struct alert_policy *policy) {
    match_exactly(alerts, candidates);
    match_loosely(alerts, candidates);
    int r = 0;
    for (size_t i = 0; i < candidates->n && r >= 0; i++)
        if (!candidates->all[i].alert)
            r = add(alerts, &candidates->all[i]);
    for (size_t j = 0; j < alerts->n && r >= 0;) {
        struct alert *alert = alerts->alerts[j];
        struct candidate *candidate = candidate_for(candidates, alert);
        if (candidate && candidate->present)
            r = see(alerts, alert, candidate, look, policy);
        else if (miss(alerts, alert, look, policy)) {
            alert_free(alert);
            alerts->alerts[j] = alerts->alerts[--alerts->n];
            continue;
        }
        j++;
    }
    return r;
}

static int copy_state(struct alert *alert, const struct alert *before) {
    struct subject subject = subject_none;
    alert->severity = before->severity;
    alert->begin_ms = before->begin_ms;
    alert->last_ms = before->last_ms;
    alert->reminders = before->reminders;
    alert->lost = before->lost;
    alert->lost_exactly = (double) before->lost;
    alert->document = json_object_get(before->document);
    int r = alert_document_read(before->document, &subject, &alert->locus);
    if (r >= 0)
        r = set_text(&alert->cause, before->cause);
    if (r >= 0)
        r = set_text(&alert->subject, before->subject);
    if (r >= 0)
        r = set_text(&alert->title, before->title);
    if (r >= 0)
        alert->key = alert_key(alert->cause, alert->locus, &subject);
    subject_done(&subject);
    return r < 0 ? r : alert->key ? 0 : -ENOMEM;
}

int64_t alerts_inherit(struct alerts *alerts, const struct alert *before,
        const struct alert_policy *policy, int64_t boottime_ms) {
    if (alerts->n == MAX_ALERTS)
        return -ENOBUFS;
    struct alert *alert = calloc(1, sizeof(*alert));
    if (!alert || copy_state(alert, before) < 0) {
        alert_free(alert);
        return -ENOMEM;
    }
    alert->number = ++alerts->last_number;
    alert->running = true;
    alert->muted = before->muted;
    alert->told = !before->muted;
    alert->remind_ms = boottime_ms + policy->remind_ms;
    alerts->alerts[alerts->n++] = alert;
    return alert->number;
}

int alerts_look(struct alerts *alerts, const struct look *look, const struct alert_policy *policy) {
    struct candidates candidates;
    int r = candidates_find(look, policy, &candidates);
    if (r < 0)
        return r;
    r = look_at_all(alerts, &candidates, look, policy);
    candidates_done(&candidates);
    alerts->looked_ms = look->boottime_ms;
    return r;
}

size_t alerts_running(const struct alerts *alerts) {
    size_t n = 0;
    for (size_t i = 0; i < alerts->n; i++)
        n += alerts->alerts[i]->running;
    return n;
}

static bool has_loss(const struct alerts *alerts, bool running) {
    for (size_t i = 0; i < alerts->n; i++)
        if (alerts->alerts[i]->running == running && alerts->alerts[i]->locus)
            return true;
    return false;
}

bool alerts_waiting(const struct alerts *alerts) {
    return has_loss(alerts, false);
}

bool alerts_losing(const struct alerts *alerts) {
    return has_loss(alerts, true);
}

static int64_t due(
        const struct alerts *alerts, const struct alert *alert, const struct alert_policy *policy) {
    if (!alert->running)
        return alert->locus ? INT64_MAX : alerts->looked_ms + CONFIRM_LEVEL_MS;
    int64_t end_ms = alerts->looked_ms + policy->clear_ms - alert->healthy_ms;
    if (!alert->present)
        return end_ms;
    if (alert->locus) // its end needs a look that finds no loss
        return end_ms < alert->remind_ms ? end_ms : alert->remind_ms;
    return alert->remind_ms;
}

int64_t alerts_due(const struct alerts *alerts, const struct alert_policy *policy) {
    int64_t next_ms = INT64_MAX;
    for (size_t i = 0; i < alerts->n; i++) {
        int64_t due_ms = due(alerts, alerts->alerts[i], policy);
        if (due_ms < next_ms)
            next_ms = due_ms;
    }
    int64_t soonest_ms = alerts->looked_ms + LOOK_PAUSE_MS;
    return next_ms > soonest_ms ? next_ms : soonest_ms;
}
