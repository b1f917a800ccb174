// SPDX-License-Identifier: GPL-2.0-or-later
// Daemon
#include "daemon/daemon.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-daemon.h>
#include <systemd/sd-event.h>
#include <time.h>

#include "core/cleanup.h"
#include "daemon/judge.h"
#include "daemon/notify.h"
#include "daemon/peeks.h"
#include "daemon/sampler.h"
#include "daemon/settings.h"
#include "daemon/sink.h"
#include "daemon/tick.h"
#include "daemon/writer.h"

// What a stuck disk may hold back: beyond, steps get longer.
#define QUEUE_STEPS 64
#define QUEUE_BYTES ((size_t) 2 << 20)
// Sampling begins when the database told where the run before ended, or after so long without it.
#define START_PATIENCE_USEC (5 * UINT64_C(1000000))
// Timers may be put together with others of the system, but the raster should hold.
#define TICK_ACCURACY_USEC 2000
#define STOP_SECONDS 3

struct daemon {
    const struct options *options;
    struct outbox *outbox;
    struct settings *settings;
    struct sampler sampler;
    struct queue *queue;
    struct writer *writer;
    struct programs *programs;
    struct sink sink;
    struct judge *judge;
    sd_event *event;
    sd_event_source *tick, *peek, *watchdog;
    uint64_t base_usec; // of the raster of ticks; 0: not begun
    int64_t n_steps;
    int64_t lossy_ms; // boot time of the last step with a loss
    enum writer_state database;
    char database_error[256];
    bool sampled, stored, ready, told_start;
    char status[1024];      // as it was told
    uint64_t watchdog_usec; // 0: none
};

static uint64_t clock_usec(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

static uint64_t step_usec(const struct daemon *daemon) {
    return (uint64_t) daemon->settings->step_ms * 1000;
}

// READY after the first stored sample, or the first one at all where the database cannot be
// written.
static void tell_ready(struct daemon *daemon) {
    if (!daemon->sampled || (daemon->database == WRITER_OPEN && !daemon->stored))
        return;
    daemon->ready = notify("READY=1") != -EAGAIN;
    if (daemon->told_start)
        return;
    daemon->told_start = true;
    outbox_say(daemon->outbox, MESSAGE_STARTED,
            "udpdiagd " UDPDIAG_VERSION " samples every %g s into %s",
            (double) daemon->settings->step_ms / 1000, daemon->settings->database);
}

static void tell_status(struct daemon *daemon) {
    static const char *const troubles[] = {
        [WRITER_OPENING] = "; database: not open yet",
        [WRITER_OPEN] = "",
        [WRITER_FAILING] = "; database: ",
        [WRITER_REFUSED] = "",
    };
    char status[sizeof(daemon->status)];
    snprintf(status, sizeof(status), "STATUS=%s%s%s", judge_line(daemon->judge),
            troubles[daemon->database], daemon->database_error);
    if (!daemon->ready)
        tell_ready(daemon);
    if (strcmp(status, daemon->status) != 0 && notify(status) != -EAGAIN)
        memcpy(daemon->status, status, sizeof(status));
}

// The limits that a loss is compared with may be as old as the slow lane's pause.
static void note_loss(struct daemon *daemon) {
    int64_t now_ms = daemon->sampler.sample->boottime_ms;
    if (daemon->lossy_ms == 0 || now_ms - daemon->lossy_ms > COLLECT_SLOW_MS)
        collection_want_slow(daemon->sampler.collection);
    daemon->lossy_ms = now_ms;
}

static int take_step(struct daemon *daemon) {
    struct step *step = queue_blank(daemon->queue);
    if (!step)
        return -ENOMEM;
    int r = sampler_look(&daemon->sampler, daemon->settings->step_ms, step);
    if (r >= 0)
        r = judge_add(daemon->judge, step, daemon->sampler.sample);
    if (r < 0) {
        queue_drop(daemon->queue, step);
        return r;
    }
    queue_add(daemon->queue, step);
    if (r == 1)
        note_loss(daemon);
    if (r == 1 || !daemon->sampled)
        writer_hurry(daemon->writer);
    daemon->sampled = true;
    return 0;
}

static int look(struct daemon *daemon) {
    int r = take_step(daemon);
    if (r < 0)
        return r;
    r = judge_run(daemon->judge, daemon->sampler.sample, false);
    if (r < 0)
        return r;
    if (r > 0)
        writer_set_verdict(daemon->writer, judge_line(daemon->judge));
    tell_status(daemon);
    return peeks_arm(daemon->peek);
}

static int on_tick(sd_event_source *source, uint64_t usec, void *userdata) {
    struct daemon *daemon = userdata;
    if (daemon->base_usec == 0)
        daemon->base_usec = usec;
    int r = look(daemon);
    if (r < 0) {
        outbox_say(daemon->outbox, MESSAGE_FAILED, "A look failed: %s", strerror(-r));
        // Out of memory now is no reason to be blind in a minute.
        if (r != -ENOMEM)
            return r;
    }
    if (daemon->options->steps && ++daemon->n_steps >= daemon->options->steps)
        return sd_event_exit(daemon->event, 0);
    uint64_t now = clock_usec(CLOCK_MONOTONIC); // that of the event loop is from before the look
    return sd_event_source_set_time(source, tick_next(daemon->base_usec, step_usec(daemon), now));
}

static void inherit_alerts(struct daemon *daemon, struct writer_news *news) {
    for (size_t i = 0; i < news->n_alerts; i++) {
        const struct alert_record *record = &news->alerts[i]->record;
        json_object *document = record->verdict ? json_tokener_parse(record->verdict) : NULL;
        struct alert before = {
            .cause = (char *) record->cause,
            .subject = (char *) record->subject,
            .title = (char *) record->title,
            .severity = strcmp(record->severity, "critical") == 0 ? SEVERITY_CRITICAL
                                                                  : SEVERITY_WARNING,
            .begin_ms = record->begin_ms,
            .last_ms = record->last_ms,
            .reminders = record->reminders,
            .lost = record->lost,
            .muted = record->muted,
            .document = document,
        };
        int64_t number = alerts_inherit(judge_alerts(daemon->judge), &before,
                &daemon->settings->policy, (int64_t) (clock_usec(CLOCK_BOOTTIME) / 1000));
        if (number > 0)
            writer_know_alert(daemon->writer, number, record->id);
        json_object_put(document);
        kept_free(news->alerts[i]);
    }
    free(news->alerts);
}

static int begin_ticks(struct daemon *daemon) {
    uint64_t now;
    int r = sd_event_now(daemon->event, CLOCK_MONOTONIC, &now);
    return r < 0 ? r : sd_event_source_set_time(daemon->tick, now);
}

static int on_news(sd_event_source *source, int fd, uint32_t events, void *userdata) {
    struct daemon *daemon = userdata;
    struct writer_news news;
    writer_read_news(daemon->writer, &news);
    daemon->database = news.state;
    daemon->stored = news.stored;
    memcpy(daemon->database_error, news.error, sizeof(news.error));
    inherit_alerts(daemon, &news);
    int r = 0;
    if (news.seed && !daemon->sampled)
        r = sampler_seed(&daemon->sampler, news.seed);
    seed_free(news.seed);
    if (news.state == WRITER_REFUSED) {
        outbox_say(daemon->outbox, MESSAGE_STORE_REFUSED, "%s", news.error);
        return sd_event_exit(daemon->event, -EBUSY);
    }
    if (r >= 0 && daemon->base_usec == 0 && news.state != WRITER_OPENING)
        r = begin_ticks(daemon);
    if (r >= 0)
        tell_status(daemon);
    return r;
}

static void use_settings(struct daemon *daemon, struct settings *settings) {
    struct settings *before = daemon->settings;
    daemon->settings = settings;
    daemon->sink.directory = settings->config->alert_dir;
    judge_set_settings(daemon->judge, settings);
    writer_set_settings(daemon->writer, &settings->config->retention, settings->step_ms);
    if (strcmp(settings->database, before->database) != 0)
        outbox_say(daemon->outbox, MESSAGE_CONFIG_PROBLEM,
                "%s: another database is used after a restart only", settings->database);
    if (settings->step_ms != before->step_ms)
        daemon->base_usec = 0;
}

static int on_hangup(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata) {
    struct daemon *daemon = userdata;
    char reloading[64];
    snprintf(reloading, sizeof(reloading), "RELOADING=1\nMONOTONIC_USEC=%" PRIu64,
            clock_usec(CLOCK_MONOTONIC));
    (void) notify(reloading);
    struct settings *settings;
    int r = settings_load(daemon->options, true, daemon->outbox, &settings);
    if (r == 0) {
        struct settings *before = daemon->settings;
        use_settings(daemon, settings);
        settings_free(before);
    }
    outbox_say(daemon->outbox, MESSAGE_RELOADED, "%s",
            r == 0 ? "The configuration and the rules were read again"
                   : "The configuration or a rule has a mistake: all stays as it was");
    daemon->ready = notify("READY=1") != -EAGAIN; // else with the next status
    return 0;
}

static int on_watchdog(sd_event_source *source, uint64_t usec, void *userdata) {
    struct daemon *daemon = userdata;
    (void) notify("WATCHDOG=1");
    return sd_event_source_set_time(source, usec + daemon->watchdog_usec / 3);
}

static int on_signal(sd_event_source *source, const struct signalfd_siginfo *info, void *userdata) {
    struct daemon *daemon = userdata;
    return sd_event_exit(daemon->event, 0);
}

static int watch_signals(struct daemon *daemon) {
    static const struct {
        int signal;
        sd_event_signal_handler_t handler;
    } signals[] = { { SIGTERM, on_signal }, { SIGINT, on_signal }, { SIGHUP, on_hangup } };
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
        sigaddset(&set, signals[i].signal);
    if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
        return -errno;
    int r = 0;
    for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]) && r >= 0; i++)
        r = sd_event_add_signal(daemon->event, NULL, signals[i].signal, signals[i].handler, daemon);
    return r;
}

static int set_up_loop(struct daemon *daemon) {
    int r = sd_event_new(&daemon->event);
    if (r >= 0)
        r = watch_signals(daemon);
    if (r >= 0 && sd_watchdog_enabled(0, &daemon->watchdog_usec) > 0)
        r = sd_event_add_time_relative(
                daemon->event, &daemon->watchdog, CLOCK_MONOTONIC, 0, 0, on_watchdog, daemon);
    if (r >= 0 && daemon->watchdog)
        r = sd_event_source_set_enabled(daemon->watchdog, SD_EVENT_ON);
    if (r >= 0)
        r = sd_event_add_io(
                daemon->event, NULL, writer_fd(daemon->writer), EPOLLIN, on_news, daemon);
    if (r >= 0)
        r = sd_event_add_time_relative(daemon->event, &daemon->tick, CLOCK_MONOTONIC,
                START_PATIENCE_USEC, TICK_ACCURACY_USEC, on_tick, daemon);
    if (r >= 0)
        r = sd_event_source_set_enabled(daemon->tick, SD_EVENT_ON);
    if (r >= 0)
        r = peeks_new(daemon->event, daemon->sampler.collection, &daemon->peek);
    return r;
}

static int set_up_database(struct daemon *daemon) {
    daemon->queue = queue_new(collector_tables(), n_collectors, QUEUE_STEPS, QUEUE_BYTES);
    if (!daemon->queue)
        return -ENOMEM;
    struct database_options options = {
        .path = daemon->settings->database,
        .tables = collector_tables(),
        .n_tables = n_collectors,
        .boot_id = daemon->sampler.boot_id,
        .host = daemon->sampler.host,
        .kernel = daemon->sampler.kernel,
        .step_ms = daemon->settings->step_ms,
    };
    return writer_new(&options, &daemon->settings->config->retention, daemon->queue, daemon->outbox,
            &daemon->writer);
}

static int set_up_judge(struct daemon *daemon, bool journal) {
    daemon->programs = programs_new(daemon->outbox, journal);
    if (!daemon->programs)
        return -ENOMEM;
    daemon->sink = (struct sink){
        .outbox = daemon->outbox,
        .programs = daemon->programs,
        .directory = daemon->settings->config->alert_dir,
        .host = daemon->sampler.host,
        .kernel = daemon->sampler.kernel,
    };
    daemon->judge = judge_new(daemon->settings, daemon->sampler.host, daemon->sampler.kernel,
            sink_tell, &daemon->sink);
    return daemon->judge ? 0 : -ENOMEM;
}

static int set_up(struct daemon *daemon, bool journal) {
    int r = settings_load(daemon->options, false, daemon->outbox, &daemon->settings);
    if (r < 0)
        return r;
    r = sampler_init(&daemon->sampler, daemon->options->root);
    if (r < 0) {
        outbox_say(daemon->outbox, MESSAGE_FAILED, "%s: %s", daemon->options->root ?: "/",
                strerror(-r));
        return r;
    }
    r = set_up_judge(daemon, journal);
    if (r >= 0)
        r = set_up_database(daemon);
    if (r >= 0)
        r = set_up_loop(daemon);
    if (r < 0)
        outbox_say(daemon->outbox, MESSAGE_FAILED, "Cannot start: %s", strerror(-r));
    daemon->sink.writer = daemon->writer;
    return r;
}

int daemon_new(
        const struct options *options, struct outbox *outbox, bool journal, struct daemon **ret) {
    struct daemon *daemon = calloc(1, sizeof(*daemon));
    if (!daemon)
        return -ENOMEM;
    daemon->options = options;
    daemon->outbox = outbox;
    int r = set_up(daemon, journal);
    if (r < 0)
        daemon_free(daemon);
    else
        *ret = daemon;
    return r;
}

int daemon_run(struct daemon *daemon) {
    int r = sd_event_loop(daemon->event);
    (void) notify("STOPPING=1");
    if (r >= 0 && daemon->sampled)
        (void) judge_run(daemon->judge, daemon->sampler.sample, true);
    return r;
}

bool daemon_free(struct daemon *daemon) {
    bool stuck = false;
    daemon->programs = programs_free(daemon->programs);
    daemon->writer = writer_free(daemon->writer, STOP_SECONDS, &stuck);
    if (stuck) {
        outbox_say(daemon->outbox, MESSAGE_STORE_FAILED,
                "The disk of %s is stuck: what was held back since is lost",
                daemon->settings->database);
        return true;
    }
    judge_free(daemon->judge);
    queue_free(daemon->queue);
    if (daemon->sampler.sample)
        sampler_done(&daemon->sampler);
    settings_free(daemon->settings);
    sd_event_source_unref(daemon->tick);
    sd_event_source_unref(daemon->peek);
    sd_event_source_unref(daemon->watchdog);
    sd_event_unref(daemon->event);
    free(daemon);
    return false;
}
