// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of one table
//
// A flat array of cells with a text area beside it. Clearing keeps the memory, so that a steady
// state allocates nothing.
#pragma once

#include "core/table.h"

struct rows {
    const struct table *table;
    cell *cells; // n * table->n_columns
    size_t n, capacity;
    cell *before; // beside cells, of the first n_before rows
    size_t n_before, before_capacity;
    char *text; // NUL-terminated strings; a text cell is an offset into it
    size_t text_length, text_capacity;
};

void rows_init(struct rows *rows, const struct table *table);
void rows_done(struct rows *rows);
void rows_clear(struct rows *rows);

// Appends a row of CELL_NULL. Returns its cells, valid until the next rows_add(), or NULL: out of
// memory.
cell *rows_add(struct rows *rows);
cell *rows_at(const struct rows *rows, size_t i);
// What the counters of the row added last were in the look before: for collectors that leave
// objects out as long as nothing happens to them. CELL_NULL, as they are at first: not known.
// Growth believes these more than what it remembers itself. Valid until the next rows_add(); NULL:
// out of memory.
cell *rows_before(struct rows *rows);
// The same of any row; NULL: nothing was told.
const cell *rows_before_at(const struct rows *rows, size_t i);
// Drops the row added last (a reader that fails half-way keeps no half rows).
void rows_drop_last(struct rows *rows);

// Copies n bytes of text (up to the first NUL) for a text cell. Returns the cell to store, or
// CELL_NULL: out of memory.
cell rows_put_text(struct rows *rows, const char *text, size_t n);
// The text of a cell; "" for CELL_NULL. Valid until the next rows_put_text() or rows_clear().
const char *rows_text(const struct rows *rows, cell value);

// Whether two cells of this column (two text cells, two rows) say the same.
bool rows_same_text(const struct rows *a, cell x, const struct rows *b, cell y);
static inline bool rows_same_value(
        const struct rows *a, const cell *x, const struct rows *b, const cell *y, size_t column) {
    return column_is_text(&a->table->columns[column]) ? rows_same_text(a, x[column], b, y[column])
                                                      : x[column] == y[column];
}
bool rows_same_keys(const struct rows *a, const cell *x, const struct rows *b, const cell *y);
// Copies one value, or a row, with its texts; a text that is there already is not copied again. 0
// or -ENOMEM.
int rows_copy_text(
        struct rows *to, cell *target, const struct rows *from, const cell *row, size_t column);
static inline int rows_copy_value(
        struct rows *to, cell *target, const struct rows *from, const cell *row, size_t column) {
    if (row[column] != CELL_NULL && column_is_text(&to->table->columns[column]))
        return rows_copy_text(to, target, from, row, column);
    target[column] = row[column];
    return 0;
}
int rows_copy(struct rows *to, cell *target, const struct rows *from, const cell *row);
// All rows of another, in place of what was there. 0 or -ENOMEM.
int rows_assign(struct rows *to, const struct rows *from);
