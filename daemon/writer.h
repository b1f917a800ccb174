// SPDX-License-Identifier: GPL-2.0-or-later
// Database writer
//
// The one thread that touches the database. It may stand still for as long as the disk does: what
// comes meanwhile waits in the queue and is written when the disk is back.
#pragma once

#include "daemon/database.h"
#include "daemon/keeper.h"
#include "daemon/queue.h"

struct writer;

enum writer_state {
    WRITER_OPENING,
    WRITER_OPEN,
    WRITER_FAILING, // tries again from time to time
    WRITER_REFUSED, // another daemon writes it, or it is of a newer version; the thread has ended
};

// What it found in the database when it opened it first.
struct writer_news {
    enum writer_state state;
    bool stored;          // a step is in the database
    char error[256];      // of WRITER_FAILING and WRITER_REFUSED
    struct seed *seed;    // of this boot, or NULL; now the caller's
    struct kept **alerts; // that ran, or NULL; now the caller's
    size_t n_alerts;
};

// Starts the thread. The options' texts but the path, the queue and the outbox must
// outlive it. 0 or -errno.
int writer_new(const struct database_options *options, const struct retention *retention,
        struct queue *queue, struct outbox *outbox, struct writer **ret);
// Readable when there is news; writer_read_news() makes it unreadable.
int writer_fd(const struct writer *writer);
void writer_read_news(struct writer *writer, struct writer_news *ret);

// Steps are written within WRITER_PERIOD_MS; this makes it now.
void writer_hurry(struct writer *writer);
// What a kill -9 may cost is this and one step: five seconds.
#define WRITER_PERIOD_MS 4000
void writer_keep_alert(struct writer *writer, struct kept *kept); // takes it
void writer_know_alert(struct writer *writer, int64_t number, int64_t id);
void writer_set_settings(struct writer *writer, const struct retention *retention, int64_t step_ms);
void writer_set_verdict(struct writer *writer, const char *line);
// Writes what waits and closes the database, for `seconds` at most. Returns NULL; what a stuck
// thread uses stays.
struct writer *writer_free(struct writer *writer, int seconds, bool *ret_stuck);
