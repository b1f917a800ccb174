// SPDX-License-Identifier: GPL-2.0-or-later
// Samples and steps
//
// A sample holds the rows of all tables at one moment; a step holds what changed since the sample
// before.
#pragma once

#include "core/rows.h"

enum outcome_state {
    OUTCOME_NOT_DUE, // slow lane, not its turn in this step
    OUTCOME_OK,
    OUTCOME_ABSENT, // this kernel or host has no such thing
    OUTCOME_DENIED, // needs a privilege
    OUTCOME_FAILED, // an error, or input that could not be understood
};

// How a collector's last run went. `reason` is for people: "no /proc/pressure on this kernel
// (before 4.20, or psi=0)".
struct outcome {
    enum outcome_state state;
    char reason[160];
    int64_t cost_us;
};

const char *outcome_name(enum outcome_state state); // "ok", "absent", "denied", "failed", "not due"
// printf into outcome->reason; sets the state.
void outcome_set(struct outcome *outcome, enum outcome_state state, const char *format, ...)
        __attribute__((format(printf, 3, 4)));

struct sample {
    int64_t wall_ms;     // CLOCK_REALTIME
    int64_t boottime_ms; // CLOCK_BOOTTIME: goes on during suspend
    int64_t monotonic_ms;
    size_t n_tables;
    struct rows *rows;       // one per table, in the order of the list given to sample_new()
    struct outcome *outcome; // one per table
};

// Returns NULL: out of memory.
struct sample *sample_new(const struct table *const *tables, size_t n_tables);
struct sample *sample_free(struct sample *sample); // returns NULL

enum step_flag {
    STEP_GAP = 1, // sampling paused, or the daemon was not running: longer than a step should be
    STEP_SUSPENDED = 2,   // the machine slept in it
    STEP_TIME_JUMP = 4,   // the wall clock was set in it
    STEP_BASELINE = 8,    // the very first look: counters have no growth
    STEP_SINCE_BOOT = 16, // one look: growth is counted from boot
    STEP_WHOLE = 32,      // every table was read at its end, those of the slow lane too
};

// What happened between two samples: counters hold growth, gauges and words hold their value. Rows
// without news are left out, except that each object appears at least once in STEP_KEYFRAME_MS.
struct step {
    int64_t end_ms;      // wall clock
    int64_t length_ms;   // by CLOCK_BOOTTIME
    int64_t boottime_ms; // CLOCK_BOOTTIME at the end; 0: not known
    unsigned flags;      // enum step_flag
    size_t n_tables;
    struct rows *growth; // one per table
    struct rows *total;  // the same rows with absolute counters
    struct outcome *outcome;
};
#define STEP_KEYFRAME_MS 60000

struct step *step_new(const struct table *const *tables, size_t n_tables); // NULL: out of memory
struct step *step_free(struct step *step);                                 // returns NULL
void step_clear(struct step *step);
int step_copy(struct step *step, const struct step *from); // 0 or -ENOMEM
// Adds `later` to `step`: growth is summed, everything else is taken from `later`. 0 or -ENOMEM.
int step_merge(struct step *step, const struct step *later);
