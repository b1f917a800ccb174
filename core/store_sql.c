// SPDX-License-Identifier: GPL-2.0-or-later
// Schema text
#include "core/store_sql.h"

#include <stdlib.h>
#include <string.h>

const struct level_info levels[N_LEVELS] = {
    [LEVEL_STEP] = { "", 1 },
    [LEVEL_MINUTE] = { "_minute", 60 * 1000 },
    [LEVEL_HOUR] = { "_hour", 60 * 60 * 1000 },
};

int64_t level_step_at(enum level level, int64_t ms) {
    int64_t number = ms / levels[level].ms;
    return ms % levels[level].ms < 0 ? number - 1 : number;
}

struct sql {
    FILE *out;
    char *text;
    size_t length;
};

static bool sql_begin(struct sql *sql) {
    sql->out = open_memstream(&sql->text, &sql->length);
    return sql->out != NULL;
}

static char *sql_end(struct sql *sql) {
    if (fclose(sql->out) == 0)
        return sql->text;
    free(sql->text);
    return NULL;
}

bool column_has_highest(const struct table *table, size_t column) {
    const char *name = table->columns[column].name;
    if (table->columns[column].kind != COLUMN_GAUGE)
        return false;
    size_t length = strlen(name);
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *other = table->columns[i].name;
        if (strncmp(other, name, length) == 0 && strcmp(other + length, "_max") == 0)
            return false;
    }
    return true;
}

static const char *sql_type(const struct column *column) {
    return column_is_text(column) ? "TEXT" : "INTEGER";
}

void sql_columns(FILE *out, const struct table *table, size_t n, const char *before) {
    for (size_t i = 0; i < n; i++)
        fprintf(out, "%s%s\"%s\"", i ? "," : "", before, table->columns[i].name);
}

static void put_create(FILE *out, const struct table *table, const char *suffix) {
    fprintf(out, "CREATE TABLE IF NOT EXISTS main.\"%s%s\"(\"step\" INTEGER NOT NULL", table->name,
            suffix);
    for (size_t i = 0; i < table->n_columns; i++)
        fprintf(out, ",\"%s\" %s%s", table->columns[i].name, sql_type(&table->columns[i]),
                i < table->n_keys ? " NOT NULL" : "");
}

char *sql_create(const struct table *table, enum level level) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    put_create(sql.out, table, levels[level].suffix);
    for (size_t i = 0; level != LEVEL_STEP && i < table->n_columns; i++)
        if (column_has_highest(table, i))
            fprintf(sql.out, ",\"%s_max\" INTEGER", table->columns[i].name);
    fputs(",PRIMARY KEY(\"step\"", sql.out);
    for (size_t i = 0; i < table->n_keys; i++)
        fprintf(sql.out, ",\"%s\"", table->columns[i].name);
    fputs(")) WITHOUT ROWID", sql.out);
    return sql_end(&sql);
}

char *sql_create_last(const struct table *table) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    put_create(sql.out, table, "_last");
    fputs(",PRIMARY KEY(", sql.out);
    sql_columns(sql.out, table, table->n_keys, "");
    fputs(")) WITHOUT ROWID", sql.out);
    return sql_end(&sql);
}

char *sql_add_column(const struct table *table, const char *suffix, size_t column, bool highest) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    fprintf(sql.out, "ALTER TABLE main.\"%s%s\" ADD COLUMN \"%s%s\" %s", table->name, suffix,
            table->columns[column].name, highest ? "_max" : "", sql_type(&table->columns[column]));
    return sql_end(&sql);
}

static void put_values(FILE *out, const struct table *table, const char *suffix, bool highest) {
    size_t n = table->n_columns + 1;
    fprintf(out, "INTO main.\"%s%s\"(\"step\",", table->name, suffix);
    sql_columns(out, table, table->n_columns, "");
    for (size_t i = 0; highest && i < table->n_columns; i++) {
        if (!column_has_highest(table, i))
            continue;
        fprintf(out, ",\"%s_max\"", table->columns[i].name);
        n++;
    }
    fputs(") VALUES(?", out);
    for (size_t i = 1; i < n; i++)
        fputs(",?", out);
    fputc(')', out);
}

// An object that a collector names twice in one step must not cost the whole step.
char *sql_insert(const struct table *table) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    fputs("INSERT OR REPLACE ", sql.out);
    put_values(sql.out, table, "", false);
    return sql_end(&sql);
}

char *sql_last(const struct table *table) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    fputs("INSERT OR REPLACE ", sql.out);
    put_values(sql.out, table, "_last", false);
    return sql_end(&sql);
}

static void put_update(FILE *out, const struct table *table, size_t i) {
    const struct column *column = &table->columns[i];
    const char *name = column->name;
    if (column->kind == COLUMN_COUNTER)
        fprintf(out, "\"%s\"=coalesce(\"%s\"+excluded.\"%s\",\"%s\",excluded.\"%s\")", name, name,
                name, name, name);
    else
        fprintf(out, "\"%s\"=excluded.\"%s\"", name, name);
    if (column_has_highest(table, i))
        fprintf(out,
                ",\"%s_max\"=coalesce(max(\"%s_max\",excluded.\"%s_max\"),\"%s_max\","
                "excluded.\"%s_max\")",
                name, name, name, name, name);
}

// An hour is written in several commits, a minute too when somebody asks for it, and both twice
// when the wall clock is set back: it adds up.
char *sql_rollup(const struct table *table, enum level level) {
    struct sql sql;
    if (!sql_begin(&sql))
        return NULL;
    fputs("INSERT ", sql.out);
    put_values(sql.out, table, levels[level].suffix, true);
    fputs(" ON CONFLICT DO ", sql.out);
    fputs(table->n_columns > table->n_keys ? "UPDATE SET " : "NOTHING", sql.out);
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        if (i > table->n_keys)
            fputc(',', sql.out);
        put_update(sql.out, table, i);
    }
    return sql_end(&sql);
}
