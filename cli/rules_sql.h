// SPDX-License-Identifier: GPL-2.0-or-later
// Rule queries for sqlite3
#pragma once

#include <stdio.h>

#include "core/store.h"
#include "rules/rules.h"

// Writes what `udpdiag rules sql` prints, for the window that was judged last on this store: the
// window's views, the rows of the tables that the judgement made, the rule's parameters and its
// query. 0 or -errno.
int rules_sql_put(struct store *store, const struct window *window, const struct rule_set *rules,
        const struct rule_info *rule, FILE *out);
