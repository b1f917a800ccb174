// SPDX-License-Identifier: GPL-2.0-or-later
// Window
//
// What happened between two moments, as temporary tables and views on the store's connection that
// the rules ask:
//
// - window: one row: start_ms, end_ms, seconds, steps, gap_ms, kind ('live', 'history', 'capture',
//   'since-boot').
// - step: step, start_ms, end_ms, seconds, flags: every step of the window, also those without
// rows.
// - T: one row per object: keys; counters summed; gauges and words last; gauges' highest as
//   <name>_max, unless T declares a column of that name itself. Objects that had no news in the
//   window, but were there just before it, count as present: counters 0.
// - T_step: one row per object and step: step, seconds, keys, values, <name>_max. No row: nothing
//   happened.
// - T_total: one row per object that is there now: keys and absolute counters of the newest look.
//
// Growth that is not known (the first look, a reset) is NULL and adds nothing.
#pragma once

#include <stdio.h>

#include "core/store.h"

enum window_kind { WINDOW_LIVE, WINDOW_HISTORY, WINDOW_CAPTURE, WINDOW_SINCE_BOOT };

struct window {
    enum window_kind kind;
    int64_t start_ms, end_ms; // wall clock, of the steps found
    double seconds;           // sum of the steps' lengths
    int64_t steps;
    bool untimed;   // how long the steps were is not known: seconds means nothing
    bool undated;   // when they were is not known: start_ms and end_ms only tell their order
    bool pasted;    // made of what somebody pasted, which may be a part of what there was
    bool measured;  // of a capture: its rows are the collectors' own, as of a live one
    int64_t gap_ms; // time inside start..end that no step covers, or that a gap step covers
};

const char *window_kind_name(enum window_kind kind);

// Makes the window of the steps that ended in (start_ms, end_ms]; one that was there before is
// replaced. Up to an hour it has the steps as they were stored, then their minutes, after two days
// their hours: also for a time of which nothing finer is kept. Minutes and hours that are cut by
// start_ms or end_ms are in it whole. A first look alone (STEP_BASELINE) is no step.
// 0, 1: no step in it, or -errno.
int window_open(struct store *store, enum window_kind kind, int64_t start_ms, int64_t end_ms,
        struct window *ret);
// Writes the SQL that makes the open window, this one, in the sqlite3 shell, so that a person can
// try a rule's query there. 0 or -errno.
int window_print_sql(struct store *store, const struct window *window, FILE *out);
