// SPDX-License-Identifier: GPL-2.0-or-later
// Process threads
//
// How much each thread of a process ran and waited for a CPU, and which of them read the watched
// sockets.
#pragma once

#include <sys/types.h>

#include "collectors/folder.h"
#include "collectors/process_files.h"
#include "collectors/watch.h"

// A process may have thousands; those it started first are looked at. Of all processes of a look
// together there are twice as many.
#define THREADS_MAX 256
// Of them so many are asked in each look whether they read.
#define THREADS_ASKED 32

struct thread {
    pid_t tid;
    cell run_ns, delay_ns;     // since its start; CELL_NULL: the kernel does not count
    cell run_step, delay_step; // ns since the look before; CELL_NULL: not known
    bool reader;               // was seen waiting for datagrams of a watched socket
    int epoll;                 // this epoll instance has no watched socket; -1: none was looked at
    bool seen;                 // in this look
};

struct threads {
    struct thread *items;
    size_t n, capacity;
    size_t n_all;          // also those that are not looked at
    cell run_ns, delay_ns; // of all, also of those that ended
    int64_t looked_us;     // CLOCK_MONOTONIC of the last look; 0: none yet
    size_t next;           // to be asked whether it reads
    int64_t step_us;       // between the last two; 0: not known
};
#define THREADS_EMPTY ((struct threads){ .run_ns = CELL_NULL, .delay_ns = CELL_NULL })

void threads_done(struct threads *threads);
// Looks at the threads of a process of the watch, `max` at most. 0 or -errno; -ESRCH: it is gone.
int threads_look(struct threads *threads, size_t max, struct source *source,
        const struct folder *process, pid_t pid, const struct watch *watch, int64_t now_us);
// The one that ran most since the look before, NULL: there is none. With `reader`, of those that
// read, if there are any.
const struct thread *threads_hottest(const struct threads *threads, bool reader);
// How many of them were ever seen to read.
size_t threads_readers(const struct threads *threads);
// Asks so many, each in its turn, whether they read now.
void threads_find_readers(struct threads *threads, size_t n, struct source *source,
        const struct folder *process, pid_t pid, const struct watch *watch);
