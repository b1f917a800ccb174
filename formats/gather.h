// SPDX-License-Identifier: GPL-2.0-or-later
// Gathered looks
//
// The looks of one moment put together: one row per object.
#pragma once

#include "core/objects.h"
#include "formats/intake_private.h"

// What one table had at the moment that is being made.
struct gathered {
    struct objects now;  // absolute values
    struct rows grown;   // growth that the paste gives, beside the rows of `now`
    struct rows watched; // the time in ms in which that growth was seen, beside them
    struct rows source;  // the look that each value is of, beside them
    struct objects last; // absolute values of all moments before
    // Growth that the paste gave since then, beside the rows of `last`; CELL_NULL: never any.
    struct rows ahead;
};

struct gathering {
    struct intake *intake;
    struct gathered *table; // one per table
    bool one_step;          // all moments are one look since boot
};

int gathering_init(struct gathering *gathering, struct intake *intake); // 0 or -ENOMEM
void gathering_done(struct gathering *gathering);

// Forgets the moment before.
void gather_begin(struct gathering *gathering);
// Takes the looks of a moment, and settings. 0 or -ENOMEM.
int gather_moment(struct gathering *gathering, size_t moment);
// What the host around the losses did was watched for a part of the moment (a vmstat between two
// netstat): it is taken to have gone on like that. What was lost is never more than was seen.
void gather_stretch(struct gathering *gathering, int64_t span_ms);
// What was seen once of a process, a mount or a control group holds until it is seen anew: levels
// and words, not counters. 0 or -ENOMEM.
int gather_carry(struct gathering *gathering);
// The row with these keys, added where there is none; *at: its number. NULL: no memory.
cell *gather_row(struct objects *objects, const struct rows *rows, const cell *keys, uint32_t *at);
// The cells beside a row of other rows, added where there are none. NULL: no memory.
cell *gather_beside(struct rows *rows, size_t row);
// Adds growth to a value of a row of `now`. 0 or -ENOMEM.
int gather_growth(struct gathered *gathered, size_t object, size_t column, cell growth);
// For sockets that were seen once. What they dropped since they were made is what the host lost in
// this window if the sums agree; what one dropped beyond all that was lost before is of this
// window; and of one whose queue is full, and that dropped all before, the rest is taken for its
// own too. 0 or -ENOMEM.
int gather_socket_drops(struct gathering *gathering);
