// SPDX-License-Identifier: GPL-2.0-or-later
// Growth beside counters
#pragma once

#include "core/table.h"

// What is known of one counter at a moment.
struct reckoning {
    cell growth; // that the paste gives for this moment
    cell *last;  // the absolute value before; CELL_NULL: none
    cell *ahead; // growth told since then; CELL_NULL: never any
};

// Growth that the paste gives becomes what the counter was before. A sar between two looks at the
// counter itself tells when it grew: what it told is a part of the growth between these looks.
// Where the counter itself is not known, the growth stands for it. `row`: the counter at this
// moment, CELL_NULL where it was not read; set to what growth is to be taken of. `before` is left
// alone where nothing is to be told of the moment before. Both last and ahead are brought forward.
void reckon(const struct reckoning *known, cell *row, cell *before);
