// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks
#include "collectors/dense.h"

#include "collectors/collector.h"

#define MEAN_US (COLLECT_PEEK_MS * INT64_C(1000))
// At most 1 % of one CPU.
#define TIMES_COST 100

static uint32_t next_random(uint32_t x) { // xorshift; never 0
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    return x;
}

void dense_schedule(struct dense *dense, int64_t now_us, int64_t cost_us) {
    dense->random = next_random(dense->random ? dense->random : (uint32_t) now_us | 1);
    int64_t pause_us = MEAN_US / 2 + (int64_t) (dense->random % (uint32_t) (MEAN_US + 1));
    if (pause_us < cost_us * TIMES_COST)
        pause_us = cost_us * TIMES_COST;
    dense->due_us = now_us + pause_us;
}
