// SPDX-License-Identifier: GPL-2.0-or-later
// Lists of processes
//
// Rows of ps and top: columns under headings, of which the last may hold blanks.
#pragma once

#include "formats/intake.h"
#include "formats/words.h"

struct process_heading {
    // Where each stands; -1: not there.
    int pid, state, stat, wchan, command, cpu, cpu_time, threads, thread, last_cpu;
    size_t n;
};

struct process_row {
    uint64_t pid, thread; // thread 0: not told
    char state;           // 0: not told
    bool single;          // it has one thread
    struct word wchan, cpu, cpu_time, threads, last_cpu;
    const char *command; // "": not told
};

bool process_heading(const char *text, struct process_heading *ret);
bool process_row(const char *text, const struct process_heading *heading, struct process_row *ret);
// The row of table process of it, as far as one look tells. `measured`: its %CPU is of the time before
// the look (top), not of its life (ps).
void process_put(struct intake *intake, const struct line *line, const struct process_row *row,
        bool measured);
