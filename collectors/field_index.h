// SPDX-License-Identifier: GPL-2.0-or-later
// Field names
//
// Finds the columns of a table by the names that the kernel gives them.
#pragma once

#include "collectors/scan.h"
#include "core/table.h"

struct field_index;
struct field_index *field_index_new(const struct table *table);  // NULL: out of memory
struct field_index *field_index_free(struct field_index *index); // returns NULL
const struct table *field_index_table(const struct field_index *index);
// Index of the column whose field is prefix and name together, or -1.
int field_index_find(const struct field_index *index, const char *prefix, size_t n_prefix,
        const char *name, size_t n_name);

// The names of the lines of a file, by line number from 0: they too are the same in each look.
struct line_names;
// Those of the file whose first line has this name.
struct line_names *field_index_file(const struct field_index *index, struct span first);
// Takes the name off the front of the line: "MemTotal:" without its colon. Its column, or -1.
int field_index_take(const struct field_index *index, struct line_names *names, size_t number,
        struct span *line, struct span *ret_name);

// A line of names, "Udp: InDatagrams NoPorts", and what they mean. It is half of net/snmp and
// net/netstat and stays the same from look to look, and in all namespaces.
struct name_line {
    char *text;
    size_t n, n_prefix, capacity;
    int *columns; // of each name, or -1
    size_t n_columns;
};
// `whole` begins with the prefix and its colon. It holds until the next call; NULL: out of memory.
const struct name_line *field_index_line(
        const struct field_index *index, struct span prefix, struct span whole);
