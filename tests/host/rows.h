// SPDX-License-Identifier: GPL-2.0-or-later
// Row checks
#pragma once

#include <string.h>

#include "collectors/proc_pairs.h"
#include "core/rows.h"
#include "tests/suite.h"

// The cell of a row, by column name.
static inline cell cell_of(const struct rows *rows, size_t row, const char *column) {
    int i = table_column(rows->table, column);
    ck_assert_msg(i >= 0, "no column %s", column);
    ck_assert_uint_lt(row, rows->n);
    return rows_at(rows, row)[i];
}

static inline const char *text_of(const struct rows *rows, size_t row, const char *column) {
    return rows_text(rows, cell_of(rows, row, column));
}

#define ck_assert_cell(rows, row, column, value)                                                   \
    ck_assert_msg(cell_of(rows, row, column) == (cell) (value), "%s is %lld", column,              \
            (long long) cell_of(rows, row, column))
#define ck_assert_text(rows, row, column, value) ck_assert_str_eq(text_of(rows, row, column), value)

// A problem in that line (0: of the whole text), or none where line is -1.
#define ck_assert_problem(problem, at)                                                             \
    ck_assert_msg(((at) < 0) == !(problem).text && ((at) < 0 || (problem).line == (size_t) (at)),  \
            "line %zu: %s", (problem).line, (problem).text ? (problem).text : "no problem")
