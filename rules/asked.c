// SPDX-License-Identifier: GPL-2.0-or-later
// Tables asked
#include <ctype.h>
#include <string.h>

#include "rules/set.h"

static bool is_part(char c) {
    return isalnum((unsigned char) c) || c == '_';
}

static bool follows_word(const char *text, const char *end, const char *word) {
    size_t n = strlen(word);
    return (size_t) (end - text) > n && strncasecmp(end - n, word, n) == 0 && !is_part(end[-n - 1]);
}

// Where SQL may name a table: after FROM, JOIN or IN, in a list, in quotes or with its schema.
static bool is_place(const char *text, const char *p) {
    if (p > text && (p[-1] == '"' || p[-1] == '.'))
        return true;
    const char *end = p;
    while (end > text && isspace((unsigned char) end[-1]))
        end--;
    return (end > text && (end[-1] == ',' || end[-1] == '(')) ||
           (end < p && (follows_word(text, end, "from") || follows_word(text, end, "join") ||
                               follows_word(text, end, "in")));
}

// Whether the query may read the table or one called after it (snmp_step, snmp_total): never too
// few, and a table too many does no harm.
static bool reads(const char *text, const char *name) {
    if (!text)
        return false;
    size_t n = strlen(name);
    for (const char *p = text; (p = strstr(p, name)); p += n)
        if (is_place(text, p) && !isalnum((unsigned char) p[n]))
            return true;
    return false;
}

static bool needs(const struct rule *rule, const struct table *table) {
    for (size_t i = 0; i < rule->n_needs; i++)
        if (rule->needs[i].table == table)
            return true;
    return false;
}

bool rules_levels_ask(const struct rule_set *set, const struct table *table) {
    if (strcmp(table->name, "snmp") == 0) // what was received and sent stands in each verdict
        return true;
    for (size_t i = 0; i < set->n; i++) {
        const struct rule *rule = &set->rules[i];
        if (rule->masked || rule->kind != RULE_LEVEL)
            continue;
        if (needs(rule, table) || reads(rule->sql, table->name) ||
                reads(rule_value(rule, WORD_WHEN), table->name))
            return true;
    }
    // A view without a condition is made in any case.
    for (size_t i = 0; i < set->views.n; i++)
        if (!set->views.views[i].when && reads(set->views.views[i].query, table->name))
            return true;
    return false;
}
