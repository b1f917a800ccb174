// SPDX-License-Identifier: GPL-2.0-or-later
// Growth told twice
#include "formats/overlap.h"

#include <errno.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"

// What is known of each counter: the first moment at which it was read, or this. Only looks
// without a time are asked.
#define TWICE INT64_C(-2)

static int survey_row(
        struct objects *seen, const struct look *look, const struct rows *rows, size_t row) {
    const cell *values = rows_at(rows, row);
    uint32_t object = objects_find(seen, rows, values);
    if (object == NO_OBJECT)
        object = objects_add(seen, rows, values);
    if (object == NO_OBJECT)
        return -ENOMEM;
    cell *first = rows_at(&seen->rows, object);
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++) {
        if (rows->table->columns[i].kind != COLUMN_COUNTER || values[i] == CELL_NULL)
            continue;
        first[i] = first[i] == CELL_NULL || first[i] == (cell) look->moment ? (cell) look->moment
                                                                            : TWICE;
    }
    return 0;
}

static void drop_row(struct objects *seen, struct look_table *table, size_t row) {
    const struct rows *rows = &table->set.rows;
    uint32_t object = objects_find(seen, rows, rows_at(rows, row));
    if (object == NO_OBJECT)
        return;
    const cell *first = rows_at(&seen->rows, object);
    cell *growth = rows_at(&table->grown, row);
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++)
        if (first[i] == TWICE)
            growth[i] = CELL_NULL;
}

static int leave_out(struct intake *intake, size_t t) {
    _cleanup_(objects_done) struct objects seen;
    objects_init(&seen, intake->tables[t]);
    int r = 0;
    for (size_t i = 0; r == 0 && i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        const struct look_table *table = look->table ? look->table[t] : NULL;
        for (size_t row = 0; r == 0 && table && look->at_ms == 0 && row < table->set.rows.n; row++)
            r = survey_row(&seen, look, &table->set.rows, row);
    }
    for (size_t i = 0; r == 0 && i < intake->n_looks; i++) {
        struct look *look = &intake->look[i];
        struct look_table *table = look->table ? look->table[t] : NULL;
        for (size_t row = 0; table && row < table->grown.n; row++)
            drop_row(&seen, table, row);
    }
    return r;
}

int overlap_leave_out(struct intake *intake) {
    int r = 0;
    for (size_t t = 0; r == 0 && t < intake->n_tables; t++)
        r = leave_out(intake, t);
    return r;
}
