// SPDX-License-Identifier: GPL-2.0-or-later
// Greatest users
//
// Who else uses the CPUs and the disks while datagrams are lost. It takes a look at every process,
// so that it is made seldom: once a second at most, and never for more than 1 % of one CPU.
#pragma once

#include <dirent.h>

#include "core/source.h"
#include "core/table.h"

#define TOP_N 3

// What a process had used up by the time of a scan.
struct usage {
    pid_t pid;
    cell start_time;
    cell user_ticks, system_ticks;
    cell write_bytes; // CELL_NULL: not known (yet)
};

struct top_user {
    struct usage now, before;
};

struct top_scan {
    struct usage *usage; // of the last scan, by pid
    size_t n, capacity;
    struct usage *previous; // working memory: of the scan before
    size_t n_previous, previous_capacity;
    unsigned n_scans;
    int64_t scanned_us, due_us; // CLOCK_MONOTONIC
    int64_t cost_us;            // CPU time of the last scan
    size_t n_denied;            // processes whose writes it could not see
    // The result, greatest first.
    struct top_user cpu[TOP_N], disk[TOP_N];
    size_t n_cpu, n_disk;
    int64_t span_us; // between the two scans it is from
};
#define TOP_EMPTY ((struct top_scan){ 0 })

// Scans if it is due. True: there is a new result.
bool top_scan(struct top_scan *top, struct source *source, DIR *proc, int64_t now_us);
void top_done(struct top_scan *top);
