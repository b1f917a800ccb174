// SPDX-License-Identifier: GPL-2.0-or-later
// Process entry
//
// One process that is looked at, from the first look to the last, and how its row is filled.
#pragma once

#include "collectors/netns.h"
#include "collectors/process_looks.h"
#include "collectors/process_threads.h"
#include "collectors/process_top.h"
#include "collectors/taskstats.h"

// Of the threads that do not read, so many are looked at in a short look.
#define PEEK_THREADS 16

enum process_role { ROLE_OWNER, ROLE_CPU, ROLE_DISK };

struct process {
    pid_t pid;
    cell start_time;
    // Of the threads that do not read, so many are looked at in a short look.
#define PEEK_THREADS 16

    enum process_role role;
    bool dense; // it has a socket that loses datagrams
    bool seen;  // wanted in this look
    bool fresh; // this is the first look at it
    bool has_usage;
    struct usage usage; // what it had used in the look before, which did not look at it
    char path[24];
    struct folder folder;
    // Of owners only.
    struct threads threads;
    struct looks looks;
    size_t next_other; // of the threads, in short looks
};

// What the rows of one look have in common.
struct process_look {
    struct collect_context *context;
    struct taskstats_asker *taskstats;
    bool accounts_delays; // the kernel counts them
    cell tick_us;         // CPU times are told in these
    int64_t now_us;       // CLOCK_MONOTONIC
    int64_t before_us;    // CLOCK_BOOTTIME of the look before; INT64_MAX: there was none
    size_t n_denied;      // owners whose files were closed to us
    size_t threads_left;  // that may still be looked at
    size_t n_crowded;     // with more threads than were looked at
};

// Opens its folder and makes sure that it is the process meant. 0 or -errno; -ESRCH: it is not, or
// gone.
int process_open(struct process *process, struct source *source);
void process_done(struct process *process);
// Adds its row. 0, or -ESRCH: it is gone, or -ENOMEM.
int process_look(struct process *process, struct process_look *look, struct rows *rows);
// A short look at the thread that reads, and at so many others.
void process_peek(struct process *process, size_t n_others, struct collect_context *context);
