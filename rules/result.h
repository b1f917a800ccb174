// SPDX-License-Identifier: GPL-2.0-or-later
// Result rows
#pragma once

#include "rules/rule.h"

// What one row of a rule's query says, by the rule's kind. All: 0, 1: the row says nothing, or
// -ENOMEM. `ret` is written on 0 only.
int result_cause(const struct rule *rule, sqlite3_stmt *row, struct cause *ret);
// What the cause's subject lost in all, as the row tells it; else 0.
bool result_aside(sqlite3_stmt *row);
int64_t result_subject_lost(sqlite3_stmt *row);
int result_level(const struct rule *rule, sqlite3_stmt *row, struct level *ret);
int result_note(const struct rule *rule, sqlite3_stmt *row, struct remark *ret);
