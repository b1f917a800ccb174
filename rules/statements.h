// SPDX-License-Identifier: GPL-2.0-or-later
// Kept statements
#pragma once

#include "core/store.h"

// Prepared statements of one connection, found by their text; they live as long as the store is
// open.
struct statements;

// NULL: out of memory.
struct statements *statements_of(struct store *store);
// The statement, reset and without bindings; NULL where that text was not prepared yet.
sqlite3_stmt *statements_find(struct statements *statements, const char *sql);
// Takes over a statement. 0 or -ENOMEM: then it is finalized.
int statements_add(struct statements *statements, const char *sql, sqlite3_stmt *statement);
// Finalizes all of them; none may be in use.
void statements_forget(struct statements *statements);
