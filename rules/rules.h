// SPDX-License-Identifier: GPL-2.0-or-later
// Rules engine
#pragma once

#include <stdio.h>

#include "core/verdict.h"
#include "core/window.h"

struct rule_set;

// Loads the built-in rules, then those of `dir` (may be NULL or absent): NAME.sql there replaces or
// adds one, a link to /dev/null masks one. A rule with a mistake is left out and printed into
// `problems` as "file:line: text"; a built-in rule it would have replaced stays. `tables` are what
// rules may ask. 0 or -errno.
int rules_load(const char *dir, const struct table *const *tables, size_t n_tables, FILE *problems,
        struct rule_set **ret);
struct rule_set *rules_free(struct rule_set *set); // returns NULL
// Checks one file; problems as above. 0: good, 1: has problems, or -errno.
int rules_check(
        const char *path, const struct table *const *tables, size_t n_tables, FILE *problems);

size_t rules_count(const struct rule_set *set);
struct rule_info {
    const char *id, *locus, *title, *severity, *kind; // kind: "cause", "no-loss", "sign", "level", "note"
    const char *text;                                 // the whole file
    const char *origin;                               // path, or "built in"
    bool masked;
};
void rules_info(const struct rule_set *set, size_t i, struct rule_info *ret);

// A line of a rule's header: its word and up to three parts, "" where there is none.
struct rule_line {
    const char *word, *part[3];
};
// The lines of rule i in their order, at most n of them; the texts belong to the set. Returns how
// many there are: none for a masked rule.
size_t rules_lines(const struct rule_set *set, size_t i, struct rule_line *ret, size_t n);

// Runs the ledger and all rules over the open window. `host` and `kernel` are named in the verdict.
// 0 or -errno. A rule that fails or takes too long stands in not_judged. The temporary tables of
// rules_made_table() stay on the store's connection until the next judgement replaces them.
int rules_judge(const struct rule_set *set, struct store *store, const struct window *window,
        const char *host, const char *kernel, struct verdict **ret);

// The same, as far as an alert can come from it: notes and what is ruled out are left out, and so
// are the rules of places where nothing was lost (which also leaves them out of not_judged).
enum rules_scope {
    RULES_ALL,
    RULES_ALERTS,
    RULES_LEVELS, // no ledger either: for a caller who knows that none of rules_counters() grew
};
int rules_judge_part(const struct rule_set *set, enum rules_scope scope, struct store *store,
        const struct window *window, const char *host, const char *kernel, struct verdict **ret);
// Whether RULES_LEVELS may look at the table: a store of such tables is enough for it.
bool rules_levels_ask(const struct rule_set *set, const struct table *table);

// The names of the temporary tables that a judgement leaves on the store's connection beside those
// of the window: the ledger, its steps, and the shared views. NULL beyond the last.
const char *rules_made_table(const struct rule_set *set, size_t i);

// The counters of the ledger's entries, so that a caller sees without a query whether a step may
// hold a loss. The array and its texts belong to the set. Returns how many.
struct rules_counter {
    const char *locus, *table, *column;
};
size_t rules_counters(const struct rule_set *set, const struct rules_counter **ret);

// Gives a parameter of a rule another value than its file, as the configuration does with `warning`
// and `critical` (percent) of disk-fill. 0, or -ENOENT: no such rule or parameter.
int rules_set_param(struct rule_set *set, const char *rule, const char *param, double value);
