// SPDX-License-Identifier: GPL-2.0-or-later
// Writer thread
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>

#include "core/cleanup.h"
#include "daemon/writer_private.h"

#define BATCH_STEPS 32
#define MAINTAIN_MS 60000
#define RETRY_MIN_MS 2000
#define RETRY_MAX_MS 16000
#define STEADY_MS 20000 // without a failure, until it counts as recovered

int64_t writer_clock_ms(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000) + now.tv_nsec / 1000000;
}

static void tell(struct writer *writer, enum writer_state state, const char *error) {
    pthread_mutex_lock(&writer->lock);
    writer->news.state = state;
    snprintf(writer->news.error, sizeof(writer->news.error), "%s", error ?: "");
    pthread_mutex_unlock(&writer->lock);
    (void) eventfd_write(writer->fd, 1);
}

// One message when it begins to fail, not one per attempt. A full disk gives way for a moment now
// and then.
static void fail(struct writer *writer, int error, const char *text) {
    size_t n = strlen(writer->options.path);
    if (!text || !*text)
        text = strerror(-error);
    else if (strncmp(text, writer->options.path, n) == 0 && strncmp(text + n, ": ", 2) == 0)
        text += n + 2;
    writer->failed_ms = writer_clock_ms(CLOCK_MONOTONIC);
    writer->retry_ms = writer->retry_ms ? writer->retry_ms * 2 : RETRY_MIN_MS;
    if (writer->retry_ms > RETRY_MAX_MS)
        writer->retry_ms = RETRY_MAX_MS;
    if (writer->failing)
        return;
    writer->failing = true;
    struct letter *letter = letter_new(MESSAGE_STORE_FAILED,
            "Cannot write the database %s: %s. Sampling, verdicts and alerts go on from memory",
            writer->options.path, text);
    letter_field(letter, "UDPDIAG_DATABASE", "%s", writer->options.path);
    letter_field(letter, "ERRNO", "%d", -error);
    outbox_post(writer->outbox, letter);
    tell(writer, WRITER_FAILING, text);
}

static void recover(struct writer *writer, size_t n_steps) {
    if (writer->retry_ms > 0)
        writer->n_held_back += n_steps;
    writer->retry_ms = 0;
    if (!writer->failing || writer_clock_ms(CLOCK_MONOTONIC) - writer->failed_ms < STEADY_MS)
        return;
    struct letter *letter = letter_new(MESSAGE_STORE_RECOVERED,
            "The database %s is written again; %zu steps were held back%s", writer->options.path,
            writer->n_held_back,
            writer->n_merged > 0 ? ", older ones merged into longer steps" : "");
    letter_field(letter, "UDPDIAG_DATABASE", "%s", writer->options.path);
    outbox_post(writer->outbox, letter);
    writer->failing = false;
    writer->n_held_back = writer->n_merged = 0;
    tell(writer, WRITER_OPEN, NULL);
}

static int collect_alert(const struct alert_record *record, void *data) {
    struct writer_news *news = data;
    struct kept **alerts = reallocarray(news->alerts, news->n_alerts + 1, sizeof(*alerts));
    if (!alerts)
        return -ENOMEM;
    news->alerts = alerts;
    struct kept *kept = kept_copy(record);
    if (!kept)
        return -ENOMEM;
    alerts[news->n_alerts++] = kept;
    return 0;
}

void writer_free_alerts(struct kept **alerts, size_t n) {
    for (size_t i = 0; i < n; i++)
        kept_free(alerts[i]);
    free(alerts);
}

// Reads what the run before left, for the loop. 0 or -errno.
static int look_back(struct writer *writer) {
    struct writer_news found = { 0 };
    int r = database_seed(writer->store, &writer->options, &found.seed);
    if (r >= 0)
        r = alerts_list(writer->store, true, 0, collect_alert, &found);
    if (r < 0) {
        seed_free(found.seed);
        writer_free_alerts(found.alerts, found.n_alerts);
        return r;
    }
    pthread_mutex_lock(&writer->lock);
    writer->news.seed = found.seed;
    writer->news.alerts = found.alerts;
    writer->news.n_alerts = found.n_alerts;
    pthread_mutex_unlock(&writer->lock);
    return 0;
}

static int maintain(struct writer *writer) {
    pthread_mutex_lock(&writer->lock);
    struct retention retention = writer->retention;
    pthread_mutex_unlock(&writer->lock);
    writer->maintained_ms = writer_clock_ms(CLOCK_MONOTONIC);
    int r = store_maintain(writer->store, &retention, writer_clock_ms(CLOCK_REALTIME));
    if (r < 0)
        snprintf(writer->error, sizeof(writer->error), "%s", store_error(writer->store));
    return r;
}

static int prepare(struct writer *writer) {
    int r = writer->opened_before ? 0 : look_back(writer);
    if (r >= 0)
        r = maintain(writer);
    return r;
}

static void forget_meta(struct writer *writer) {
    writer->verdict_written[0] = '\0';
    writer->step_ms_written = 0;
}

// 0, 1: refused, or -errno: try again later.
static int open_store(struct writer *writer) {
    _cleanup_free_ char *error = NULL;
    int r = database_open(&writer->options, writer->outbox, &writer->store, &error);
    if ((r == -EBUSY || r == -EPROTONOSUPPORT) && !writer->opened_before) {
        tell(writer, WRITER_REFUSED, error ?: strerror(-r));
        return 1;
    }
    if (r >= 0) {
        r = prepare(writer);
        if (r < 0 && !error)
            error = strdup(store_error(writer->store));
    }
    if (r < 0) {
        writer->store = store_close(writer->store);
        fail(writer, r, error);
        return r;
    }
    writer->opened_before = true;
    forget_meta(writer);
    if (!writer->failing)
        tell(writer, WRITER_OPEN, NULL);
    return 0;
}

// What readers are told beside the steps, where it changed.
static int write_meta(struct writer *writer) {
    char verdict[sizeof(writer->verdict)];
    pthread_mutex_lock(&writer->lock);
    memcpy(verdict, writer->verdict, sizeof(verdict));
    int64_t step_ms = writer->step_ms;
    pthread_mutex_unlock(&writer->lock);
    int r = 0;
    if (step_ms != writer->step_ms_written) {
        writer->options.step_ms = writer->step_ms_written = step_ms;
        r = database_sign(writer->store, &writer->options, writer->started_ms);
    }
    if (r < 0 || strcmp(verdict, writer->verdict_written) == 0)
        return r;
    memcpy(writer->verdict_written, verdict, sizeof(verdict));
    return store_set_meta(writer->store, "verdict", verdict);
}

static int fill_transaction(struct writer *writer, struct step **steps, size_t n) {
    int r = store_begin(writer->store);
    for (size_t i = 0; i < n && r >= 0; i++)
        r = store_write_step(writer->store, steps[i]);
    if (r >= 0)
        r = keeper_write(writer->keeper, writer->store);
    if (r >= 0)
        r = write_meta(writer);
    if (r >= 0 && writer->hurried)
        r = store_roll_up(writer->store);
    return r < 0 ? r : store_commit(writer->store);
}

// One transaction. Number of steps written, or -errno: all wait again.
static int write_batch(struct writer *writer) {
    struct step *steps[BATCH_STEPS];
    size_t n = queue_take(writer->queue, steps, BATCH_STEPS);
    if (n == 0 && keeper_waiting(writer->keeper) == 0)
        return 0;
    int r = fill_transaction(writer, steps, n);
    if (r < 0) {
        snprintf(writer->error, sizeof(writer->error), "%s", store_error(writer->store));
        store_rollback(writer->store);
        forget_meta(writer);
        queue_done(writer->queue, 0);
        return r;
    }
    queue_done(writer->queue, n);
    keeper_settle(writer->keeper);
    return (int) n;
}

static void tell_stored(struct writer *writer) {
    pthread_mutex_lock(&writer->lock);
    bool told = writer->news.stored;
    writer->news.stored = true;
    pthread_mutex_unlock(&writer->lock);
    if (!told)
        (void) eventfd_write(writer->fd, 1);
}

// All that waits, in transactions of some steps. How many steps were written; *ret_error: 0 or what
// ended it.
static size_t write_batches(struct writer *writer, int *ret_error) {
    size_t n_written = 0;
    int n;
    do {
        n = write_batch(writer);
        n_written += n > 0 ? (size_t) n : 0;
    } while (n == BATCH_STEPS);
    *ret_error = n < 0 ? n : 0;
    return n_written;
}

// A full database has to be maintained before it can take more.
static void write_all(struct writer *writer) {
    int64_t age_ms = writer_clock_ms(CLOCK_MONOTONIC) - writer->maintained_ms;
    int r = writer->retry_ms > 0 || age_ms >= MAINTAIN_MS ? maintain(writer) : 0;
    size_t n_written = 0;
    writer->n_merged += queue_merged(writer->queue);
    if (r >= 0 || r == -ENOSPC)
        n_written = write_batches(writer, &r);
    if (n_written > 0)
        tell_stored(writer);
    if (r < 0)
        fail(writer, r, writer->error);
    else if (n_written > 0)
        recover(writer, n_written);
    // After any other error the file may be another one when it comes back.
    if (r < 0 && r != -ENOSPC)
        writer->store = store_close(writer->store);
}

// Waits until it is time to write. Whether to go on.
static bool wait_until_due(struct writer *writer) {
    int64_t wait_ms = writer->retry_ms ? writer->retry_ms : WRITER_PERIOD_MS;
    int64_t due_ms = writer_clock_ms(CLOCK_MONOTONIC) + wait_ms;
    struct timespec due = { due_ms / 1000, due_ms % 1000 * 1000000 };
    pthread_mutex_lock(&writer->lock);
    int r = 0;
    // Hurry does not help a disk that is full.
    while (r == 0 && !writer->stop && !(writer->hurry && writer->retry_ms == 0))
        r = pthread_cond_timedwait(&writer->changed, &writer->lock, &due);
    writer->hurried = writer->hurry;
    writer->hurry = false;
    bool stop = writer->stop;
    keeper_take(writer->keeper, writer->incoming);
    pthread_mutex_unlock(&writer->lock);
    return !stop;
}

void *writer_run(void *argument) {
    struct writer *writer = argument;
    bool on = true;
    while (on) {
        if (!writer->store && open_store(writer) == 1)
            return NULL;
        on = wait_until_due(writer);
        if (writer->store)
            write_all(writer);
    }
    writer->store = store_close(writer->store);
    return NULL;
}
