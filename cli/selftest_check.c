// SPDX-License-Identifier: GPL-2.0-or-later
// Answers checked
#include "cli/selftest.h"

#include <inttypes.h>
#include <string.h>

#define TOLERANCE 2
#define TOLERANCE_SHARE 0.005
#define MOST_SHARE 0.7   // of the loss: what its one cause has to explain at least
#define CURED_SHARE 0.01 // of the loss before: what is left after it is none

// Adds a sentence to those that are there.
static void __attribute__((format(printf, 2, 3)))
miss(struct selftest_result *result, const char *format, ...) {
    char *why = result->why;
    size_t n = strlen(why);
    va_list arguments;
    if (n > 0)
        n += (size_t) snprintf(why + n, sizeof(result->why) - n, "; ");
    if (n >= sizeof(result->why))
        return;
    va_start(arguments, format);
    vsnprintf(why + n, sizeof(result->why) - n, format, arguments);
    va_end(arguments);
}

// A cause that only contributes, or that is none of a loss, comes first nowhere.
const struct cause *selftest_first(const struct scenario *scenario, const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        bool is_it = scenario->expects && strcmp(cause->id, scenario->expects) == 0;
        if (scenario->no_loss ? is_it : !cause->no_loss && !cause->also)
            return cause;
    }
    return NULL;
}

static bool has_cause(const struct verdict *verdict, const char *id, size_t n) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (strlen(verdict->causes[i].id) == n && strncmp(verdict->causes[i].id, id, n) == 0)
            return true;
    for (size_t i = 0; i < verdict->n_levels; i++)
        if (strlen(verdict->levels[i].id) == n && strncmp(verdict->levels[i].id, id, n) == 0)
            return true;
    return false;
}

// Each id of a list, separated by blanks.
static void check_list(struct selftest_result *result, const struct verdict *verdict,
        const char *list, bool wanted) {
    for (const char *id = list; id && *id;) {
        size_t n = strcspn(id, " ");
        if (n > 0 && has_cause(verdict, id, n) != wanted)
            miss(result, wanted ? "%.*s is missing" : "%.*s must not be there", (int) n, id);
        id += n + strspn(id + n, " ");
    }
}

static bool is_near(int64_t a, int64_t b) {
    int64_t difference = a > b ? a - b : b - a;
    return difference <= TOLERANCE || (double) difference <= TOLERANCE_SHARE * (double) b;
}

static int64_t at_locus(const struct verdict *verdict, const char *locus) {
    int64_t sum = 0;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (strcmp(verdict->ledger[i].locus, locus) == 0)
            sum += verdict->ledger[i].datagrams;
    return sum;
}

static void check_control(struct selftest_result *result, const struct scenario *scenario,
        const struct verdict *verdict) {
    if (verdict->n_causes > 0)
        miss(result, "%s, and nothing %s", verdict->causes[0].id,
                scenario->unnamed ? "tells it" : "is wrong");
    else if (scenario->unnamed && verdict->kind != VERDICT_CANNOT_TELL)
        miss(result, "the verdict is %s", verdict_kind_name(verdict->kind));
    else if (scenario->unnamed)
        return;
    else if (verdict->kind != VERDICT_HEALTHY && verdict->kind != VERDICT_PAST_ONLY)
        miss(result, "the verdict is %s", verdict_kind_name(verdict->kind));
}

static void check_first(struct selftest_result *result, const struct scenario *scenario,
        const struct verdict *verdict) {
    const struct cause *first = selftest_first(scenario, verdict);
    const struct subject *subject = first ? &first->subject : NULL;
    if (!first || strcmp(first->id, scenario->expects) != 0) {
        miss(result, "the first cause is %s", first ? first->id : "none");
        return;
    }
    if (scenario->port && subject->port == CELL_NULL)
        miss(result, "it names no port");
    else if (scenario->port && subject->port != scenario->port)
        miss(result, "it names port %" PRId64, subject->port);
    if (scenario->process &&
            (!subject->process || strcmp(subject->process, scenario->process) != 0))
        miss(result, "it names %s", subject->process ? subject->process : "no process");
    // Where there are more causes than one, each has its own part.
    if (!scenario->also && !scenario->no_loss && !scenario->inexact &&
            (double) first->lost < MOST_SHARE * (double) verdict->lost)
        miss(result, "it explains %" PRId64 " of %" PRId64, first->lost, verdict->lost);
}

void selftest_check_causes(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result) {
    if (scenario->expects)
        check_first(result, scenario, verdict);
    else
        check_control(result, scenario, verdict);
    check_list(result, verdict, scenario->also, true);
    check_list(result, verdict, scenario->never, false);
}

void selftest_check_same(struct selftest_result *result, const char *differs) {
    if (differs)
        miss(result, "a capture of it gives another verdict (%s)", differs);
}

// Counters of the whole host, such as the backlog's, hold what others lose too.
static int64_t of_host(const struct verdict *verdict) {
    int64_t sum = 0;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (!verdict->ledger[i].netns)
            sum += verdict->ledger[i].datagrams;
    return sum;
}

void selftest_check_counts(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result) {
    if (!scenario->expects && !scenario->unnamed && result->lost != 0)
        miss(result, "%" PRId64 " were lost, and none should be", result->lost);
    if (scenario->inexact)
        return;
    result->disturbed |= !is_near(verdict->lost, result->lost) && of_host(verdict) > 0 &&
                         is_near(verdict->lost - of_host(verdict), result->lost);
    if (!is_near(verdict->lost, result->lost))
        miss(result, "the ledger has %" PRId64 ", lost are %" PRId64, verdict->lost, result->lost);
    else if (scenario->locus && !is_near(at_locus(verdict, scenario->locus), result->lost))
        miss(result, "at %s it has %" PRId64, scenario->locus, at_locus(verdict, scenario->locus));
}

void selftest_check_fix(const struct scenario *scenario, const struct verdict *verdict,
        struct selftest_result *result) {
    bool seen, cured = selftest_cured(verdict, &seen);
    bool losing = (double) result->lost_after >
                  TOLERANCE + CURED_SHARE * (double) (result->lost - result->lost_after);
    if (scenario->fix == FIX_BIGGER_FAILS) {
        if (!losing)
            miss(result, "a bigger buffer did help");
        else if (cured)
            miss(result, "it says that a bigger buffer cured it");
        else
            result->fix = SELFTEST_LOSING;
        return;
    }
    if (losing)
        miss(result, "%" PRId64 " were lost after: %s", result->lost_after, result->command);
    else if (cured)
        result->fix = SELFTEST_CURED;
    else if (scenario->fix == FIX_OWN && !seen)
        result->fix = SELFTEST_STOPPED;
    else
        miss(result, "it does not say that this cured it: %s", result->command);
}
