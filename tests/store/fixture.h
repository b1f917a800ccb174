// SPDX-License-Identifier: GPL-2.0-or-later
// Store fixture
//
// Two small tables, steps made of one line of text, and a folder that is removed afterwards.
#pragma once

#include "core/store.h"
#include "core/window.h"

// flow: key netns, identity inode, counters lost and "drop", gauge level, word state.
// part: keys name and number, counter count.
extern const struct table flow_table, part_table;
extern const struct table *const both_tables[2];
enum { FLOW, PART };

// A wall clock time at the beginning of an hour.
#define HOUR_MS INT64_C(1800000000000)

struct fixture {
    char folder[64];
    char path[128];
};
void fixture_make(struct fixture *fixture);
void fixture_remove(struct fixture *fixture);

// Opens, or fails the test with the error's text.
struct store *open_store(const char *path, enum store_mode mode);
struct store *open_tables(
        const char *path, enum store_mode mode, const struct table *const *tables, size_t n);

// Adds a row of growth and its absolute values to a step. NULL growth is CELL_NULL.
void add_flow(
        struct step *step, const char *netns, cell lost, cell drop, cell level, const char *state);
void add_part(struct step *step, const char *name, cell number, cell count);

// A step of flow "host" that ended then; growth lost = 1, drop = 0.
struct step *new_step(int64_t end_ms, int64_t length_ms);
void write_step(struct store *store, const struct step *step);
// n steps of a second after `after_ms`, in transactions of five, each with lost 1 and level i.
void write_seconds(struct store *store, int64_t after_ms, int n);

// The rows of a query as text: values separated by "|", rows by "\n".
const char *ask(sqlite3 *db, const char *sql);
// Fails the test unless the query's rows are this text.
void expect(struct store *store, const char *sql, const char *rows);
