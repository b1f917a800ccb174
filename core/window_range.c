// SPDX-License-Identifier: GPL-2.0-or-later
// Window range
#include "core/window_private.h"

#include <errno.h>
#include <inttypes.h>

// Up to so long a window has the steps of that level: some thousand of them.
static const int64_t longest_ms[N_LEVELS] = {
    [LEVEL_STEP] = INT64_C(61) * 60 * 1000,
    [LEVEL_MINUTE] = INT64_C(48) * 60 * 60 * 1000,
    [LEVEL_HOUR] = INT64_MAX,
};
// Steps that follow each other do so to within the precision of two clocks.
#define SEAM_MS 500
// A level that goes back further than another does so by more than the wall clock was slewed.
#define SLEW_MS 5000

// When the oldest step that a level still has began; INT64_MAX: there is none.
static int oldest_of(struct store *store, enum level level, int64_t *ret_ms) {
    char sql[96];
    snprintf(sql, sizeof(sql), "SELECT end_ms-length_ms FROM main.step%s ORDER BY %s LIMIT 1",
            levels[level].suffix, level == LEVEL_STEP ? "end_ms" : "step");
    *ret_ms = INT64_MAX;
    return store_integer(store, sql, ret_ms);
}

int range_choose_level(struct store *store, struct window_range *range) {
    int64_t oldest[N_LEVELS], newest = 0, earliest = INT64_MAX;
    int r = store_integer(
            store, "SELECT end_ms FROM main.step ORDER BY end_ms DESC LIMIT 1", &newest);
    for (enum level level = LEVEL_STEP; r >= 0 && level < N_LEVELS; level++) {
        r = oldest_of(store, level, &oldest[level]);
        if (oldest[level] < earliest)
            earliest = oldest[level];
    }
    if (r < 0)
        return r;
    int64_t start_ms = range->start_ms > earliest ? range->start_ms : earliest;
    int64_t end_ms = range->end_ms < newest ? range->end_ms : newest;
    range->level = LEVEL_STEP;
    // No overflow: both lie between stored times, or the first is the greater one.
    while (range->level < LEVEL_HOUR && oldest[range->level + 1] != INT64_MAX &&
            start_ms < end_ms && end_ms - start_ms > longest_ms[range->level])
        range->level++;
    for (enum level level = range->level + 1; level < N_LEVELS; level++)
        if (start_ms < oldest[range->level] && oldest[level] < oldest[range->level] - SLEW_MS)
            range->level = level;
    return 0;
}

struct extent {
    int64_t first_end_ms, last_end_ms;
};

static int measure_steps(struct store *store, struct window_range *range, struct window *ret,
        struct extent *extent) {
    _cleanup_statement_ sqlite3_stmt *steps = NULL;
    int r = store_prepare(store,
            "SELECT step,start_ms,end_ms,seconds,flags,gap_ms FROM temp.step ORDER BY step",
            &steps);
    if (r < 0)
        return r;
    int rc;
    for (int64_t before_ms = 0; (rc = sqlite3_step(steps)) == SQLITE_ROW; ret->steps++) {
        int64_t start_ms = sqlite3_column_int64(steps, 1);
        int64_t end_ms = sqlite3_column_int64(steps, 2);
        range->last_step = sqlite3_column_int64(steps, 0);
        if (ret->steps == 0) {
            range->first_step = range->last_step;
            ret->start_ms = start_ms;
            ret->end_ms = extent->first_end_ms = extent->last_end_ms = end_ms;
        } else if (!(sqlite3_column_int64(steps, 4) & STEP_TIME_JUMP) &&
                   start_ms - before_ms > SEAM_MS) {
            ret->gap_ms += start_ms - before_ms;
        }
        ret->gap_ms += sqlite3_column_int64(steps, 5);
        ret->seconds += sqlite3_column_double(steps, 3);
        if (start_ms < ret->start_ms)
            ret->start_ms = start_ms;
        if (end_ms < extent->first_end_ms)
            extent->first_end_ms = end_ms;
        if (end_ms > extent->last_end_ms)
            extent->last_end_ms = end_ms;
        before_ms = end_ms;
    }
    ret->end_ms = extent->last_end_ms;
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}

// Each object has a row in every minute.
static int find_before(
        struct store *store, struct window_range *range, const struct extent *extent) {
    range->before_last = range->first_step - 1;
    range->before_first = range->first_step;
    if (range->level == LEVEL_MINUTE)
        range->before_first -= 2;
    if (range->level != LEVEL_STEP)
        return 0;
    // A first look is found here, too, after start_ms.
    char sql[192];
    snprintf(sql, sizeof(sql),
            "SELECT min(step) FROM main.step WHERE end_ms>%" PRId64 " AND end_ms<=%" PRId64
            " AND +step<%" PRId64,
            extent->first_end_ms - STORE_PRESENT_MS, extent->first_end_ms, range->first_step);
    return store_integer(store, sql, &range->before_first);
}

// So that what is read of each table of the steps before and after the whole ones begins and ends
// there, and does not look at all steps.
static int find_edges(struct store *store, struct window_range *range) {
    char sql[96];
    range->head_last_step = INT64_MIN;
    range->tail_first_step = INT64_MAX;
    snprintf(sql, sizeof(sql), "SELECT max(step) FROM temp.step WHERE end_ms<%" PRId64,
            range->whole_start_ms);
    int r = store_integer(store, sql, &range->head_last_step);
    snprintf(sql, sizeof(sql), "SELECT min(step) FROM temp.step WHERE end_ms>=%" PRId64,
            range->whole_end_ms);
    return r < 0 ? r : store_integer(store, sql, &range->tail_first_step);
}

static int find_whole(
        struct store *store, struct window_range *range, const struct extent *extent) {
    range->whole_start_ms = range->whole_end_ms = INT64_MAX;
    range->whole_first_step = 1;
    range->whole_last_step = 0;
    if (range->level == LEVEL_HOUR)
        return 0;
    enum level next = range->level + 1;
    int64_t first = level_step_at(next, extent->first_end_ms) + 1;
    int64_t last = level_step_at(next, extent->last_end_ms) - 1;
    int64_t oldest = INT64_MAX;
    char sql[64];
    snprintf(sql, sizeof(sql), "SELECT min(step) FROM main.step%s", levels[next].suffix);
    int r = store_integer(store, sql, &oldest);
    if (r < 0 || first > last || oldest > first)
        return r;
    range->whole_start_ms = first * levels[next].ms;
    range->whole_end_ms = (last + 1) * levels[next].ms;
    range->whole_first_step = first;
    range->whole_last_step = last;
    return 0;
}

int range_measure(struct store *store, struct window_range *range, struct window *ret) {
    struct extent extent = { 0 };
    int r = measure_steps(store, range, ret, &extent);
    if (r < 0)
        return r;
    if (ret->steps == 0)
        return 1;
    range->sparse =
            range->level == LEVEL_STEP && ret->steps != range->last_step - range->first_step + 1;
    r = find_before(store, range, &extent);
    if (r >= 0)
        r = find_whole(store, range, &extent);
    if (r >= 0)
        r = find_edges(store, range);
    bool sure;
    return r < 0 ? r : store_present_step(store, &range->present_step, &sure);
}
