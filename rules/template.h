// SPDX-License-Identifier: GPL-2.0-or-later
// Placeholders
//
// {column} in a text or command is replaced by the row's value: in texts with the unit that the
// column's suffix names, in commands plainly, quoted for the shell where a text needs it.
// {column:raw} is replaced by the bare value. {{ and }} are braces.
#pragma once

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>

enum template_use { TEMPLATE_TEXT, TEMPLATE_COMMAND };

// Index of a result column, or -1.
int row_column(sqlite3_stmt *row, const char *name);

// Whether every placeholder names a column of the statement. true, or the fault in `fault`.
bool template_check(const char *text, sqlite3_stmt *row, char *fault, size_t size);
// The text with its placeholders filled from the current row; *ret_null: one of them is NULL (and
// reads "unknown"). malloc()ed, or NULL: out of memory.
char *template_fill(const char *text, enum template_use use, sqlite3_stmt *row, bool *ret_null);
