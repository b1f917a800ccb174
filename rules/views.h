// SPDX-License-Identifier: GPL-2.0-or-later
// Shared views
//
// What many rules ask alike, as rules/views.sql defines it: queries whose rows stand in temporary
// tables, made once for each judgement, after the ledger. A view may ask those before it.
#pragma once

#include "core/verdict.h"
#include "rules/problem.h"
#include "rules/sandbox.h"

struct view {
    const char *name;    // points into the text
    const char *when;    // a condition without which it has no rows, or NULL; points into the text
    const char *columns; // names, given where it has a condition
    char *query;         // without a semicolon
    char *clear;
    char *look, *blank; // whether it has rows; stands for it where it can have none
    int line;           // of the query
};

struct views {
    char *parsed;
    struct view *views;
    size_t n;
};

// 0, 1: problems, or -ENOMEM. `ret` is views_done()d by the caller in any case.
int views_parse(const char *text, struct problems *problems, struct views *ret);
void views_done(struct views *views);

// Makes the tables, empty, and tells the mistakes of their queries. 0 or 1: there were some.
int views_check(const struct views *views, struct sandbox *sandbox, struct problems *problems);
// Makes the tables that are missing, and empties the others. 0 or -errno.
int views_clear(const struct views *views, struct sandbox *sandbox);
// Makes them anew with their rows. One that fails is empty and stands in not_judged. 0 or -errno.
int views_fill(const struct views *views, struct sandbox *sandbox, struct verdict *verdict);
