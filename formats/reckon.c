// SPDX-License-Identifier: GPL-2.0-or-later
// Growth beside counters
#include "formats/reckon.h"

static cell sum(cell a, cell b) {
    cell result;
    return __builtin_add_overflow(a, b, &result) ? INT64_MAX : result;
}

static cell told_since(const struct reckoning *known) {
    return *known->ahead == CELL_NULL ? 0 : *known->ahead;
}

// The counter itself was read.
static void take_counter(const struct reckoning *known, cell *row, cell *before) {
    cell now = *row, reached = sum(*known->last, told_since(known));
    bool first = *known->last == CELL_NULL;
    if (!first && *known->ahead != CELL_NULL && now >= *known->last)
        *before = now > reached ? reached : now;
    else if (first && known->growth != CELL_NULL)
        *before = now > known->growth ? now - known->growth : 0;
    else if (first && *known->ahead != CELL_NULL)
        *row = CELL_NULL; // how far it grew since that growth was told is not known
    if (*known->ahead != CELL_NULL || known->growth != CELL_NULL)
        *known->ahead = 0;
    *known->last = now;
}

void reckon(const struct reckoning *known, cell *row, cell *before) {
    if (*row != CELL_NULL) {
        take_counter(known, row, before);
    } else if (known->growth != CELL_NULL) {
        *before = *known->last == CELL_NULL ? 0 : sum(*known->last, told_since(known));
        *row = sum(*before, known->growth);
        *known->ahead = sum(told_since(known), known->growth);
    }
}
