// SPDX-License-Identifier: GPL-2.0-or-later
// Quiet sockets
#include "formats/quiet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"

// Shorter listings stay whole.
#define SOCKETS_MANY 2000

struct kept {
    cell *inode; // sorted
    size_t n, capacity;
};

static void kept_done(struct kept *kept) {
    free(kept->inode);
}

static size_t table_index(const struct intake *intake, const char *name) {
    size_t i = 0;
    while (i < intake->n_tables && strcmp(intake->tables[i]->name, name) != 0)
        i++;
    return i;
}

static struct look_table *table_of(const struct look *look, size_t table) {
    return look->table ? look->table[table] : NULL;
}

static bool is_long(const struct intake *intake, size_t table) {
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look_table *rows = table_of(&intake->look[i], table);
        if (rows && rows->set.rows.n > SOCKETS_MANY)
            return true;
    }
    return false;
}

static cell value_of(const struct rows *rows, size_t row, int column) {
    return column < 0 ? CELL_NULL : rows_at(rows, row)[column];
}

static bool is_busy(const struct rows *rows, size_t row, const int *columns) {
    cell drops = value_of(rows, row, columns[0]), queue = value_of(rows, row, columns[1]);
    cell rcvbuf = value_of(rows, row, columns[2]);
    if (drops != CELL_NULL && drops > 0)
        return true;
    return queue != CELL_NULL && queue > 0 && (rcvbuf == CELL_NULL || queue >= rcvbuf / 2);
}

static int keep(struct kept *kept, cell inode) {
    if (kept->n == kept->capacity) {
        size_t capacity = kept->capacity ? kept->capacity * 2 : 64;
        cell *room = reallocarray(kept->inode, capacity, sizeof(*room));
        if (!room)
            return -ENOMEM;
        kept->inode = room;
        kept->capacity = capacity;
    }
    kept->inode[kept->n++] = inode;
    return 0;
}

static int compare(const void *a, const void *b) {
    cell x = *(const cell *) a, y = *(const cell *) b;
    return (x > y) - (x < y);
}

static int find_busy(const struct intake *intake, size_t table, struct kept *kept) {
    const struct table *form = intake->tables[table];
    const int columns[] = { table_column(form, "drops"), table_column(form, "queue_bytes"),
        table_column(form, "rcvbuf_bytes") };
    int inode = table_column(form, "inode"), r = 0;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look_table *looked = table_of(&intake->look[i], table);
        const struct rows *rows = looked ? &looked->set.rows : NULL;
        for (size_t row = 0; r == 0 && rows && row < rows->n; row++)
            if (is_busy(rows, row, columns))
                r = keep(kept, value_of(rows, row, inode));
    }
    if (kept->n > 0)
        qsort(kept->inode, kept->n, sizeof(*kept->inode), compare);
    return r;
}

static bool is_kept(const struct kept *kept, cell inode) {
    return kept->n > 0 && bsearch(&inode, kept->inode, kept->n, sizeof(inode), compare);
}

// Rows of the kept sockets alone, with their lines.
static int thin_out(struct look_table *table, const struct kept *kept) {
    struct objects left;
    const struct rows *rows = &table->set.rows;
    int column = table_column(rows->table, "inode"), r = 0;
    size_t n = 0;
    objects_init(&left, rows->table);
    for (size_t row = 0; r == 0 && row < rows->n; row++) {
        const cell *from = rows_at(rows, row);
        if (!is_kept(kept, from[column]))
            continue;
        uint32_t object = objects_add(&left, rows, from);
        r = object == NO_OBJECT
                    ? -ENOMEM
                    : rows_copy(&left.rows, rows_at(&left.rows, object), rows, from);
        table->line[n++] = table->line[row];
    }
    if (r < 0) {
        objects_done(&left);
        return r;
    }
    objects_done(&table->set);
    table->set = left;
    return 0;
}

int quiet_leave_out(struct intake *intake) {
    static const char *const names[] = { "socket", "owner" };
    _cleanup_(kept_done) struct kept kept = { 0 };
    size_t sockets = table_index(intake, "socket");
    if (sockets == intake->n_tables || !is_long(intake, sockets))
        return 0;
    int r = find_busy(intake, sockets, &kept);
    for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
        size_t table = table_index(intake, names[k]);
        for (size_t i = 0; r == 0 && table < intake->n_tables && i < intake->n_looks; i++) {
            struct look_table *looked = table_of(&intake->look[i], table);
            if (looked && looked->grown.n == 0)
                r = thin_out(looked, &kept);
        }
    }
    return r;
}
