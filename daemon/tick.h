// SPDX-License-Identifier: GPL-2.0-or-later
// Drift-free ticks
#pragma once

#include <stdint.h>

// The first moment after `now` on the raster base, base + step, base + 2 step, ...; ticks that were
// missed are left out, so that a pause makes one longer step and never a burst. All in one unit, on
// one clock; step > 0.
uint64_t tick_next(uint64_t base, uint64_t step, uint64_t now);
