// SPDX-License-Identifier: GPL-2.0-or-later
// Counter growth
#include "core/growth.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// An object that was not seen for so long is forgotten; if it comes back, it starts from a
// baseline.
#define FORGET_AFTER_MS INT64_C(3600000)
// Clocks that differ by less between two looks were merely read at slightly different times.
#define CLOCK_TOLERANCE_MS 500
#define NO_OBJECT UINT32_MAX

struct object {
    uint32_t hash;
    int64_t seen_ms;    // boot time
    int64_t written_ms; // wall clock; -1: never
};

struct memory {
    struct rows rows;       // last known absolute values
    struct object *objects; // beside rows
    size_t capacity;
    uint32_t *slots; // open addressing: row numbers; a power of two, at most half full
    size_t n_slots;
    size_t hint; // rows come in much the same order each time
};

struct growth {
    size_t n_tables;
    struct memory *memory;
    bool since_boot, seeded, started;
    int64_t wall_ms, boottime_ms, monotonic_ms; // of the look before
    int64_t last_compacted_ms;
};

struct growth *growth_new(const struct table *const *tables, size_t n_tables) {
    struct growth *growth = calloc(1, sizeof(*growth));
    if (!growth)
        return NULL;
    growth->memory = calloc(n_tables, sizeof(*growth->memory));
    if (!growth->memory)
        return growth_free(growth);
    growth->n_tables = n_tables;
    for (size_t i = 0; i < n_tables; i++)
        rows_init(&growth->memory[i].rows, tables[i]);
    return growth;
}

static void memory_done(struct memory *memory) {
    rows_done(&memory->rows);
    free(memory->objects);
    free(memory->slots);
}

struct growth *growth_free(struct growth *growth) {
    if (!growth)
        return NULL;
    for (size_t i = 0; i < growth->n_tables; i++)
        memory_done(&growth->memory[i]);
    free(growth->memory);
    free(growth);
    return NULL;
}

void growth_since_boot(struct growth *growth) {
    growth->since_boot = true;
}

// FNV-1a over the keys.
static uint32_t hash_bytes(uint32_t hash, const void *data, size_t n) {
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *) data)[i]) * 16777619u;
    return hash;
}

static uint32_t hash_keys(const struct rows *rows, const cell *row) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < rows->table->n_keys; i++) {
        if (column_is_text(&rows->table->columns[i])) {
            const char *text = rows_text(rows, row[i]);
            hash = hash_bytes(hash, text, strlen(text) + 1);
        } else {
            hash = hash_bytes(hash, &row[i], sizeof(row[i]));
        }
    }
    return hash;
}

static bool same_text(const struct rows *a, cell x, const struct rows *b, cell y) {
    if (x == CELL_NULL || y == CELL_NULL)
        return x == y;
    return strcmp(rows_text(a, x), rows_text(b, y)) == 0;
}

static bool same_value(
        const struct rows *a, const cell *x, const struct rows *b, const cell *y, size_t column) {
    if (column_is_text(&a->table->columns[column]))
        return same_text(a, x[column], b, y[column]);
    return x[column] == y[column];
}

static bool same_keys(const struct rows *a, const cell *x, const struct rows *b, const cell *y) {
    for (size_t i = 0; i < a->table->n_keys; i++)
        if (!same_value(a, x, b, y, i))
            return false;
    return true;
}

static void slot_insert(struct memory *memory, uint32_t object) {
    size_t at = memory->objects[object].hash & (memory->n_slots - 1);
    while (memory->slots[at] != NO_OBJECT)
        at = (at + 1) & (memory->n_slots - 1);
    memory->slots[at] = object;
}

static int slots_rebuild(struct memory *memory, size_t n_slots) {
    if (n_slots > memory->n_slots) {
        uint32_t *slots = reallocarray(memory->slots, n_slots, sizeof(*slots));
        if (!slots)
            return -ENOMEM;
        memory->slots = slots;
        memory->n_slots = n_slots;
    }
    memset(memory->slots, 0xff, memory->n_slots * sizeof(*memory->slots));
    for (size_t i = 0; i < memory->rows.n; i++)
        slot_insert(memory, (uint32_t) i);
    return 0;
}

static uint32_t memory_find(struct memory *memory, const struct rows *rows, const cell *row) {
    size_t hint = memory->hint++;
    if (hint < memory->rows.n && same_keys(rows, row, &memory->rows, rows_at(&memory->rows, hint)))
        return (uint32_t) hint;
    if (memory->n_slots == 0)
        return NO_OBJECT;
    uint32_t hash = hash_keys(rows, row);
    for (size_t at = hash & (memory->n_slots - 1);; at = (at + 1) & (memory->n_slots - 1)) {
        uint32_t object = memory->slots[at];
        if (object == NO_OBJECT)
            return NO_OBJECT;
        if (memory->objects[object].hash == hash &&
                same_keys(rows, row, &memory->rows, rows_at(&memory->rows, object))) {
            memory->hint = object + 1;
            return object;
        }
    }
}

// Copies a row with its texts; a text that is already there is not copied again. 0 or -ENOMEM.
static int copy_row(struct rows *to, cell *target, const struct rows *from, const cell *row) {
    for (size_t i = 0; i < to->table->n_columns; i++) {
        cell value = row[i];
        if (value != CELL_NULL && column_is_text(&to->table->columns[i])) {
            if (target[i] != CELL_NULL && same_text(to, target[i], from, value))
                continue;
            const char *text = rows_text(from, value);
            value = rows_put_text(to, text, strlen(text));
            if (value == CELL_NULL)
                return -ENOMEM;
        }
        target[i] = value;
    }
    return 0;
}

// Adds an object with all values NULL but its keys. Its number or NO_OBJECT: out of memory.
static uint32_t memory_add(struct memory *memory, const struct rows *rows, const cell *row) {
    if (memory->rows.n == memory->capacity) {
        size_t capacity = memory->capacity ? memory->capacity * 2 : 4;
        struct object *objects = reallocarray(memory->objects, capacity, sizeof(*objects));
        if (!objects)
            return NO_OBJECT;
        memory->objects = objects;
        memory->capacity = capacity;
    }
    cell *target = rows_add(&memory->rows);
    if (!target)
        return NO_OBJECT;
    uint32_t object = (uint32_t) memory->rows.n - 1;
    if (copy_row(&memory->rows, target, rows, row) < 0) {
        rows_drop_last(&memory->rows);
        return NO_OBJECT;
    }
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++)
        target[i] = CELL_NULL;
    memory->objects[object] = (struct object){ hash_keys(rows, row), 0, -1 };
    if (memory->rows.n * 2 > memory->n_slots) {
        if (slots_rebuild(memory, memory->n_slots ? memory->n_slots * 2 : 16) < 0) {
            rows_drop_last(&memory->rows);
            return NO_OBJECT;
        }
    } else {
        slot_insert(memory, object);
    }
    memory->hint = object + 1;
    return object;
}

// Forgets objects that are gone, and texts nobody refers to any more.
static int memory_compact(struct memory *memory, int64_t now_ms) {
    struct rows kept;
    rows_init(&kept, memory->rows.table);
    for (size_t i = 0; i < memory->rows.n; i++) {
        if (now_ms - memory->objects[i].seen_ms > FORGET_AFTER_MS)
            continue;
        cell *row = rows_add(&kept);
        if (!row || copy_row(&kept, row, &memory->rows, rows_at(&memory->rows, i)) < 0) {
            rows_done(&kept);
            return -ENOMEM;
        }
        memory->objects[kept.n - 1] = memory->objects[i];
    }
    rows_done(&memory->rows);
    memory->rows = kept;
    return memory->n_slots ? slots_rebuild(memory, memory->n_slots) : 0;
}

int growth_seed(struct growth *growth, size_t table, const struct rows *totals, int64_t wall_ms,
        int64_t boottime_ms) {
    struct memory *memory = &growth->memory[table];
    for (size_t i = 0; i < totals->n; i++) {
        uint32_t object = memory_add(memory, totals, rows_at(totals, i));
        if (object == NO_OBJECT || copy_row(&memory->rows, rows_at(&memory->rows, object), totals,
                                           rows_at(totals, i)) < 0)
            return -ENOMEM;
        memory->objects[object].seen_ms = boottime_ms;
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
    // A smaller value is a wrap only if a 32-bit counter could have come so far in the time.
    if (before > UINT32_MAX)
        return CELL_NULL;
    cell wrapped = (cell) (uint32_t) ((uint32_t) now - (uint32_t) before);
    return (double) wrapped <= (double) GROWTH_MAX_PER_SECOND * (seconds > 1 ? seconds : 1)
                   ? wrapped
                   : CELL_NULL;
}

struct comparison {
    const struct rows *rows; // of the sample
    const cell *now;
    const cell *before; // what is remembered
    double seconds;
    bool baseline;  // nothing is known of this object from before
    bool from_zero; // it is counted from boot
};

static bool is_other_object(const struct memory *memory, const struct comparison *compare) {
    const struct table *table = compare->rows->table;
    for (size_t i = table->n_keys; i < table->n_columns; i++)
        if (table->columns[i].kind == COLUMN_IDENTITY && compare->before[i] != CELL_NULL &&
                compare->now[i] != CELL_NULL &&
                !same_value(compare->rows, compare->now, &memory->rows, compare->before, i))
            return true;
    return false;
}

// Turns the absolute counters of `row` into growth. Whether there is news.
static bool compare_row(const struct memory *memory, const struct comparison *compare, cell *row) {
    const struct table *table = compare->rows->table;
    bool news = compare->baseline;
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        if (table->columns[i].kind != COLUMN_COUNTER) {
            news |= !same_value(compare->rows, compare->now, &memory->rows, compare->before, i);
            continue;
        }
        cell now = compare->now[i];
        if (compare->baseline)
            row[i] = compare->from_zero ? now : CELL_NULL;
        else
            row[i] = growth_of(compare->before[i], now, compare->seconds);
        // A counter that cannot be read is no news, and neither is one that stands still.
        news |= now != CELL_NULL && row[i] != 0;
    }
    return news;
}

// Absolute values are kept where this look has none, so that the next one tells the growth over
// both.
static int remember(struct memory *memory, uint32_t object, const struct rows *rows,
        const cell *now, bool baseline) {
    cell *known = rows_at(&memory->rows, object);
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++) {
        bool counter = rows->table->columns[i].kind == COLUMN_COUNTER;
        if (now[i] == CELL_NULL && counter && !baseline)
            continue;
        if (now[i] != CELL_NULL && column_is_text(&rows->table->columns[i])) {
            if (known[i] != CELL_NULL && same_text(&memory->rows, known[i], rows, now[i]))
                continue;
            const char *text = rows_text(rows, now[i]);
            known[i] = rows_put_text(&memory->rows, text, strlen(text));
            if (known[i] == CELL_NULL)
                return -ENOMEM;
            continue;
        }
        known[i] = now[i];
    }
    return 0;
}

// Keys, gauges and words of this look; the counters' growth stands in `row` already.
static int fill_row(struct rows *growth, cell *row, const struct comparison *compare) {
    for (size_t i = 0; i < growth->table->n_columns; i++) {
        if (growth->table->columns[i].kind == COLUMN_COUNTER)
            continue;
        row[i] = compare->now[i];
        if (row[i] == CELL_NULL || !column_is_text(&growth->table->columns[i]))
            continue;
        const char *text = rows_text(compare->rows, compare->now[i]);
        row[i] = rows_put_text(growth, text, strlen(text));
        if (row[i] == CELL_NULL)
            return -ENOMEM;
    }
    return 0;
}

static int write_rows(struct memory *memory, uint32_t object, const struct comparison *compare,
        struct rows *growth, struct rows *total, bool keyframe, bool *ret_written) {
    cell *row = rows_add(growth);
    if (!row)
        return -ENOMEM;
    *ret_written = compare_row(memory, compare, row) || keyframe;
    int r = remember(memory, object, compare->rows, compare->now, compare->baseline);
    if (r < 0 || !*ret_written) {
        rows_drop_last(growth);
        return r;
    }
    r = fill_row(growth, row, compare);
    if (r < 0)
        return r;
    cell *absolute = rows_add(total);
    return absolute ? copy_row(total, absolute, &memory->rows, rows_at(&memory->rows, object))
                    : -ENOMEM;
}

static int step_table(
        struct growth *growth, const struct sample *sample, size_t t, struct step *step) {
    struct memory *memory = &growth->memory[t];
    const struct rows *rows = &sample->rows[t];
    memory->hint = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const cell *now = rows_at(rows, i);
        uint32_t object = memory_find(memory, rows, now);
        bool added = object == NO_OBJECT;
        if (added)
            object = memory_add(memory, rows, now);
        if (object == NO_OBJECT)
            return -ENOMEM;
        struct object *known = &memory->objects[object];
        struct comparison compare = {
            .rows = rows,
            .now = now,
            .before = rows_at(&memory->rows, object),
            .seconds = (double) (sample->boottime_ms - known->seen_ms) / 1000.0,
            .from_zero = growth->since_boot && !growth->started,
        };
        compare.baseline = added || is_other_object(memory, &compare);
        // Each object appears in every minute of the wall clock, so that rolled-up minutes are
        // complete.
        bool keyframe = known->written_ms < 0 ||
                        known->written_ms / STEP_KEYFRAME_MS != sample->wall_ms / STEP_KEYFRAME_MS;
        bool written = false;
        int r = write_rows(
                memory, object, &compare, &step->growth[t], &step->total[t], keyframe, &written);
        if (r < 0)
            return r;
        known->seen_ms = sample->boottime_ms;
        if (written)
            known->written_ms = sample->wall_ms;
    }
    return 0;
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

int growth_step(struct growth *growth, const struct sample *sample, struct step *step) {
    step_clear(step);
    set_times(growth, sample, step);
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
        int r = memory_compact(&growth->memory[t], sample->boottime_ms);
        if (r < 0)
            return r;
    }
    return 0;
}
