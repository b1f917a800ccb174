// SPDX-License-Identifier: GPL-2.0-or-later
// Live looks
//
// Reads the kernel's counters here and now, into a store in memory, without the daemon.
#pragma once

#include "core/sample.h"
#include "core/store.h"
#include "core/window.h"
#include "rules/rules.h"

struct live;

enum live_use {
    LIVE_WINDOW,     // several looks, stored for a judgement
    LIVE_SINCE_BOOT, // the first look tells the growth since boot
    LIVE_COUNTERS,   // absolute values only: nothing is stored
};
// root: NULL for the running host. 0 or -errno.
int live_new(const char *root, enum live_use use, struct live **ret);
struct live *live_free(struct live *live); // returns NULL

// Every socket is wanted, not only those that something happens to. Before the first look.
void live_want_all_sockets(struct live *live);
// One look. 0 or -errno.
int live_look(struct live *live);
const struct sample *live_sample(const struct live *live); // the last look
struct store *live_store(struct live *live);               // NULL for LIVE_COUNTERS
struct source *live_source(struct live *live);
// After each look `seen` gets its sample; an error of it ends the look.
void live_on_look(struct live *live, int (*seen)(void *data, const struct sample *sample), void *data);

// Looks for `seconds`, several times, up to the first SIGINT; `rules` tell which counters are
// losses (NULL: none are looked for). 0 or -errno.
int live_run(struct live *live, const struct rule_set *rules, double seconds);
// For a caller who waits for something else meanwhile: waits until that moment of pause_clock_ms(),
// with a look at everything every step_ms since the first, and short ones in between. 0, 1:
// interrupted, or -errno.
int live_wait(struct live *live, int64_t step_ms, int64_t until_ms);
int live_look_at_all(struct live *live); // now; the next of live_wait() is a step later
// The window of all looks so far. As window_open().
int live_window(struct live *live, struct window *ret);

// What the host of this root is called, and its kernel: into buffers of LIVE_NAME_SIZE; "" where it
// cannot be read.
#define LIVE_NAME_SIZE 256
void live_names(struct live *live, char *host, char *kernel);
