// SPDX-License-Identifier: GPL-2.0-or-later
// Self-test
//
// One scenario is run by a process of its own, in a lab of its own, and leaves its result in shared
// memory.
#pragma once

#include "core/verdict.h"
#include "formats/tree.h"
#include "lab/ground.h"
#include "lab/scenario.h"
#include "rules/rules.h"

#define SELFTEST_ID_SIZE 64
#define SELFTEST_TEXT_SIZE 512

enum selftest_state { SELFTEST_PASSED, SELFTEST_FAILED, SELFTEST_SKIPPED };

enum selftest_fix {
    SELFTEST_UNFIXED, // the scenario has none, or it did not come to it
    SELFTEST_CURED,   // the loss stopped, and the verdict says so
    SELFTEST_STOPPED, // the loss stopped, and no setting that is watched was changed
    SELFTEST_LOSING,  // a bigger buffer, of which was said that it will not help, did not
};

struct selftest_result {
    enum selftest_state state;
    char why[SELFTEST_TEXT_SIZE]; // it failed or was skipped; "" when passed
    char id[SELFTEST_ID_SIZE];
    char first[SELFTEST_ID_SIZE];         // the first cause; "": none
    double confidence;                    // of the first cause
    int64_t sent, lost, late, duplicated; // by the numbers in the datagrams
    int64_t ledger;
    bool counted;    // these are known
    bool unprovoked; // what should happen did not
    bool disturbed;  // others took the CPUs, or counters of the whole host hold what they lost
    int64_t provoked_ms, worst_delay_us; // how long the loss took to make, and the slowest datagram
    int rounds;
    bool tried; // the remedy
    enum selftest_fix fix;
    char command[SELFTEST_TEXT_SIZE]; // that was run as the remedy
    int64_t lost_after;               // and what was lost then
    int64_t took_ms;
};

// What a process in the lab is given.
struct selftest_task {
    const struct scenario *scenario;
    const struct rule_set *rules;
    struct selftest_result *result; // shared memory
    int document;                   // file for the last verdict as JSON
};

// For ground_run(): `data` is a struct selftest_task. Sets all of the result but its state, `id`
// and took_ms; `why` where the answer is not the right one. As the functions of a scenario.
int selftest_play(struct lab *lab, void *data);

// What is not as it should be is added to result->why: in the answer to the loss, in the counts of
// all that was sent, in the answer to the remedy.
void selftest_check_causes(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result);
void selftest_check_same(struct selftest_result *result, const char *differs); // NULL: nothing
void selftest_check_counts(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result);
void selftest_check_fix(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result);
// The cause that is compared with the expected one; NULL: none.
const struct cause *selftest_first(const struct scenario *scenario, const struct verdict *verdict);

// For live_on_look(): `data` is a struct tree, which gets the look as a file of a capture.
int selftest_keep_look(void *data, const struct sample *sample);
// Whether these looks, read again as a capture, give the verdict. 0, 1: what differs is in `ret`, or
// -errno.
int selftest_check_capture(const struct rule_set *rules, const struct tree *looks,
        const struct verdict *verdict, char *ret, size_t size);

// Does what the first cause says. 0, 1: it says nothing of that kind, or -errno.
int selftest_fix(struct lab *lab, const struct scenario *scenario, const struct verdict *verdict,
        char *command, size_t size);
// Whether it is too early to tell of a change, and of none that it cured the loss.
bool selftest_is_early(const struct verdict *verdict);
// Whether a change in the verdict cured the loss: and whether any was seen at all.
bool selftest_cured(const struct verdict *verdict, bool *ret_seen);
