// SPDX-License-Identifier: GPL-2.0-or-later
// Settings seen
//
// What each object of a table had in the row before. The rows come by time, as they are stored:
// sorting them by object would cost more than finding the object again.
#pragma once

#include <sqlite3.h>
#include <stddef.h>
#include <stdint.h>

#include "core/table.h"

struct memory_object {
    uint32_t hash;
    sqlite3_value **values; // one per column: names and settings, or NULL: not known
};

struct memory {
    const struct table *table;
    const int *at; // where a row has each column, or -1
    struct memory_object *objects;
    size_t n;
    size_t hint;     // rows come in much the same order in each step
    uint32_t *slots; // open addressing: object + 1; a power of two, at most half full
    size_t n_slots;
};

// An object's own columns: a change in one of them is another object.
bool memory_is_name(const struct column *column);

// The object of the row's names, which is added where it is new. NULL: out of memory.
struct memory_object *memory_find(struct memory *memory, sqlite3_stmt *row);
// Takes the row's value of that column. 0 or -ENOMEM.
int memory_keep(const struct memory *memory, struct memory_object *object, sqlite3_stmt *row,
        size_t column);
bool memory_same_value(sqlite3_value *a, sqlite3_value *b);
void memory_done(struct memory *memory);
