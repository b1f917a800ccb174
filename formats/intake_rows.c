// SPDX-License-Identifier: GPL-2.0-or-later
// Intake rows
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "core/cleanup.h"
#include "formats/intake_private.h"
#include "formats/words.h"

static size_t find_table(const struct intake *intake, const char *name) {
    size_t i = 0;
    while (i < intake->n_tables && strcmp(intake->tables[i]->name, name) != 0)
        i++;
    return i;
}

static struct look_table *look_table_new(const struct table *table) {
    struct look_table *made = calloc(1, sizeof(*made));
    if (!made)
        return NULL;
    objects_init(&made->set, table);
    rows_init(&made->grown, table);
    return made;
}

struct look_table *intake_look_table(struct intake *intake, size_t table) {
    struct look *look = &intake->look[intake->n_looks - 1];
    if (!look->table)
        look->table = calloc(intake->n_tables, sizeof(*look->table));
    if (look->table && !look->table[table])
        look->table[table] = look_table_new(intake->tables[table]);
    if (look->table && look->table[table])
        return look->table[table];
    intake_fail(intake, -ENOMEM);
    return NULL;
}

static cell put_text(struct rows *rows, const char *text) {
    _cleanup_free_ char *valid = text_utf8(text);
    return valid ? rows_put_text(rows, valid, strlen(valid)) : CELL_NULL;
}

static bool set_key(struct rows *probe, cell *row, size_t i, const char *key) {
    const struct column *column = &probe->table->columns[i];
    uint64_t number = 0;
    if (column_is_text(column)) {
        row[i] = put_text(probe, key ? key : strcmp(column->name, "netns") == 0 ? "host" : "");
        return row[i] != CELL_NULL;
    }
    bool negative = key && key[0] == '-'; // all the CPUs that have no row of their own: -1
    if (key && !text_count(key + negative, &number))
        number = 0;
    row[i] = negative ? -(cell) (number & INT64_MAX) : (cell) (number & INT64_MAX);
    return true;
}

static cell *make_probe(struct intake *intake, size_t table, const char *const *keys) {
    struct rows *probe = &intake->probe[table];
    rows_clear(probe);
    cell *row = rows_add(probe);
    for (size_t i = 0; row && i < probe->table->n_keys; i++)
        if (!set_key(probe, row, i, keys ? keys[i] : NULL))
            row = NULL;
    if (!row)
        intake_fail(intake, -ENOMEM);
    return row;
}

static bool keep_line(struct look_table *table, unsigned line) {
    size_t n = table->set.rows.n;
    if (n > table->capacity) {
        unsigned *lines = reallocarray(table->line, n * 2, sizeof(*lines));
        if (!lines)
            return false;
        table->line = lines;
        table->capacity = n * 2;
    }
    table->line[n - 1] = line;
    return true;
}

void intake_row(struct intake *intake, const struct line *line, const char *name,
        const char *const *keys) {
    size_t table = find_table(intake, name);
    intake->table = intake->n_tables;
    if (table == intake->n_tables || !intake->looking || intake->error < 0)
        return;
    intake->listed[table] = true;
    struct look_table *rows = intake_look_table(intake, table);
    cell *probe = rows ? make_probe(intake, table, keys) : NULL;
    if (!probe)
        return;
    uint32_t object = objects_find(&rows->set, &intake->probe[table], probe);
    if (object == NO_OBJECT) {
        object = objects_add(&rows->set, &intake->probe[table], probe);
        if (object == NO_OBJECT || !keep_line(rows, line->number)) {
            intake_fail(intake, -ENOMEM);
            return;
        }
    }
    intake->table = table;
    intake->row = object;
    intake->line = line->number;
}

void intake_listed(struct intake *intake, const char *name) {
    size_t table = find_table(intake, name);
    if (table < intake->n_tables)
        intake->listed[table] = true;
}
