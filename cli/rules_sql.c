// SPDX-License-Identifier: GPL-2.0-or-later
// Rule queries for sqlite3
#include "cli/rules_sql.h"

#include <errno.h>
#include <string.h>

#include "core/cleanup.h"

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

static void put_column_names(sqlite3_stmt *rows, FILE *out) {
    for (int i = 0; i < sqlite3_column_count(rows); i++)
        fprintf(out, "%s%s", i > 0 ? ", " : "", sqlite3_column_name(rows, i));
}

static void put_literal(sqlite3_stmt *rows, int i, FILE *out) {
    char *text;
    switch (sqlite3_column_type(rows, i)) {
    case SQLITE_NULL:
        fputs("NULL", out);
        break;
    case SQLITE_TEXT:
        text = sqlite3_mprintf("%Q", (const char *) sqlite3_column_text(rows, i));
        fputs(text ? text : "NULL", out);
        sqlite3_free(text);
        break;
    default: // of a number, the text is the literal
        fputs((const char *) sqlite3_column_text(rows, i), out);
    }
}

// What the judgement made of the ledger's and the views' own files; in the shell its rows do.
static int put_rows(struct store *store, const char *name, FILE *out) {
    _cleanup_(finalize) sqlite3_stmt *rows = NULL;
    _cleanup_free_ char *sql = NULL;
    int r;
    if (asprintf(&sql, "SELECT * FROM temp.%s", name) < 0)
        return -ENOMEM;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &rows, NULL) != SQLITE_OK)
        return -EIO;
    fprintf(out, "DROP TABLE IF EXISTS temp.%s;\nCREATE TEMP TABLE %s(", name, name);
    put_column_names(rows, out);
    fputs(");\n", out);
    while ((r = sqlite3_step(rows)) == SQLITE_ROW) {
        fprintf(out, "INSERT INTO temp.%s VALUES(", name);
        for (int i = 0; i < sqlite3_column_count(rows); i++) {
            fputs(i > 0 ? "," : "", out);
            put_literal(rows, i, out);
        }
        fputs(");\n", out);
    }
    return r == SQLITE_DONE ? 0 : -EIO;
}

// "-- param near = 0.9   why" of the rule's header, as the shell sets it.
static void put_parameters(const char *text, FILE *out) {
    static const char word[] = "-- param ";
    for (const char *line = text; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) {
        char name[64], value[64];
        if (strncmp(line, word, sizeof(word) - 1) == 0 &&
                sscanf(line + sizeof(word) - 1, " %63[A-Za-z0-9_] = %63s", name, value) == 2)
            fprintf(out, ".parameter set :%s %s\n", name, value);
    }
}

int rules_sql_put(struct store *store, const struct window *window, const struct rule_set *rules,
        const struct rule_info *rule, FILE *out) {
    int r = window_print_sql(store, window, out);
    const char *table;
    for (size_t i = 0; r == 0 && (table = rules_made_table(rules, i)); i++)
        r = put_rows(store, table, out);
    if (r < 0)
        return r;
    fputs(".headers on\n.mode line\n", out);
    put_parameters(rule->text, out);
    fprintf(out, "%s\n;\n", rule->text);
    return 0;
}
