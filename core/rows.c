// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of one table
#include "core/rows.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void rows_init(struct rows *rows, const struct table *table) {
    *rows = (struct rows){ .table = table };
}

void rows_done(struct rows *rows) {
    free(rows->cells);
    free(rows->before);
    free(rows->text);
    rows_init(rows, rows->table);
}

void rows_clear(struct rows *rows) {
    rows->n = rows->n_before = 0;
    rows->text_length = 0;
}

static bool reserve(struct rows *rows, size_t n) {
    if (n <= rows->capacity)
        return true;
    size_t capacity = rows->capacity ? rows->capacity : 4;
    while (capacity < n)
        capacity *= 2;
    cell *cells = reallocarray(rows->cells, capacity * rows->table->n_columns, sizeof(cell));
    if (!cells)
        return false;
    rows->cells = cells;
    rows->capacity = capacity;
    return true;
}

cell *rows_add(struct rows *rows) {
    size_t width = rows->table->n_columns;
    if (!reserve(rows, rows->n + 1))
        return NULL;
    cell *row = rows->cells + rows->n++ * width;
    for (size_t i = 0; i < width; i++)
        row[i] = CELL_NULL;
    return row;
}

cell *rows_at(const struct rows *rows, size_t i) {
    return rows->cells + i * rows->table->n_columns;
}

cell *rows_before(struct rows *rows) {
    size_t width = rows->table->n_columns;
    if (rows->n > rows->before_capacity) {
        cell *before = reallocarray(rows->before, rows->capacity * width, sizeof(cell));
        if (!before)
            return NULL;
        rows->before = before;
        rows->before_capacity = rows->capacity;
    }
    for (size_t i = rows->n_before * width; i < rows->n * width; i++)
        rows->before[i] = CELL_NULL;
    rows->n_before = rows->n;
    return rows->before + (rows->n - 1) * width;
}

const cell *rows_before_at(const struct rows *rows, size_t i) {
    return i < rows->n_before ? rows->before + i * rows->table->n_columns : NULL;
}

void rows_drop_last(struct rows *rows) {
    if (rows->n > 0)
        rows->n--;
    if (rows->n_before > rows->n)
        rows->n_before = rows->n;
}

static bool reserve_text(struct rows *rows, size_t n) {
    if (n <= rows->text_capacity)
        return true;
    size_t capacity = rows->text_capacity ? rows->text_capacity : 64;
    while (capacity < n)
        capacity *= 2;
    char *grown = realloc(rows->text, capacity);
    if (!grown)
        return false;
    rows->text = grown;
    rows->text_capacity = capacity;
    return true;
}

cell rows_put_text(struct rows *rows, const char *text, size_t n) {
    n = strnlen(text, n);
    if (!reserve_text(rows, rows->text_length + n + 1))
        return CELL_NULL;
    size_t offset = rows->text_length;
    memcpy(rows->text + offset, text, n);
    rows->text[offset + n] = '\0';
    rows->text_length += n + 1;
    return (cell) offset;
}

const char *rows_text(const struct rows *rows, cell value) {
    return value == CELL_NULL ? "" : rows->text + value;
}

bool rows_same_text(const struct rows *a, cell x, const struct rows *b, cell y) {
    if (x == CELL_NULL || y == CELL_NULL)
        return x == y;
    return strcmp(rows_text(a, x), rows_text(b, y)) == 0;
}

bool rows_same_keys(const struct rows *a, const cell *x, const struct rows *b, const cell *y) {
    for (size_t i = 0; i < a->table->n_keys; i++)
        if (!rows_same_value(a, x, b, y, i))
            return false;
    return true;
}

int rows_copy_text(
        struct rows *to, cell *target, const struct rows *from, const cell *row, size_t column) {
    if (target[column] != CELL_NULL && rows_same_text(to, target[column], from, row[column]))
        return 0;
    const char *text = rows_text(from, row[column]);
    cell value = rows_put_text(to, text, strlen(text));
    if (value == CELL_NULL)
        return -ENOMEM;
    target[column] = value;
    return 0;
}

int rows_copy(struct rows *to, cell *target, const struct rows *from, const cell *row) {
    for (size_t i = 0; i < to->table->n_columns; i++) {
        int r = rows_copy_value(to, target, from, row, i);
        if (r < 0)
            return r;
    }
    return 0;
}

int rows_assign(struct rows *to, const struct rows *from) {
    rows_clear(to);
    if (!reserve(to, from->n) || !reserve_text(to, from->text_length))
        return -ENOMEM;
    if (from->n > 0)
        memcpy(to->cells, from->cells, from->n * from->table->n_columns * sizeof(cell));
    if (from->text_length > 0)
        memcpy(to->text, from->text, from->text_length);
    to->n = from->n;
    to->text_length = from->text_length;
    return 0;
}
