// SPDX-License-Identifier: GPL-2.0-or-later
// Writer internals
//
// Shared by writer.c and writer_run.c only.
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <time.h>

#include "daemon/writer.h"

struct writer {
    struct database_options options;
    struct queue *queue;
    struct outbox *outbox;
    pthread_t thread;
    int fd;

    pthread_mutex_t lock; // of what follows; never held while the disk is waited for
    pthread_cond_t changed;
    bool hurry, stop;
    struct writer_news news;
    struct keeper *incoming;
    struct retention retention;
    int64_t step_ms;
    char verdict[512];

    // Of the thread alone
    struct store *store;
    struct keeper *keeper;
    bool opened_before, failing;
    bool hurried; // what is written now should be seen at once, at every resolution
    int64_t started_ms; // wall clock
    int64_t step_ms_written;
    char verdict_written[512], error[512]; // error: text of the last one
    int64_t failed_ms, maintained_ms;      // monotonic
    int64_t retry_ms;                      // how long to wait; 0: the last attempt was good
    size_t n_merged, n_held_back;
};

// The thread.
void *writer_run(void *writer);
void writer_free_alerts(struct kept **alerts, size_t n);
int64_t writer_clock_ms(clockid_t clock);
