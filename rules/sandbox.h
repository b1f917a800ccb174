// SPDX-License-Identifier: GPL-2.0-or-later
// Query sandbox
//
// While it is entered, queries on the connection may read the window's tables and nothing else, and stop after a
// limited number of steps of SQLite's virtual machine.
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

struct sandbox {
    sqlite3 *db;
    bool own;      // a statement of the engine itself is being prepared or run: no limits
    int64_t ticks; // of the query that runs
    bool expired;
    char refused[128]; // what the authorizer refused last
    int length_limit;  // as it was before
};

// Steps of the virtual machine that one rule may take; some tenths of a second.
#define SANDBOX_MAX_STEPS INT64_C(20000000)
// No text or row of a query needs more than this.
#define SANDBOX_MAX_LENGTH (1 << 20)

void sandbox_enter(struct sandbox *sandbox, sqlite3 *db);
void sandbox_leave(struct sandbox *sandbox);
// Begins to count anew.
void sandbox_reset(struct sandbox *sandbox);

// Prepares and runs the engine's own statements outside of the limits. 0 or -errno.
int sandbox_run(struct sandbox *sandbox, const char *sql);
// As sqlite3_prepare_v2() and sqlite3_step().
int sandbox_prepare(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret);
int sandbox_step(struct sandbox *sandbox, sqlite3_stmt *statement);
