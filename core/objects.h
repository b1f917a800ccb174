// SPDX-License-Identifier: GPL-2.0-or-later
// Known objects
//
// The last absolute values of every object of one table, found again by their keys.
#pragma once

#include "core/rows.h"

#define NO_OBJECT UINT32_MAX

struct object {
    uint32_t hash;
    int64_t seen_ms;    // boot time
    int64_t written_ms; // wall clock; -1: never
};

struct objects {
    struct rows rows;      // last known absolute values
    struct object *object; // beside rows
    size_t capacity;
    uint32_t *slots; // open addressing: row numbers; a power of two, at most half full
    size_t n_slots;
    bool told; // the collector tells what was before (rows_before)
    size_t forget_above; // of such: how many there may be before some are forgotten
    size_t hint; // rows come in much the same order each time; 0 before a look
};

void objects_init(struct objects *objects, const struct table *table);
void objects_done(struct objects *objects);
void objects_clear(struct objects *objects); // keeps the memory

// The number of the object with the keys of this row, or NO_OBJECT.
uint32_t objects_find(struct objects *objects, const struct rows *rows, const cell *row);
// Adds an object with these keys; all other values are CELL_NULL. Its number, or NO_OBJECT: out of
// memory.
uint32_t objects_add(struct objects *objects, const struct rows *rows, const cell *row);
// Forgets objects not seen since `since_ms` (boot time), and texts nobody refers to any more. 0 or
// -ENOMEM.
int objects_forget(struct objects *objects, int64_t since_ms);
