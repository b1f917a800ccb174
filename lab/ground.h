// SPDX-License-Identifier: GPL-2.0-or-later
// Lab ground
//
// From whoever wants something to happen in a lab, to the process that does it there.
#pragma once

#include <signal.h>

#include "lab/lab.h"
#include "lab/undo.h"

#define GROUND_TEXT_SIZE 512

struct ground {
    struct undo *undo;
    int family;       // 4 or 6
    bool host_limits; // all sysctls of the whole host can be seen in it, not only those of net.core
    bool keep;        // what is left stays when it is over, until it is killed
    int64_t limit_ms; // then everything is killed
    const sigset_t *ending; // signals that end it; blocked by the caller. NULL: none
};

enum ground_state {
    GROUND_DONE,        // play() returned 0
    GROUND_SKIPPED,     // ... what lab_skip() did, or the lab cannot be made here
    GROUND_FAILED,      // ... another error, or died, or took too long
    GROUND_INTERRUPTED, // one of the ending signals came
};
struct ground_result {
    enum ground_state state;
    char text[GROUND_TEXT_SIZE]; // why; "" when done
    pid_t kept;                  // process 1 of the lab that stays; 0: none
    int undo_left;               // commands that put things back and failed
};
// Makes a lab, runs `play` in a process of it, ends the lab and undoes what it changed. `play` may
// write to files that the caller has open. 0 or -errno: nothing could be started.
int ground_run(const struct ground *ground, int (*play)(struct lab *lab, void *data), void *data,
        struct ground_result *ret);

// For play(). Waits of the lab go through `watch` from now on: it returns at `until_ms` of
// lab_clock_ms(), 0 or -errno.
void ground_watch(struct lab *lab, int (*watch)(void *data, int64_t until_ms), void *data);
const char *ground_text(const struct lab *lab); // of lab_fail() and lab_skip()
