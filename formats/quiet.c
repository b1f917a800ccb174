// SPDX-License-Identifier: GPL-2.0-or-later
// Quiet sockets
#include "formats/quiet.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"

// Shorter listings stay whole, of longer ones so many are left at most.
#define SOCKETS_MANY 2000

struct busy {
    cell inode;
    cell least, most; // drops in all looks
    cell queue;       // the most that waited
    unsigned looks;
};

struct kept {
    struct busy *socket;
    size_t n, capacity;
};

static void kept_done(struct kept *kept) {
    free(kept->socket);
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

static bool is_busy(const struct busy *socket, cell rcvbuf) {
    return socket->most > 0 ||
           (socket->queue > 0 && (rcvbuf == CELL_NULL || socket->queue >= rcvbuf / 2));
}

static int keep(struct kept *kept, const struct busy *socket) {
    if (kept->n == kept->capacity) {
        size_t capacity = kept->capacity ? kept->capacity * 2 : 64;
        struct busy *room = reallocarray(kept->socket, capacity, sizeof(*room));
        if (!room)
            return -ENOMEM;
        kept->socket = room;
        kept->capacity = capacity;
    }
    kept->socket[kept->n++] = *socket;
    return 0;
}

static cell or_zero(cell value) {
    return value == CELL_NULL ? 0 : value;
}

static int find_busy(const struct intake *intake, size_t table, struct kept *kept) {
    const struct table *form = intake->tables[table];
    int drops = table_column(form, "drops"), queue = table_column(form, "queue_bytes");
    int rcvbuf = table_column(form, "rcvbuf_bytes"), inode = table_column(form, "inode"), r = 0;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look_table *looked = table_of(&intake->look[i], table);
        const struct rows *rows = looked ? &looked->set.rows : NULL;
        for (size_t row = 0; r == 0 && rows && row < rows->n; row++) {
            cell lost = or_zero(value_of(rows, row, drops));
            struct busy socket = { value_of(rows, row, inode), lost, lost,
                or_zero(value_of(rows, row, queue)), 1 };
            if (is_busy(&socket, value_of(rows, row, rcvbuf)))
                r = keep(kept, &socket);
        }
    }
    return r;
}

static int by_inode(const void *a, const void *b) {
    const struct busy *x = a, *y = b;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

// What was lost between the looks; of one look, what was lost ever.
static cell lost(const struct busy *socket) {
    return socket->looks > 1 ? socket->most - socket->least : socket->most;
}

static int by_loss(const void *a, const void *b) {
    const struct busy *x = a, *y = b;
    if (lost(x) != lost(y))
        return lost(x) < lost(y) ? 1 : -1;
    if (x->queue != y->queue)
        return x->queue < y->queue ? 1 : -1;
    return by_inode(a, b);
}

static void join_looks(struct kept *kept) {
    size_t n = 0;
    qsort(kept->socket, kept->n, sizeof(*kept->socket), by_inode);
    for (size_t i = 0; i < kept->n; i++) {
        const struct busy *next = &kept->socket[i];
        struct busy *last = n > 0 ? &kept->socket[n - 1] : NULL;
        if (!last || last->inode != next->inode) {
            kept->socket[n++] = *next;
            continue;
        }
        last->least = next->least < last->least ? next->least : last->least;
        last->most = next->most > last->most ? next->most : last->most;
        last->queue = next->queue > last->queue ? next->queue : last->queue;
        last->looks++;
    }
    kept->n = n;
}

static void choose(struct kept *kept) {
    if (kept->n == 0)
        return;
    join_looks(kept);
    if (kept->n <= SOCKETS_MANY)
        return;
    qsort(kept->socket, kept->n, sizeof(*kept->socket), by_loss);
    kept->n = SOCKETS_MANY;
    qsort(kept->socket, kept->n, sizeof(*kept->socket), by_inode);
}

static bool is_kept(const struct kept *kept, cell inode) {
    struct busy socket = { .inode = inode };
    return kept->n > 0 && bsearch(&socket, kept->socket, kept->n, sizeof(socket), by_inode);
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
        r = object == NO_OBJECT ? -ENOMEM
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
    choose(&kept);
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
