// SPDX-License-Identifier: GPL-2.0-or-later
// Rule set
#pragma once

#include "rules/ledger.h"
#include "rules/rule.h"
#include "rules/rules.h"
#include "rules/views.h"

struct rule_set {
    const struct table *const *tables;
    size_t n_tables;
    struct ledger ledger;
    struct views views;
    struct rule *rules; // by name
    size_t n;
};

// As rules_load(), with these files in place of the built-in ones; those called "ledger" and "views"
// are no rules. Their queries are checked only if `check`: a test does that for the built-in ones.
int rule_set_new(const struct rule_source *sources, size_t n_sources, bool check, const char *dir,
        const struct table *const *tables, size_t n_tables, FILE *problems, struct rule_set **ret);
int rule_set_check(const struct rule_source *sources, size_t n_sources, const char *path,
        const struct table *const *tables, size_t n_tables, FILE *problems);
