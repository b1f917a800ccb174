// SPDX-License-Identifier: GPL-2.0-or-later
// Threads in top
//
// What "top -H" lists: threads, whose process only its option -p names.
#pragma once

#include "formats/process_list.h"

struct top_threads {
    bool listed;
    uint64_t pid;      // 0: of several processes, or not named
    uint64_t total, n; // as top counts them; in the list
    double run, most;  // percent of a CPU, of all and of the busiest; -1: not told
    struct process_row busiest;
};

// Of the command that stands above the screen; NULL: there is none.
void top_threads_init(struct top_threads *threads, const char *command);
// A line of the summary, which may tell that threads are listed.
void top_threads_summary(struct top_threads *threads, const struct line *line);
// A thread. `measures`: its share is of the time before the look.
void top_threads_add(struct top_threads *threads, struct intake *intake, const struct line *line,
        const struct process_row *row, bool measures);
// The row of their process, as far as they tell of it: all of its time only where none is cut off.
void top_threads_put(
        const struct top_threads *threads, struct intake *intake, const struct line *line);
