// SPDX-License-Identifier: GPL-2.0-or-later
// Pending rollup
#include "core/store_pending.h"

#include <errno.h>
#include <stdlib.h>

void pending_init(struct pending *pending, const struct table *table) {
    *pending = (struct pending){ 0 };
    objects_init(&pending->sums, table);
}

void pending_done(struct pending *pending) {
    objects_done(&pending->sums);
    free(pending->highest);
}

void pending_clear(struct pending *pending) {
    objects_clear(&pending->sums);
}

const cell *pending_highest(const struct pending *pending, size_t object) {
    return pending->highest + object * pending->sums.rows.table->n_columns;
}

// Room in `highest` for the object that was added to `sums`.
static int add_highest(struct pending *pending) {
    const struct rows *sums = &pending->sums.rows;
    size_t width = sums->table->n_columns;
    if (sums->n > pending->highest_capacity) {
        size_t capacity = sums->capacity;
        cell *highest = reallocarray(pending->highest, capacity * width, sizeof(*highest));
        if (!highest)
            return -ENOMEM;
        pending->highest = highest;
        pending->highest_capacity = capacity;
    }
    for (size_t i = 0; i < width; i++)
        pending->highest[(sums->n - 1) * width + i] = CELL_NULL;
    return 0;
}

static cell sum_of(cell a, cell b) {
    return a == CELL_NULL ? b : b == CELL_NULL ? a : a + b;
}

long pending_add_row(
        struct pending *pending, const struct rows *growth, const cell *row, const cell *highest) {
    const struct table *table = growth->table;
    uint32_t object = objects_find(&pending->sums, growth, row);
    if (object == NO_OBJECT) {
        object = objects_add(&pending->sums, growth, row);
        if (object == NO_OBJECT || add_highest(pending) < 0)
            return -ENOMEM;
    }
    cell *sums = rows_at(&pending->sums.rows, object);
    cell *highest_yet = pending->highest + object * table->n_columns;
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        if (table->columns[i].kind == COLUMN_COUNTER) {
            sums[i] = sum_of(sums[i], row[i]);
            continue;
        }
        if (rows_copy_value(&pending->sums.rows, sums, growth, row, i) < 0)
            return -ENOMEM;
        // CELL_NULL is the lowest of all.
        cell high = highest ? highest[i] : row[i];
        if (table->columns[i].kind == COLUMN_GAUGE && high > highest_yet[i])
            highest_yet[i] = high;
    }
    return object;
}

int pending_add(struct pending *pending, const struct rows *growth) {
    pending->sums.hint = 0;
    for (size_t i = 0; i < growth->n; i++) {
        long object = pending_add_row(pending, growth, rows_at(growth, i), NULL);
        if (object < 0)
            return (int) object;
    }
    return 0;
}
