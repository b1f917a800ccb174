// SPDX-License-Identifier: GPL-2.0-or-later
// Process looks
//
// What one thread did in each of many short looks.
#pragma once

#include <stdbool.h>

#include "collectors/folder.h"
#include "core/rows.h"

// Names of wait channels that are told apart in one step.
#define CHANNELS_MAX 8
#define CHANNEL_SIZE 48

struct channel {
    char name[CHANNEL_SIZE];
    unsigned waits;   // looks in which the thread waited in it
    unsigned blocked; // of them: blocked; of other threads too
};

struct looks {
    pid_t tid; // 0: no thread yet
    struct source_file stat, wait_channel;
    // Since the beginning.
    cell all, running, sleeping, blocked, stopped, receiving, other_blocked;
    // Since the last looks_tell().
    unsigned states[8];
    struct channel channels[CHANNELS_MAX];
    size_t n_channels;
    cell cpu;
};
#define LOOKS_EMPTY                                                                                \
    ((struct looks){ .stat = SOURCE_FILE_CLOSED, .wait_channel = SOURCE_FILE_CLOSED })

// From now on it is this thread that is looked at.
void looks_set_thread(struct looks *looks, pid_t tid);
void looks_done(struct looks *looks);
// One look. 0 or -errno; -ESRCH or -ENOENT: the thread is gone.
int looks_take(struct looks *looks, struct source *source, const struct folder *process);
// The state of another thread of it. True: it was blocked, and its wait channel was counted.
bool looks_at_other(
        struct looks *looks, struct source *source, const struct folder *process, pid_t tid);
// Fills the columns about them, and begins anew with what is told per step.
void looks_tell(struct looks *looks, struct rows *rows, cell *row);
