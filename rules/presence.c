// SPDX-License-Identifier: GPL-2.0-or-later
// What a window can tell
#include "rules/presence.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"

static struct presence *find(const struct presences *presences, const struct table *table) {
    for (size_t i = 0; i < presences->n; i++)
        if (presences->tables[i].table == table)
            return &presences->tables[i];
    return NULL;
}

// Marks in `known` what has to be asked.
static int collect(const struct rule *rule, struct presences *presences) {
    for (size_t i = 0; !rule->masked && i < rule->n_needs; i++) {
        const struct rule_need *need = &rule->needs[i];
        struct presence *presence = find(presences, need->table);
        if (!presence) {
            presence = append(presences->tables, presences->n);
            if (!presence)
                return -ENOMEM;
            presence->table = need->table;
            presence->known = calloc(need->table->n_columns, sizeof(bool));
            if (!presence->known)
                return -ENOMEM;
        }
        if (need->column >= 0)
            presence->known[need->column] = true;
    }
    return 0;
}

static char *query(const struct presence *presence) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    fputs("SELECT count(*)", out);
    for (size_t i = 0; i < presence->table->n_columns; i++)
        if (presence->known[i])
            fprintf(out, ", count(\"%s\")", presence->table->columns[i].name);
    fprintf(out, " FROM \"%s\"", presence->table->name);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

static bool is_complete(const struct presence *presence, struct sandbox *sandbox) {
    static const char sql[] =
            "SELECT 1 FROM outcome WHERE table_name = ?1 AND state = 'ok' AND reason = ''";
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!presence->table->sparse || presence->rows > 0 ||
            sandbox_own(sandbox, sql, &row) != SQLITE_OK)
        return false;
    sqlite3_bind_text(row, 1, presence->table->name, -1, SQLITE_STATIC);
    return sandbox_step(sandbox, row) == SQLITE_ROW;
}

static int ask(struct presence *presence, struct sandbox *sandbox) {
    _cleanup_free_ char *sql = query(presence);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!sql)
        return -ENOMEM;
    if (sandbox_own(sandbox, sql, &row) != SQLITE_OK)
        return -EIO;
    int r = sandbox_step(sandbox, row) == SQLITE_ROW ? 0 : -EIO;
    if (r == 0) {
        int column = 1;
        presence->rows = sqlite3_column_int64(row, 0);
        for (size_t i = 0; i < presence->table->n_columns; i++)
            if (presence->known[i])
                presence->known[i] = sqlite3_column_int64(row, column++) > 0;
        presence->complete = is_complete(presence, sandbox);
    }
    return r;
}

int presences_find(const struct rule *rules, size_t n_rules, bool levels, struct sandbox *sandbox,
        struct presences *ret) {
    int r = 0;
    *ret = (struct presences){ 0 };
    for (size_t i = 0; r == 0 && i < n_rules; i++)
        r = levels && rules[i].kind != RULE_LEVEL ? 0 : collect(&rules[i], ret);
    for (size_t i = 0; r == 0 && i < ret->n; i++)
        r = ask(&ret->tables[i], sandbox);
    if (r < 0)
        presences_done(ret);
    return r;
}

void presences_done(struct presences *presences) {
    for (size_t i = 0; i < presences->n; i++)
        free(presences->tables[i].known);
    free(presences->tables);
    *presences = (struct presences){ 0 };
}

// Why the table's collector had nothing to give, as it said itself; NULL where all went well.
// malloc()ed.
static char *outcome_of(struct sandbox *sandbox, const struct table *table) {
    static const char sql[] = "SELECT coalesce(nullif(reason, ''), state) FROM outcome"
                              " WHERE table_name = ?1 AND (state <> 'ok' OR reason <> '')";
    char *text = NULL;
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (sandbox_own(sandbox, sql, &row) != SQLITE_OK)
        return NULL;
    sqlite3_bind_text(row, 1, table->name, -1, SQLITE_STATIC);
    if (sandbox_step(sandbox, row) == SQLITE_ROW)
        text = strdup((const char *) sqlite3_column_text(row, 0));
    return text;
}

static int explain(const struct rule_need *need, bool rows, struct sandbox *sandbox, char **ret) {
    _cleanup_free_ char *outcome = outcome_of(sandbox, need->table);
    const struct column *column = need->column >= 0 ? &need->table->columns[need->column] : NULL;
    int r;
    if (!rows)
        r = asprintf(ret, "needs %s: %s", need->table->name,
                outcome ? outcome : "nothing was recorded in this window");
    else if (outcome)
        r = asprintf(ret, "needs %s.%s: %s", need->table->name, column->name, outcome);
    else
        r = asprintf(ret, "needs %s.%s (%s), which is not known here", need->table->name,
                column->name, column->field ? column->field : column->help);
    return r < 0 ? -ENOMEM : 0;
}

static bool is_met(const struct presences *presences, const struct rule_need *need) {
    const struct presence *presence = find(presences, need->table);
    return presence->complete ||
           (presence->rows > 0 && (need->column < 0 || presence->known[need->column]));
}

int presences_missing(const struct presences *presences, const struct rule *rule,
        struct sandbox *sandbox, char **ret_reason, const struct table **ret_table) {
    *ret_reason = NULL;
    *ret_table = NULL;
    for (size_t i = 0; i < rule->n_needs;) {
        const struct rule_need *need = &rule->needs[i];
        bool met = false;
        do
            met |= is_met(presences, &rule->needs[i]);
        while (++i < rule->n_needs && rule->needs[i].alternative);
        if (!met)
            *ret_table = need->table;
        if (!met)
            return explain(need, find(presences, need->table)->rows > 0, sandbox, ret_reason);
    }
    return 0;
}
