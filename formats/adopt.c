// SPDX-License-Identifier: GPL-2.0-or-later
// Adopted names
#include "formats/adopt.h"

#include <errno.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"

// Who is looked at: the surest first. Of all links only hardware is.
static const char *const tables[] = { "nic", "link", "qdisc" };
#define N_TABLES (sizeof(tables) / sizeof(tables[0]))

static size_t table_index(const struct intake *intake, const char *name) {
    size_t i = 0;
    while (i < intake->n_tables && strcmp(intake->tables[i]->name, name) != 0)
        i++;
    return i;
}

static const char *text_of(const struct rows *rows, size_t row, const char *column) {
    int i = table_column(rows->table, column);
    return i < 0 ? "" : rows_text(rows, rows_at(rows, row)[i]);
}

static bool is_candidate(const struct rows *rows, size_t row) {
    const char *name = text_of(rows, row, "interface");
    bool virtual = strcmp(rows->table->name, "link") == 0 && *text_of(rows, row, "kind");
    return *name && strcmp(name, "lo") != 0 && !virtual;
}

static const struct rows *rows_of(const struct look *look, size_t table) {
    return look->table && look->table[table] ? &look->table[table]->set.rows : NULL;
}

// The only name in that table, or NULL; *ret_many: there are several.
static const char *only_name(const struct intake *intake, size_t table, bool *ret_many) {
    const char *only = NULL;
    *ret_many = false;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct rows *rows = rows_of(&intake->look[i], table);
        for (size_t row = 0; rows && row < rows->n; row++) {
            const char *name = text_of(rows, row, "interface");
            if (!is_candidate(rows, row) || (only && strcmp(only, name) == 0))
                continue;
            *ret_many |= only != NULL;
            only = name;
        }
    }
    return *ret_many ? NULL : only;
}

static const char *find_name(const struct intake *intake) {
    bool many = false;
    const char *name = NULL;
    for (size_t i = 0; i < N_TABLES && !name && !many; i++) {
        size_t table = table_index(intake, tables[i]);
        if (table < intake->n_tables)
            name = only_name(intake, table, &many);
    }
    return name;
}

static bool has_row(const struct rows *rows, const char *name) {
    for (size_t row = 0; row < rows->n; row++)
        if (strcmp(text_of(rows, row, "interface"), name) == 0)
            return true;
    return false;
}

static void rows_cleanup(struct rows *rows) {
    rows_done(rows);
}

static int copy_row(const struct rows *from, size_t row, const char *name, struct objects *to) {
    _cleanup_(rows_cleanup) struct rows probe = { 0 };
    rows_init(&probe, from->table);
    cell *keys = rows_add(&probe);
    if (!keys || rows_copy(&probe, keys, from, rows_at(from, row)) < 0)
        return -ENOMEM;
    if (!*text_of(&probe, 0, "interface")) {
        cell *cell_of_name = &keys[table_column(from->table, "interface")];
        *cell_of_name = rows_put_text(&probe, name, strlen(name));
        if (*cell_of_name == CELL_NULL)
            return -ENOMEM;
    }
    uint32_t object = objects_add(to, &probe, keys);
    return object == NO_OBJECT ? -ENOMEM
                               : rows_copy(&to->rows, rows_at(&to->rows, object), &probe, keys);
}

// Rows keep their order, so that what stands beside them does not move.
static int rename_rows(struct look_table *table, const char *name) {
    struct objects renamed;
    objects_init(&renamed, table->set.rows.table);
    int r = 0;
    for (size_t row = 0; r == 0 && row < table->set.rows.n; row++)
        r = copy_row(&table->set.rows, row, name, &renamed);
    if (r < 0) {
        objects_done(&renamed);
        return r;
    }
    objects_done(&table->set);
    table->set = renamed;
    return 0;
}

static int rename_in_look(struct intake *intake, struct look *look, const char *name) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < N_TABLES; i++) {
        size_t table = table_index(intake, tables[i]);
        const struct rows *rows = table < intake->n_tables ? rows_of(look, table) : NULL;
        if (!rows || !has_row(rows, "") || has_row(rows, name))
            continue;
        intake->file = look->file;
        intake_note(intake, &(struct line){ .number = look->line },
                "names no interface: taken for %s, the only one that the other outputs name", name);
        r = rename_rows(look->table[table], name);
    }
    return r;
}

int adopt_interfaces(struct intake *intake) {
    const char *found = find_name(intake);
    _cleanup_free_ char *name = found ? strdup(found) : NULL;
    int r = found && !name ? -ENOMEM : 0;
    for (size_t i = 0; r == 0 && name && i < intake->n_looks; i++)
        r = rename_in_look(intake, &intake->look[i], name);
    return r;
}
