// SPDX-License-Identifier: GPL-2.0-or-later
// One rule
#pragma once

#include <sqlite3.h>

#include "core/table.h"
#include "core/verdict.h"
#include "rules/header.h"

enum rule_kind { RULE_CAUSE, RULE_NO_LOSS, RULE_SIGN, RULE_LEVEL, RULE_NOTE };

enum rule_word {
    WORD_RULE,
    WORD_KIND,
    WORD_EXPLAINS,
    WORD_SEVERITY,
    WORD_TITLE,
    WORD_NEEDS,
    WORD_WHEN,
    WORD_GENERAL,
    WORD_AFTER,
    WORD_UNDER,
    WORD_PARAM,
    WORD_UNIT,
    WORD_EVIDENCE,
    WORD_AGAINST,
    WORD_DO,
    WORD_NOT,
    WORD_TEXT,
    WORD_RULED_OUT,
    WORD_REF,
};

struct rule_need {
    const struct table *table;
    int column;       // -1: any row will do
    bool alternative; // it or the one before it
};

struct rule_param {
    char name[64]; // with its colon, as SQLite wants it
    double value;
    bool is_integer; // bound as such, so that a division stays one of integers
    int line;
};

struct rule {
    char *id, *origin;
    const char *text; // the whole file
    bool masked;
    enum rule_kind kind;
    enum severity severity;
    bool general;
    char *parsed; // the header alone, into which its parts point
    struct header header;
    struct rule_need *needs;
    size_t n_needs;
    struct rule_param *params;
    size_t n_params;
    const char *sql; // in `text`
    int sql_line;
};

#define RULE_MAX_BYTES ((size_t) 256 << 10)

const char *rule_kind_name(enum rule_kind kind);
const char *rule_word_name(enum rule_word word); // "ruled-out"

// What a rule may name.
struct vocabulary {
    const struct table *const *tables;
    size_t n_tables;
    const struct ledger *ledger; // its loci
};

// Reads the header and finds the query. 0, 1: problems, or -ENOMEM. `ret` is rule_done()d by the
// caller in any case.
int rule_parse(const char *id, const char *text, const char *origin, const struct vocabulary *words,
        struct problems *problems, struct rule *ret);
void rule_done(struct rule *rule);
const char *rule_value(
        const struct rule *rule, enum rule_word word); // first part of that line, or NULL
const char *rule_loci(const struct rule *rule);        // as written, "nic backlog"; NULL for "-"
bool rule_explains(const struct rule *rule, const char *locus);
bool rule_comes_after(const struct rule *rule, const char *id);

// The query's statement with its parameters bound, to be given back by sandbox_done(). 0 or 1: a
// mistake, which is told to `problems`.
struct sandbox;
int rule_prepare(const struct rule *rule, struct sandbox *sandbox, struct problems *problems,
        sqlite3_stmt **ret);
// Whether the condition of its 'when' line holds; one with a mistake does, so that the query tells.
bool rule_applies(const struct rule *rule, struct sandbox *sandbox);
// Checks the query, its result columns, parameters and placeholders. 0 or 1: problems.
int rule_check(const struct rule *rule, struct sandbox *sandbox, struct problems *problems);

// What a text of words that hold for the window alone may name.
#define WINDOW_VALUES_SQL "SELECT seconds, steps FROM window"

// A built-in file.
struct rule_source {
    const char *name, *text; // without ".sql"
};
extern const struct rule_source rules_builtin[];
extern const size_t n_rules_builtin;
