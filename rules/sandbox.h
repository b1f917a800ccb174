// SPDX-License-Identifier: GPL-2.0-or-later
// Query sandbox
//
// Rules' queries may read the window's tables and nothing else, which is decided when they are
// prepared, and stop after a limited number of steps of SQLite's virtual machine. Statements stay
// prepared for as long as the store is open, so that judging again costs no parsing.
#pragma once

#include <stdbool.h>

#include "core/store.h"

struct statements;

struct sandbox {
    sqlite3 *db;
    struct statements *statements;
    bool thrifty;  // see sandbox_spare()
    bool guarded;  // the authorizer is set
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

// 0 or -ENOMEM.
int sandbox_enter(struct sandbox *sandbox, struct store *store);
void sandbox_leave(struct sandbox *sandbox);
// In a thrifty sandbox, gives back the statements that were prepared so far: a daemon judges seldom
// and has to be small, also while it does. None may be in use.
void sandbox_spare(struct sandbox *sandbox);

// All three: SQLite's result code. The statement is reset and without bindings; what is kept must
// be given back by sandbox_done() and not be finalized. A rule's query, to be run; begins to count
// its steps.
int sandbox_rule(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret);
// The condition of a 'when' line as a rule's query of one value.
int sandbox_condition(struct sandbox *sandbox, const char *condition, sqlite3_stmt **ret);
// The engine's own: outside of the limits.
int sandbox_own(struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret);
// A rule's query, to be looked at; the caller finalizes it. *ret_tail: behind its first statement.
int sandbox_try(
        struct sandbox *sandbox, const char *sql, sqlite3_stmt **ret, const char **ret_tail);

// Whether a condition without parameters holds; one with a mistake does, so that the query tells.
bool sandbox_holds(struct sandbox *sandbox, const char *condition);
// Whether it is a condition; else `fault` tells why not. The second gives its statement, which the
// caller finalizes, and lets it have parameters.
bool sandbox_check_condition(
        struct sandbox *sandbox, const char *condition, char *fault, size_t size);
bool sandbox_try_condition(struct sandbox *sandbox, const char *condition, char *fault, size_t size,
        sqlite3_stmt **ret);

// sqlite3_step() for statements of the engine.
int sandbox_step(struct sandbox *sandbox, sqlite3_stmt *statement);
void sandbox_done(sqlite3_stmt *statement); // NULL is fine

static inline void cleanup_sandbox_statement(sqlite3_stmt **statement) {
    sandbox_done(*statement);
}
#define _cleanup_kept_ __attribute__((cleanup(cleanup_sandbox_statement)))

// Runs the engine's own text. 0 or -errno.
int sandbox_run(struct sandbox *sandbox, const char *sql);
