// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks
//
// When the next of the short looks between two steps is due.
#pragma once

#include <stdint.h>

struct dense {
    int64_t due_us;
    uint32_t random;
};

// Sets the time of the next look after one at now_us that took cost_us of CPU time. They are
// COLLECT_PEEK_MS apart on average, at random: what has a period of its own (a quota has one of 100
// ms) would otherwise be met in the same phase each time. A look takes at most the hundredth part
// of the time up to the next.
void dense_schedule(struct dense *dense, int64_t now_us, int64_t cost_us);
