// SPDX-License-Identifier: GPL-2.0-or-later
// Table declarations
//
// A table is what one collector yields. It is declared once, as constant data beside its collector;
// the database schema, the window, the rule checker, `udpdiag tables` and udpdiag-rules(5) all come
// from that declaration.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum column_kind {
    COLUMN_KEY_TEXT,    // part of the object's name
    COLUMN_KEY_INTEGER, // part of the object's name
    COLUMN_IDENTITY,    // a change means: another object under the same name (inode, ifindex)
    COLUMN_COUNTER,     // only grows; may wrap at 2^32 or restart at 0
    COLUMN_GAUGE,       // a level
    COLUMN_TEXT,        // a word
};

struct column {
    const char *name; // lower snake case of the kernel's field name
    enum column_kind kind;
    const char *unit; // "datagrams", "bytes", "us", ...; "" for keys and words
    const char *help; // one line, no full stop
    const char *
            field; // the name in the kernel's file; NULL where the collector does not look names up
};

// Keys stand first in `columns`, then all other columns.
struct table {
    const char *name;
    const char *help;   // one line
    const char *per;    // what one row is: "network namespace", "CPU"
    const char *source; // the files or interface it is read from
    const struct column *columns;
    size_t n_columns;
    size_t n_keys;
    bool sparse; // only what is worth a row has one: no row at all may mean that all is well
};

// A value of a row: an integer, an offset into the text of its rows, or CELL_NULL.
typedef int64_t cell;
#define CELL_NULL INT64_MIN

// "key", "identity", "counter", "gauge" or "text".
const char *column_kind_name(enum column_kind kind);
// Asked for each cell of each step.
static inline bool column_is_text(const struct column *column) {
    return column->kind == COLUMN_KEY_TEXT || column->kind == COLUMN_TEXT;
}

// Index of the column, or -1.
int table_column(const struct table *table, const char *name);
// The table of that name in a list, or NULL.
const struct table *table_find(
        const struct table *const *tables, size_t n_tables, const char *name);
