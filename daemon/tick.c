// SPDX-License-Identifier: GPL-2.0-or-later
// Drift-free ticks
#include "daemon/tick.h"

uint64_t tick_next(uint64_t base, uint64_t step, uint64_t now) {
    return now < base ? base : base + ((now - base) / step + 1) * step;
}
