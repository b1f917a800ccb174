// SPDX-License-Identifier: GPL-2.0-or-later
// Counter growth
#include "core/growth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/objects.h"

// An object that was not seen for so long is forgotten; if it comes back, it starts from a
// baseline.
#define FORGET_AFTER_MS INT64_C(3600000)
// One whose collector tells what was before needs no memory of ours while it is away: two minutes
// keep keyframes to one a minute. Fewer objects than this are not worth the trouble.
#define FORGET_TOLD_AFTER_MS INT64_C(120000)
#define FORGET_TOLD_ABOVE 256
// Clocks that differ by less between two looks were merely read at slightly different times.
#define CLOCK_TOLERANCE_MS 500

struct growth {
    size_t n_tables;
    struct objects *objects; // one per table
    bool since_boot, seeded, started, keep_all, repeat_first;
    int64_t wall_ms, boottime_ms, monotonic_ms; // of the look before
    int64_t last_compacted_ms;
};

struct growth *growth_new(const struct table *const *tables, size_t n_tables) {
    struct growth *growth = calloc(1, sizeof(*growth));
    if (!growth)
        return NULL;
    growth->objects = calloc(n_tables, sizeof(*growth->objects));
    if (!growth->objects)
        return growth_free(growth);
    growth->n_tables = n_tables;
    for (size_t i = 0; i < n_tables; i++)
        objects_init(&growth->objects[i], tables[i]);
    return growth;
}

struct growth *growth_free(struct growth *growth) {
    if (!growth)
        return NULL;
    for (size_t i = 0; i < growth->n_tables; i++)
        objects_done(&growth->objects[i]);
    free(growth->objects);
    free(growth);
    return NULL;
}

void growth_repeat_first(struct growth *growth) {
    growth->repeat_first = true;
}

void growth_since_boot(struct growth *growth) {
    growth->since_boot = true;
}

void growth_keep_all(struct growth *growth) {
    growth->keep_all = true;
}

int growth_seed(struct growth *growth, size_t table, const struct rows *totals, int64_t wall_ms,
        int64_t boottime_ms) {
    struct objects *objects = &growth->objects[table];
    for (size_t i = 0; i < totals->n; i++) {
        uint32_t object = objects_add(objects, totals, rows_at(totals, i));
        if (object == NO_OBJECT || rows_copy(&objects->rows, rows_at(&objects->rows, object),
                                           totals, rows_at(totals, i)) < 0)
            return -ENOMEM;
        objects->object[object].seen_ms = boottime_ms;
    }
    growth->seeded = true;
    growth->wall_ms = wall_ms;
    growth->boottime_ms = boottime_ms;
    return 0;
}

cell growth_of(cell before, cell now, double seconds) {
    if (before == CELL_NULL || now == CELL_NULL)
        return CELL_NULL;
    if (now >= before)
        return now - before;
    // A smaller value is a wrap only if a 32-bit counter could have come so far in the time;
    // however long that was, more than half way round is likelier a counter that began anew.
    if (before > UINT32_MAX)
        return CELL_NULL;
    cell wrapped = (cell) (uint32_t) ((uint32_t) now - (uint32_t) before);
    return wrapped <= INT32_MAX && (double) wrapped <= (double) GROWTH_MAX_PER_SECOND *
                                                               (seconds > 1 ? seconds : 1)
                   ? wrapped
                   : CELL_NULL;
}

struct comparison {
    const struct rows *rows; // of the sample
    const cell *now;
    const cell *before; // what is remembered
    const cell *told;   // what the collector says of the look before, or NULL
    double seconds, told_seconds;
    bool baseline;  // nothing is remembered of this object
    bool from_zero; // it is counted from boot
};

static bool is_other_object(const struct objects *objects, const struct comparison *compare) {
    const struct table *table = compare->rows->table;
    for (size_t i = table->n_keys; i < table->n_columns; i++)
        if (table->columns[i].kind == COLUMN_IDENTITY && compare->before[i] != CELL_NULL &&
                compare->now[i] != CELL_NULL &&
                !rows_same_value(compare->rows, compare->now, &objects->rows, compare->before, i))
            return true;
    return false;
}

static cell counter_growth(const struct comparison *compare, size_t column) {
    cell now = compare->now[column];
    if (compare->told && compare->told[column] != CELL_NULL)
        return growth_of(compare->told[column], now, compare->told_seconds);
    if (compare->baseline)
        return compare->from_zero ? now : CELL_NULL;
    return growth_of(compare->before[column], now, compare->seconds);
}

// Counters wrap one by one; where several are smaller than before, the object began anew under its
// old keys and identity (namespace inodes are used again at once).
static bool began_anew(const struct comparison *compare) {
    const struct table *table = compare->rows->table;
    size_t n_smaller = 0;
    for (size_t i = table->n_keys; i < table->n_columns; i++)
        n_smaller += table->columns[i].kind == COLUMN_COUNTER && compare->now[i] != CELL_NULL &&
                     compare->before[i] != CELL_NULL && compare->now[i] < compare->before[i];
    return n_smaller > 1;
}

// Turns the absolute counters of `row` into growth. Whether there is news.
static bool compare_row(
        const struct objects *objects, const struct comparison *compare, cell *row) {
    const struct table *table = compare->rows->table;
    bool news = compare->baseline, anew = !compare->baseline && began_anew(compare);
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        if (table->columns[i].kind != COLUMN_COUNTER) {
            news |= !rows_same_value(
                    compare->rows, compare->now, &objects->rows, compare->before, i);
            continue;
        }
        // What the collector told of the look before holds for this very object.
        bool told = compare->told && compare->told[i] != CELL_NULL;
        bool unknown = anew && !told && compare->now[i] < compare->before[i];
        row[i] = unknown ? CELL_NULL : counter_growth(compare, i);
        // A counter that cannot be read is no news, and neither is one that stands still.
        news |= compare->now[i] != CELL_NULL && row[i] != 0;
    }
    return news;
}

// Absolute values are kept where this look has none, so that the next one tells the growth over
// both.
static int remember(struct objects *objects, uint32_t object, const struct rows *rows,
        const cell *now, bool baseline) {
    cell *known = rows_at(&objects->rows, object);
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++) {
        if (rows->table->columns[i].kind == COLUMN_COUNTER) { // most of all
            if (now[i] != CELL_NULL || baseline)
                known[i] = now[i];
            continue;
        }
        int r = rows_copy_value(&objects->rows, known, rows, now, i);
        if (r < 0)
            return r;
    }
    return 0;
}

// Keys, gauges and words of this look; the counters' growth stands in `row` already.
static int fill_row(struct rows *growth, cell *row, const struct comparison *compare) {
    for (size_t i = 0; i < growth->table->n_columns; i++) {
        if (growth->table->columns[i].kind == COLUMN_COUNTER)
            continue;
        int r = rows_copy_value(growth, row, compare->rows, compare->now, i);
        if (r < 0)
            return r;
    }
    return 0;
}

static int write_rows(struct objects *objects, uint32_t object, const struct comparison *compare,
        struct rows *growth, struct rows *total, bool keyframe, bool *ret_written) {
    cell *row = rows_add(growth);
    if (!row)
        return -ENOMEM;
    *ret_written = compare_row(objects, compare, row) || keyframe;
    int r = remember(objects, object, compare->rows, compare->now, compare->baseline);
    if (r < 0 || !*ret_written) {
        rows_drop_last(growth);
        return r;
    }
    r = fill_row(growth, row, compare);
    if (r < 0)
        return r;
    cell *absolute = rows_add(total);
    return absolute ? rows_copy(total, absolute, &objects->rows, rows_at(&objects->rows, object))
                    : -ENOMEM;
}

// Seldom enough that it costs nothing per step, however many come and go.
static int forget_told(struct objects *objects, int64_t now_ms) {
    if (objects->rows.n <= objects->forget_above || objects->rows.n <= FORGET_TOLD_ABOVE)
        return 0;
    int r = objects_forget(objects, now_ms - FORGET_TOLD_AFTER_MS);
    objects->forget_above = objects->rows.n * 2;
    return r;
}

static int step_table(
        struct growth *growth, const struct sample *sample, size_t t, struct step *step) {
    struct objects *objects = &growth->objects[t];
    const struct rows *rows = &sample->rows[t];
    objects->hint = 0;
    if (rows->n_before > 0)
        objects->told = true;
    for (size_t i = 0; i < rows->n; i++) {
        const cell *now = rows_at(rows, i);
        uint32_t object = objects_find(objects, rows, now);
        bool added = object == NO_OBJECT;
        if (added)
            object = objects_add(objects, rows, now);
        if (object == NO_OBJECT)
            return -ENOMEM;
        struct object *known = &objects->object[object];
        struct comparison compare = {
            .rows = rows,
            .now = now,
            .before = rows_at(&objects->rows, object),
            .told = rows_before_at(rows, i),
            .seconds = (double) (sample->boottime_ms - known->seen_ms) / 1000.0,
            .told_seconds = (double) (sample->boottime_ms - growth->boottime_ms) / 1000.0,
            .from_zero = growth->since_boot && !growth->started,
        };
        compare.baseline = added || is_other_object(objects, &compare);
        // Each object appears in every minute of the wall clock, so that rolled-up minutes are
        // complete.
        bool keyframe = growth->keep_all || known->written_ms < 0 ||
                        known->written_ms / STEP_KEYFRAME_MS != sample->wall_ms / STEP_KEYFRAME_MS;
        bool written = false;
        int r = write_rows(
                objects, object, &compare, &step->growth[t], &step->total[t], keyframe, &written);
        if (r < 0)
            return r;
        known->seen_ms = sample->boottime_ms;
        if (written && !(growth->repeat_first && step->flags & STEP_BASELINE))
            known->written_ms = sample->wall_ms;
    }
    return objects->told ? forget_told(objects, sample->boottime_ms) : 0;
}

static void set_times(const struct growth *growth, const struct sample *sample, struct step *step) {
    step->end_ms = sample->wall_ms;
    step->boottime_ms = sample->boottime_ms;
    bool first = !growth->started && !growth->seeded;
    if (first) {
        step->flags = growth->since_boot ? STEP_SINCE_BOOT : STEP_BASELINE;
        step->length_ms = growth->since_boot ? sample->boottime_ms : 0;
        return;
    }
    step->length_ms = sample->boottime_ms - growth->boottime_ms;
    if (!growth->started)
        step->flags |= STEP_GAP;
    int64_t asleep = step->length_ms - (sample->monotonic_ms - growth->monotonic_ms);
    if (growth->started && asleep > CLOCK_TOLERANCE_MS)
        step->flags |= STEP_SUSPENDED;
    int64_t jump = sample->wall_ms - growth->wall_ms - step->length_ms;
    if (jump > CLOCK_TOLERANCE_MS || jump < -CLOCK_TOLERANCE_MS)
        step->flags |= STEP_TIME_JUMP;
}

static bool is_whole(const struct sample *sample) {
    for (size_t t = 0; t < sample->n_tables; t++)
        if (sample->outcome[t].state == OUTCOME_NOT_DUE)
            return false;
    return true;
}

int growth_step(struct growth *growth, const struct sample *sample, struct step *step) {
    step_clear(step);
    set_times(growth, sample, step);
    if (is_whole(sample))
        step->flags |= STEP_WHOLE;
    for (size_t t = 0; t < growth->n_tables; t++) {
        step->outcome[t] = sample->outcome[t];
        int r = step_table(growth, sample, t, step);
        if (r < 0)
            return r;
    }
    growth->started = true;
    growth->wall_ms = sample->wall_ms;
    growth->boottime_ms = sample->boottime_ms;
    growth->monotonic_ms = sample->monotonic_ms;
    if (sample->boottime_ms - growth->last_compacted_ms < FORGET_AFTER_MS)
        return 0;
    growth->last_compacted_ms = sample->boottime_ms;
    for (size_t t = 0; t < growth->n_tables; t++) {
        int r = objects_forget(&growth->objects[t], sample->boottime_ms - FORGET_AFTER_MS);
        if (r < 0)
            return r;
    }
    return 0;
}
