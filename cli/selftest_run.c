// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario run
//
// In a lab: sets up, provokes, and asks the same code as `why --live` what was lost and why.
#include "cli/selftest.h"

#include <errno.h>
#include <string.h>

#include "cli/judge.h"
#include "cli/live.h"
#include "cli/pause.h"
#include "cli/selftest_others.h"
#include "core/cleanup.h"

#define STEP_MS 200
#define QUIET_STEPS 2 // before the first loss, and after the last
#define ROUNDS_MOST 30
#define PROVOKE_LIMIT_MS 12000
#define LEAST_LOST 200
// Of which a lab's own processes miss what they need.
#define OTHERS_CPUS 0.3
#define LEAST_LOST_AGAIN 20
// A change is judged by the steps on both sides of it.
#define FIXED_LEAST_MS 1200
#define FIXED_TRIES 4 // while it says that it is too early to tell

struct play {
    struct lab *lab;
    const struct selftest_task *task;
    const struct scenario *scenario;
    struct selftest_result *result;
    struct live *live;
    struct verdict *verdict;
    struct tree looks; // as a capture has them
};

static int watch(void *data, int64_t until_ms) {
    const struct play *play = data;
    int r = live_wait(play->live, STEP_MS, until_ms);
    return r == 1 ? -EINTR : r;
}

static bool is_lost(const struct play *play) {
    int64_t least = play->scenario->least_lost ? play->scenario->least_lost : LEAST_LOST;
    return lab_lost(play->lab) >= least;
}

// 0, 1: not yet, or -errno.
static int has_happened(struct play *play) {
    const struct scenario *scenario = play->scenario;
    int r = scenario->happened ? scenario->happened(play->lab) : 0;
    if (r != 0 || (!scenario->expects && !scenario->unnamed) || scenario->no_loss)
        return r;
    return !is_lost(play);
}

// Until what should happen has happened by the lab's own count.
static int provoke(struct play *play) {
    int64_t end_ms = pause_clock_ms() + PROVOKE_LIMIT_MS;
    for (int round = 0; round < ROUNDS_MOST && pause_clock_ms() < end_ms; round++) {
        int r = play->scenario->provoke(play->lab);
        if (r < 0)
            return r;
        play->result->rounds++;
        r = has_happened(play);
        if (r <= 0)
            return r;
    }
    play->result->unprovoked = true;
    return lab_fail(play->lab, "could not be provoked: lost %lld in %d rounds",
            (long long) lab_lost(play->lab), play->result->rounds);
}

static int judge(struct play *play, int quiet_steps) {
    int r = lab_pause(play->lab, quiet_steps * STEP_MS);
    if (r == 0)
        r = live_look_at_all(play->live);
    if (r < 0)
        return r;
    play->verdict = verdict_free(play->verdict);
    r = judge_live(play->task->rules, play->live, &play->verdict);
    return r == 1 ? -ENODATA : r;
}

static void take_first(struct play *play) {
    const struct cause *first = selftest_first(play->scenario, play->verdict);
    if (!first)
        return;
    snprintf(play->result->first, sizeof(play->result->first), "%s", first->id);
    play->result->confidence = first->confidence;
}

static bool is_expected(const struct play *play) {
    return play->scenario->expects && strcmp(play->result->first, play->scenario->expects) == 0;
}

// As much as it takes to lose, or as long as it takes to see that nothing is lost any more.
static int provoke_after(struct play *play) {
    int64_t end_ms = pause_clock_ms() + FIXED_LEAST_MS;
    bool losing = play->scenario->fix == FIX_BIGGER_FAILS;
    int r = 0;
    lab_phase(play->lab, LAB_FIXED);
    for (int round = 0; r == 0; round++) {
        bool enough = losing ? is_lost(play) || round >= ROUNDS_MOST
                             : round >= 2 && pause_clock_ms() >= end_ms;
        if (enough)
            break;
        r = play->scenario->provoke(play->lab);
    }
    return r;
}

// A change is compared with a loss that comes again, and that is there until shortly before it.
static int lose_once_more(struct play *play) {
    int64_t before = lab_lost(play->lab);
    for (int round = 0; round < ROUNDS_MOST; round++) {
        int r = play->scenario->provoke(play->lab);
        if (r < 0 || lab_lost(play->lab) >= before + LEAST_LOST_AGAIN)
            return r;
    }
    return lab_fail(play->lab, "it is not lost once more");
}

// Looks on for as long as the answer is that it is too early to tell.
static int judge_after(struct play *play) {
    int r = 0;
    for (int i = 0; r == 0 && i < FIXED_TRIES; i++) {
        r = provoke_after(play);
        if (r == 0)
            r = judge(play, 1);
        if (play->scenario->fix == FIX_BIGGER_FAILS || !selftest_is_early(play->verdict))
            break;
    }
    return r;
}

static int fix(struct play *play) {
    struct selftest_result *result = play->result;
    int r = lose_once_more(play);
    if (r == 0)
        r = selftest_fix(
                play->lab, play->scenario, play->verdict, result->command, sizeof(result->command));
    if (r == 1)
        return lab_fail(play->lab, "no remedy that can be run is printed");
    result->tried = true;
    if (r == 0) // what waits from before is read first
        r = lab_pause(play->lab, QUIET_STEPS * STEP_MS);
    return r == 0 ? judge_after(play) : r;
}

static void take_truth(struct play *play) {
    struct selftest_result *result = play->result;
    for (int phase = LAB_PROVOKED; phase < LAB_PHASES; phase++) {
        struct truth_counts counts;
        int64_t lost;
        lab_truth(play->lab, (enum lab_phase) phase, &counts, &lost);
        result->sent += counts.sent;
        result->lost += lost;
        result->late += counts.late;
        result->duplicated += counts.duplicated;
        if (phase == LAB_FIXED)
            result->lost_after = lost;
        if (counts.worst_delay_ns / 1000 > result->worst_delay_us)
            result->worst_delay_us = counts.worst_delay_ns / 1000;
    }
    result->ledger = play->verdict->lost;
    result->counted = true;
}

static void keep_document(struct play *play) {
    json_object *document = verdict_json(play->verdict);
    size_t n;
    const char *text = json_object_to_json_string_length(document, JSON_C_TO_STRING_PLAIN, &n);
    if (text && ftruncate(play->task->document, 0) == 0)
        (void) !pwrite(play->task->document, text, n, 0);
    json_object_put(document);
}

static int first_looks(struct play *play) {
    int r = live_new(NULL, LIVE_WINDOW, &play->live);
    if (r < 0)
        return r;
    live_on_look(play->live, selftest_keep_look, &play->looks);
    r = live_look_at_all(play->live);
    if (r < 0)
        return r;
    ground_watch(play->lab, watch, play);
    r = lab_pause(play->lab, QUIET_STEPS * STEP_MS);
    // What is read now and then, such as the fill of disks, is in the window as it was before the loss.
    return r == 0 ? live_look_at_all(play->live) : r;
}

// What is lost before the first look is the past.
static int begin(struct play *play) {
    int r = play->scenario->needs & NEEDS_DELAYACCT
                    ? lab_sysctl(play->lab, LAB_HOST, "kernel/task_delayacct", "1")
                    : 0;
    if (r == 0 && play->scenario->setup)
        r = play->scenario->setup(play->lab);
    return r == 0 ? first_looks(play) : r;
}

static int check_capture(struct play *play) {
    char differs[SELFTEST_ID_SIZE];
    int r = selftest_check_capture(
            play->task->rules, &play->looks, play->verdict, differs, sizeof(differs));
    selftest_check_same(play->result, r == 1 ? differs : NULL);
    return r < 0 ? r : 0;
}

static int lose(struct play *play) {
    int64_t start_ms = pause_clock_ms();
    lab_phase(play->lab, LAB_PROVOKED);
    int r = provoke(play);
    play->result->provoked_ms = pause_clock_ms() - start_ms;
    if (r == 0)
        r = judge(play, QUIET_STEPS);
    if (r < 0)
        return r;
    take_first(play);
    selftest_check_causes(play->scenario, play->verdict, play->result);
    return check_capture(play);
}

// A buffer knows no family: it is made bigger once.
static bool has_fix(const struct play *play) {
    const struct scenario *scenario = play->scenario;
    bool again = scenario->families == LAB_BOTH && lab_family(play->lab) == 6;
    return scenario->fix != FIX_NONE && !(again && scenario->fix == FIX_BIGGER_FAILS);
}

static int run(struct play *play) {
    int r = begin(play);
    if (r == 0)
        r = lose(play);
    if (r < 0)
        return r;
    bool fixes = has_fix(play) && is_expected(play);
    keep_document(play);
    if (fixes)
        r = fix(play);
    if (r == 0)
        r = lab_drain(play->lab);
    if (r < 0)
        return r;
    take_truth(play);
    selftest_check_counts(play->scenario, play->verdict, play->result);
    if (fixes) {
        selftest_check_fix(play->scenario, play->verdict, play->result);
        keep_document(play);
    }
    return 0;
}

// A reader that others took the CPUs from does not do what the scenario is about.
static void weigh_others(struct play *play, const struct selftest_others *others) {
    struct selftest_result *result = play->result;
    double cpus = selftest_others_cpus(others);
    size_t n = strlen(result->why);
    if (n == 0 || cpus < OTHERS_CPUS)
        return;
    result->disturbed = true;
    snprintf(result->why + n, sizeof(result->why) - n, " (others took %.1f CPUs)", cpus);
}

int selftest_play(struct lab *lab, void *data) {
    const struct selftest_task *task = data;
    struct play play = {
        .lab = lab, .task = task, .scenario = task->scenario, .result = task->result
    };
    struct selftest_others others;
    selftest_others_begin(&others);
    int r = run(&play);
    weigh_others(&play, &others);
    verdict_free(play.verdict);
    live_free(play.live);
    tree_done(&play.looks);
    return r;
}
