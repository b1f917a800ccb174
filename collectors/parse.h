// SPDX-License-Identifier: GPL-2.0-or-later
// Host parsers
//
// Pure parsers of the host's /proc files. Rows and values that are not certain are left out, and
// the first problem is reported; a line without a newline at its end was cut, so that nothing of it
// counts.
#pragma once

#include "collectors/proc_pairs.h"
#include "collectors/scan.h"
#include "core/rows.h"

// net/softnet_stat. `online` is the list of CPUs ("0-3,8"), for files that do not name the CPU
// (before 5.10); "" where it is not known: lines are then counted. Returns whether the file names
// the CPUs.
bool parse_softnet_stat(const char *text, size_t length, const char *online, struct rows *rows,
        struct parse_problem *problem);
// stat: the lines of the CPUs, which stand at its beginning.
void parse_proc_stat(
        const char *text, size_t length, struct rows *rows, struct parse_problem *problem);
// pressure/RESOURCE: the totals of its lines "some" and "full"; a line that is missing gives
// CELL_NULL.
struct pressure {
    cell some, full;
};
void parse_pressure(
        const char *text, size_t length, struct pressure *ret, struct parse_problem *problem);
// meminfo and vmstat into one row of table memory.
void parse_meminfo(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem);
void parse_vmstat(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem);

// diskstats: the rows of the devices that were used and that the filter wants; it is asked for each
// device, the n-th of the file.
#define DISK_NAME_SIZE 64
struct disk_name {
    uint32_t major, minor;
    char name[DISK_NAME_SIZE];
};
typedef bool disk_filter(void *userdata, size_t n, const struct disk_name *name);
void parse_diskstats(const char *text, size_t length, disk_filter *filter, void *userdata,
        struct rows *rows, struct parse_problem *problem);
// The beginning of one of its lines; the numbers stay in `line`.
bool parse_diskstats_line(struct span *line, struct disk_name *ret);

// The n-th number (from 0) of a list such as "0-3,8"; false: it is shorter, or not such a list.
bool cpu_list_nth(const char *list, size_t n, cell *ret);
