// SPDX-License-Identifier: GPL-2.0-or-later
// Moments
//
// Which looks belong together. Looks with a time belong to their time. Without one, order is all
// there is: the k-th look at the same values by the same output is of the k-th moment, and what was
// looked at less often belongs to the last ones. Settings hold for all moments.
#pragma once

#include "formats/reading.h"

struct moments {
    size_t n;       // at least 1
    int64_t *at_ms; // wall clock of each; 0: not known
    // Counters of places where datagrams are lost are there at two moments, or as growth.
    bool losses_grow;
    bool losses_stand; // some are there as absolute values
    bool any_growth;   // of anything
};

// Sets the moment of each look. 0 or -ENOMEM.
int moments_find(struct intake *intake, struct moments *ret);
// Drops the moments at which no losses were looked at, where they were more than once. 0 or -ENOMEM.
int moments_fold(struct intake *intake, struct moments *moments);
void moments_done(struct moments *moments);
