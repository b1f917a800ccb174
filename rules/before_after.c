// SPDX-License-Identifier: GPL-2.0-or-later
// Before and after
#include "rules/before_after.h"

// So much must have been lost on one side for it to be more than a stray, in so many steps that it
// was no single burst.
#define LEAST_LOST 10
#define LEAST_LOSSY_STEPS 2
// The other side must be so long, or of so many steps where they are finer than a second, and so
// many times the longest pause between two losses: a loss that comes once a minute is not cured
// after ten seconds.
#define LEAST_SIDE_S 5
#define LEAST_SIDE_STEPS 5
#define LEAST_FINE_SIDE_S 1
#define LEAST_PAUSES 2
// Less than this share of the loss is none; and the bounds of what is better, and worse.
#define CURED_SHARE 0.01
#define BETTER_SHARE 0.5
#define WORSE_FACTOR 2
// With less traffic than this share of that before, less loss says nothing.
#define SAME_TRAFFIC_SHARE 0.5

struct side {
    double lost, arrived, seconds, pause_s, last_lossy_s;
    size_t steps, lossy;
};

// `last_lossy_s`: seconds of the side after its last loss.
static void add_step(
        struct side *side, const struct before_after *sides, const double *lost, size_t i) {
    side->steps++;
    side->seconds += sides->seconds[i];
    side->arrived += sides->arrived[i];
    if (lost[i] <= 0) {
        side->last_lossy_s += sides->seconds[i];
        return;
    }
    if (side->lossy > 0 && side->last_lossy_s > side->pause_s)
        side->pause_s = side->last_lossy_s;
    side->last_lossy_s = 0;
    side->lost += lost[i];
    side->lossy++;
}

// The steps in which it may have happened belong to neither side.
static void measure(const struct before_after *sides, const double *lost, struct side *before,
        struct side *after) {
    *before = *after = (struct side){ 0 };
    int64_t begin_ms = sides->at > 0 ? sides->end_ms[sides->at - 1] - sides->slack_ms : INT64_MIN;
    for (size_t i = sides->first; i < sides->at; i++)
        if (sides->end_ms[i] <= begin_ms)
            add_step(before, sides, lost, i);
    for (size_t i = sides->at + 1; i < sides->limit; i++)
        add_step(after, sides, lost, i);
}

static double rate(const struct side *side) {
    return side->seconds > 0 ? side->lost / side->seconds : 0;
}

static bool is_enough(const struct side *side) {
    return side->lost >= LEAST_LOST && side->lossy >= LEAST_LOSSY_STEPS;
}

static bool is_long_enough(const struct side *side, double pause_s) {
    bool fine = side->steps >= LEAST_SIDE_STEPS && side->seconds >= LEAST_FINE_SIDE_S;
    return (fine || side->seconds >= LEAST_SIDE_S) && side->seconds >= LEAST_PAUSES * pause_s;
}

static bool is_less_traffic(const struct side *before, const struct side *after) {
    return before->arrived > 0 && before->seconds > 0 && after->seconds > 0 &&
           after->arrived / after->seconds < SAME_TRAFFIC_SHARE * before->arrived / before->seconds;
}

static enum change_verdict verdict_of(const struct side *before, const struct side *after) {
    double x = rate(before), y = rate(after);
    if (!is_enough(before)) {
        bool began =
                is_enough(after) && is_long_enough(before, after->pause_s) && y > WORSE_FACTOR * x;
        return began ? CHANGE_WORSE : CHANGE_TOO_EARLY;
    }
    if (!is_long_enough(after, before->pause_s))
        return y > WORSE_FACTOR * x && is_enough(after) ? CHANGE_WORSE : CHANGE_TOO_EARLY;
    if (y >= WORSE_FACTOR * x)
        return CHANGE_WORSE;
    if (y > BETTER_SHARE * x)
        return CHANGE_NO_EFFECT;
    if (is_less_traffic(before, after))
        return CHANGE_TOO_EARLY;
    return y <= CURED_SHARE * x ? CHANGE_CURED : CHANGE_BETTER;
}

// A loss that had ended long before the change is no matter of it.
static bool had_ended(const struct side *before, const struct side *after) {
    return before->lossy > 0 && after->lossy == 0 && before->last_lossy_s > LEAST_SIDE_S &&
           before->last_lossy_s > LEAST_PAUSES * before->pause_s;
}

void before_after_compare(const struct before_after *sides, struct comparison *ret) {
    struct side before, after;
    measure(sides, sides->lost, &before, &after);
    *ret = (struct comparison){
        .known = (before.lost > 0 || after.lost > 0) && !had_ended(&before, &after),
        .before_rate = rate(&before),
        .after_rate = rate(&after),
        .before_s = before.seconds,
        .after_s = after.seconds,
        .gap_s = before.pause_s,
        .verdict = verdict_of(&before, &after),
    };
}

void before_after_rates(const struct before_after *sides, const double *lost, double *ret_before,
        double *ret_after) {
    struct side before, after;
    measure(sides, lost, &before, &after);
    *ret_before = rate(&before);
    *ret_after = rate(&after);
}
