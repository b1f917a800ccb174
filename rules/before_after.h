// SPDX-License-Identifier: GPL-2.0-or-later
// Before and after
//
// Compares the loss on both sides of a change. Pure arithmetic over the steps of the window.
#pragma once

#include "core/verdict.h"

struct before_after {
    // Per step of the window, in time order.
    const int64_t *end_ms;
    const double *seconds;
    const double *lost;    // what the change bears on
    const double *arrived; // datagrams of the namespace, with what was lost; all 0: not known
    size_t n;
    size_t at;           // the first step that shows the change
    int64_t slack_ms;    // it may have happened so long before the end of the step before
    size_t first, limit; // only these steps: another change of the same lies before and after them
};

struct comparison {
    enum change_verdict verdict;
    bool known; // something can be said at all: something was lost before or after it
    double before_rate, after_rate, before_s, after_s;
    double gap_s; // the longest time without loss before it, between two losses
};
void before_after_compare(const struct before_after *sides, struct comparison *ret);
// The rate of another series on both sides of the same change.
void before_after_rates(const struct before_after *sides, const double *lost, double *ret_before,
        double *ret_after);
