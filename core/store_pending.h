// SPDX-License-Identifier: GPL-2.0-or-later
// Pending rollup
//
// Of one table: what steps brought that does not yet stand in T_minute and T_hour, one row per
// object. A window adds up its rows in the same way.
#pragma once

#include "core/objects.h"

struct pending {
    struct objects sums; // counters summed; all else as it was last
    cell *highest;       // of gauges, as wide as a row
    size_t highest_capacity;
};

void pending_init(struct pending *pending, const struct table *table);
void pending_done(struct pending *pending);
void pending_clear(struct pending *pending); // keeps the memory
const cell *pending_highest(const struct pending *pending, size_t object);

// Adds one row of growth; `highest` of its gauges, or NULL: as they are. Its object, or -ENOMEM.
long pending_add_row(
        struct pending *pending, const struct rows *growth, const cell *row, const cell *highest);
// Adds the rows of one step. 0 or -ENOMEM.
int pending_add(struct pending *pending, const struct rows *growth);
