// SPDX-License-Identifier: GPL-2.0-or-later
// Stored cells
#include "core/store_private.h"

#include <errno.h>
#include <string.h>

static void bind_cell(
        sqlite3_stmt *statement, int at, const struct rows *rows, size_t column, cell value) {
    bool text = column_is_text(&rows->table->columns[column]);
    if (value != CELL_NULL && !text)
        sqlite3_bind_int64(statement, at, value);
    else if (value != CELL_NULL)
        sqlite3_bind_text(statement, at, rows_text(rows, value), -1, SQLITE_STATIC);
    else if (column >= rows->table->n_keys)
        sqlite3_bind_null(statement, at);
    else if (text) // keys are never NULL
        sqlite3_bind_text(statement, at, "", 0, SQLITE_STATIC);
    else
        sqlite3_bind_int64(statement, at, 0);
}

int store_bind_row(sqlite3_stmt *statement, int at, const struct rows *rows, const cell *row) {
    for (size_t i = 0; i < rows->table->n_columns; i++)
        bind_cell(statement, at++, rows, i, row[i]);
    return at;
}

void store_bind_highest(sqlite3_stmt *statement, int at, const struct store_table *t,
        const struct pending *pending, size_t object) {
    const cell *highest = pending_highest(pending, object);
    for (size_t i = 0; i < t->table->n_columns; i++)
        if (t->highest[i])
            bind_cell(statement, at++, &pending->sums.rows, i, highest[i]);
}

static int read_text(sqlite3_stmt *statement, int at, struct rows *rows, cell *ret) {
    const char *text = (const char *) sqlite3_column_text(statement, at);
    if (!text)
        return sqlite3_column_type(statement, at) == SQLITE_NULL ? 0 : -ENOMEM;
    *ret = rows_put_text(rows, text, strlen(text));
    return *ret == CELL_NULL ? -ENOMEM : 0;
}

int store_read_row(sqlite3_stmt *statement, int at, const struct store_table *t, struct rows *rows,
        cell *row) {
    for (size_t i = 0; i < t->table->n_columns; i++, at++) {
        row[i] = CELL_NULL;
        if (column_is_text(&t->table->columns[i])) {
            int r = read_text(statement, at, rows, &row[i]);
            if (r < 0)
                return r;
        } else {
            row[i] = store_read_integer(statement, at);
        }
    }
    return at;
}
