// SPDX-License-Identifier: GPL-2.0-or-later
// Database writer
#include "daemon/writer.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "daemon/thread.h"
#include "daemon/writer_private.h"

static void discard(struct writer *writer) {
    seed_free(writer->news.seed);
    writer_free_alerts(writer->news.alerts, writer->news.n_alerts);
    keeper_free(writer->incoming);
    keeper_free(writer->keeper);
    if (writer->fd >= 0)
        close(writer->fd);
    pthread_cond_destroy(&writer->changed);
    pthread_mutex_destroy(&writer->lock);
    free((char *) writer->options.path);
    free(writer);
}

int writer_new(const struct database_options *options, const struct retention *retention,
        struct queue *queue, struct outbox *outbox, struct writer **ret) {
    struct writer *writer = calloc(1, sizeof(*writer));
    if (!writer)
        return -ENOMEM;
    *writer = (struct writer){
        .options = *options,
        .retention = *retention,
        .step_ms = options->step_ms,
        .started_ms = writer_clock_ms(CLOCK_REALTIME),
        .queue = queue,
        .outbox = outbox,
        .incoming = keeper_new(),
        .keeper = keeper_new(),
        .fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
    };
    writer->options.path = strdup(options->path);
    pthread_mutex_init(&writer->lock, NULL);
    thread_condition_init(&writer->changed);
    int r = writer->fd >= 0 && writer->incoming && writer->keeper && writer->options.path ? 0
                                                                                          : -ENOMEM;
    if (r >= 0)
        r = thread_start(&writer->thread, "writer", writer_run, writer);
    if (r < 0) {
        discard(writer);
        return r;
    }
    *ret = writer;
    return 0;
}

int writer_fd(const struct writer *writer) {
    return writer->fd;
}

void writer_read_news(struct writer *writer, struct writer_news *ret) {
    eventfd_t count;
    (void) eventfd_read(writer->fd, &count);
    pthread_mutex_lock(&writer->lock);
    *ret = writer->news;
    writer->news.seed = NULL;
    writer->news.alerts = NULL;
    writer->news.n_alerts = 0;
    pthread_mutex_unlock(&writer->lock);
}

void writer_hurry(struct writer *writer) {
    pthread_mutex_lock(&writer->lock);
    writer->hurry = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
}

void writer_keep_alert(struct writer *writer, struct kept *kept) {
    pthread_mutex_lock(&writer->lock);
    keeper_put(writer->incoming, kept);
    pthread_mutex_unlock(&writer->lock);
}

void writer_know_alert(struct writer *writer, int64_t number, int64_t id) {
    pthread_mutex_lock(&writer->lock);
    keeper_know(writer->incoming, number, id);
    pthread_mutex_unlock(&writer->lock);
}

void writer_set_settings(
        struct writer *writer, const struct retention *retention, int64_t step_ms) {
    pthread_mutex_lock(&writer->lock);
    writer->retention = *retention;
    writer->step_ms = step_ms;
    pthread_mutex_unlock(&writer->lock);
}

void writer_set_verdict(struct writer *writer, const char *line) {
    pthread_mutex_lock(&writer->lock);
    snprintf(writer->verdict, sizeof(writer->verdict), "%s", line);
    pthread_mutex_unlock(&writer->lock);
}

struct writer *writer_free(struct writer *writer, int seconds, bool *ret_stuck) {
    *ret_stuck = false;
    if (!writer)
        return NULL;
    pthread_mutex_lock(&writer->lock);
    writer->stop = true;
    pthread_cond_signal(&writer->changed);
    pthread_mutex_unlock(&writer->lock);
    if (thread_join(writer->thread, seconds) < 0) {
        *ret_stuck = true;
        return NULL;
    }
    discard(writer);
    return NULL;
}
