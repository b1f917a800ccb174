// SPDX-License-Identifier: GPL-2.0-or-later
// What a window can tell
//
// Which of the tables and columns that rules need have a value in the window, and why others have
// none.
#pragma once

#include "rules/rule.h"
#include "rules/sandbox.h"

struct presence {
    const struct table *table;
    int64_t rows;
    bool *known;   // per column: not NULL everywhere
    bool complete; // its collector looked, and found nothing worth a row
};

struct presences {
    struct presence *tables;
    size_t n;
};

// Looks at all that the rules need, or those about levels alone, once per table. 0 or -errno.
int presences_find(const struct rule *rules, size_t n_rules, bool levels, struct sandbox *sandbox,
        struct presences *ret);
void presences_done(struct presences *presences);

// NULL where all needs of the rule are met, else why not: malloc()ed. 0 or -ENOMEM.
int presences_missing(const struct presences *presences, const struct rule *rule,
        struct sandbox *sandbox, char **ret_reason, const struct table **ret_table);
