// SPDX-License-Identifier: GPL-2.0-or-later
// Continuity
#include "collectors/continuity.h"

#include <errno.h>

void continuity_init(struct continuity *continuity, const struct table *table) {
    *continuity = (struct continuity){ 0 };
    rows_init(&continuity->last, table);
    rows_init(&continuity->next, table);
}

void continuity_done(struct continuity *continuity) {
    rows_done(&continuity->last);
    rows_done(&continuity->next);
}

static bool is_same(const struct rows *a, const cell *x, const struct rows *b, const cell *y) {
    const struct table *table = a->table;
    if (!rows_same_keys(a, x, b, y))
        return false;
    for (size_t i = table->n_keys; i < table->n_columns; i++)
        if (table->columns[i].kind == COLUMN_IDENTITY && !rows_same_value(a, x, b, y, i))
            return false;
    return true;
}

// Rows come in much the same order each time; `hint` is where the last one was found.
static const cell *find_last(
        const struct rows *last, const struct rows *rows, const cell *row, size_t *hint) {
    for (size_t i = 0; i < last->n; i++) {
        size_t at = (*hint + i) % last->n;
        if (!is_same(last, rows_at(last, at), rows, row))
            continue;
        *hint = at + 1;
        return rows_at(last, at);
    }
    return NULL;
}

// Without `last`, what was not told is hidden: growth_step() would else reach back to whenever the
// object was seen before.
static void tell(const struct table *table, const cell *last, cell *before, cell *row) {
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        if (table->columns[i].kind != COLUMN_COUNTER || before[i] != CELL_NULL)
            continue;
        if (last)
            before[i] = last[i];
        if (before[i] == CELL_NULL)
            row[i] = CELL_NULL;
    }
}

static int remember(struct rows *last, const struct rows *rows) {
    rows_clear(last);
    for (size_t i = 0; i < rows->n; i++) {
        cell *row = rows_add(last);
        if (!row || rows_copy(last, row, rows, rows_at(rows, i)) < 0)
            return -ENOMEM;
    }
    return 0;
}

int continuity_tell(struct continuity *continuity, struct rows *rows) {
    int r = remember(&continuity->next, rows);
    if (rows->n > 0 && !rows_before(rows))
        r = -ENOMEM;
    for (size_t i = 0, hint = 0; r == 0 && continuity->started && i < rows->n; i++) {
        const cell *last = find_last(&continuity->last, rows, rows_at(rows, i), &hint);
        tell(rows->table, last, rows->before + i * rows->table->n_columns, rows_at(rows, i));
    }
    struct rows last = continuity->last;
    continuity->last = continuity->next;
    continuity->next = last;
    continuity->started = true;
    return r;
}
