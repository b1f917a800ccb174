// SPDX-License-Identifier: GPL-2.0-or-later
// Counter growth
//
// Remembers the last absolute values of every object and turns samples into steps. The one place
// that knows about wraps, resets and objects that come and go.
#pragma once

#include "core/sample.h"

// More events a second than any counter here can have; growth beyond it after a decrease is a
// reset, not a wrap.
#define GROWTH_MAX_PER_SECOND INT64_C(50000000)

struct growth;

struct growth *growth_new(
        const struct table *const *tables, size_t n_tables); // NULL: out of memory
struct growth *growth_free(struct growth *growth);           // returns NULL

// Sets the absolute values known from before (the daemon's previous run), so that the first step
// tells the growth over the gap. `at` are the times of that last sample; call before the first
// growth_step(). 0 or -ENOMEM.
int growth_seed(struct growth *growth, size_t table, const struct rows *totals, int64_t wall_ms,
        int64_t boottime_ms);
// Takes all counters as 0 at boot: a single look then tells the growth since boot.
void growth_since_boot(struct growth *growth);
// Every row stands in every step, also where nothing is new: for a few looks, that are to be compared.
void growth_keep_all(struct growth *growth);
// No window shows the step of the very first look: what it found is told once more in the next, so
// that a short window knows what was there at its beginning.
void growth_repeat_first(struct growth *growth);

// Growth of `sample` against what is remembered, into `step` (cleared first). 0 or -ENOMEM.
int growth_step(struct growth *growth, const struct sample *sample, struct step *step);

// Growth of one counter in `seconds`: the difference, the difference modulo 2^32 across a plausible
// wrap of a 32-bit counter (at most half way round), or CELL_NULL where it cannot be known (first
// look, reset). Of a row, growth_step() lets one counter wrap at a time.
cell growth_of(cell before, cell now, double seconds);
