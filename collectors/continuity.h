// SPDX-License-Identifier: GPL-2.0-or-later
// Continuity
//
// For objects that are looked at only from time to time. What such an object's counters did while
// nobody looked belongs to no step: their growth is unknown in the first look at it, and counted
// from there.
#pragma once

#include "core/rows.h"

struct continuity {
    struct rows last, next; // of the look before, and of this one
    bool started;
};

void continuity_init(struct continuity *continuity, const struct table *table);
void continuity_done(struct continuity *continuity);
// To be called once in each look, when all rows are there. What a collector told itself of the look
// before (rows_before) stays. 0 or -ENOMEM.
int continuity_tell(struct continuity *continuity, struct rows *rows);
