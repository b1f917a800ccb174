// SPDX-License-Identifier: GPL-2.0-or-later
// Changes found
//
// Looks through the steps of the window for settings that changed and sockets that were opened
// anew.
#pragma once

#include "rules/sandbox.h"
#include "rules/setting.h"

struct found_change {
    const struct setting *setting;
    struct change change; // without its comparison
    char *group;          // path of the control group, or NULL
    size_t at;            // index of the step that shows it first
    bool known;           // there is something to compare
};

// What a query with its values gave: one value per step.
struct change_series {
    char *query;
    double *values;
};

struct change_scan {
    struct sandbox *sandbox;
    const struct table *const *tables;
    size_t n_tables;
    bool knows_traffic; // there are datagrams received to compare
    // The steps of the window.
    int64_t *number, *end_ms;
    double *seconds;
    bool *whole; // everything was read at their end
    size_t n_steps;
    struct found_change *found;
    size_t n_found;
    struct change_series *series;
    size_t n_series;
};

// Fills the steps and what is found. 0 or -errno; change_scan_done() in any case.
int change_scan_run(struct change_scan *scan);
void change_scan_done(struct change_scan *scan);
// Index of the step of that number, or SIZE_MAX.
size_t change_scan_index(const struct change_scan *scan, int64_t number);

// Sockets that took the place of another of the same port (changes_reopened.c). 0 or -errno.
int change_scan_reopened(struct change_scan *scan);
// Appends a change of that setting. NULL: out of memory, or there are too many.
struct found_change *change_scan_add(
        struct change_scan *scan, const struct setting *setting, size_t at);
