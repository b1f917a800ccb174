// SPDX-License-Identifier: GPL-2.0-or-later
// Drops of sockets that were seen once
//
// A socket counts its drops since it was made. One look at it tells those of the window only where
// the counters of the host, looked at twice, leave no other choice, or where all before was its own
// and its queue is full still. Which of them it was is told with the numbers.
#include <inttypes.h>
#include <string.h>

#include "formats/gather.h"

#define DEFAULT_RCVBUF 212992 // net.core.rmem_default as the kernel sets it

// A counter's growth at this moment, as far as it is known.
static cell growth_now(const struct gathered *gathered, size_t object, size_t column) {
    if (object < gathered->grown.n && rows_at(&gathered->grown, object)[column] != CELL_NULL)
        return rows_at(&gathered->grown, object)[column];
    cell now = rows_at(&gathered->now.rows, object)[column];
    struct gathered *writable = (struct gathered *) gathered;
    uint32_t before = objects_find(
            &writable->last, &gathered->now.rows, rows_at(&gathered->now.rows, object));
    cell last = before == NO_OBJECT ? CELL_NULL : rows_at(&gathered->last.rows, before)[column];
    return now == CELL_NULL || last == CELL_NULL || now < last ? CELL_NULL : now - last;
}

static cell lost_now(const struct gathered *snmp) {
    static const char *const names[] = { "udp_rcvbuf_errors", "udp6_rcvbuf_errors" };
    cell lost = 0;
    for (size_t i = 0; i < snmp->now.rows.n; i++)
        for (size_t c = 0; c < sizeof(names) / sizeof(names[0]); c++) {
            int column = table_column(snmp->now.rows.table, names[c]);
            cell growth = column < 0 ? CELL_NULL : growth_now(snmp, i, (size_t) column);
            lost += growth == CELL_NULL ? 0 : growth;
        }
    return lost;
}

// Sum of a counter over all rows; CELL_NULL: it was seen at an earlier moment, or is not known.
static cell first_sum(struct gathered *gathered, size_t column) {
    cell sum = 0;
    for (size_t i = 0; i < gathered->now.rows.n; i++) {
        const cell *row = rows_at(&gathered->now.rows, i);
        uint32_t before = objects_find(&gathered->last, &gathered->now.rows, row);
        if ((before != NO_OBJECT && rows_at(&gathered->last.rows, before)[column] != CELL_NULL) ||
                (i < gathered->grown.n && rows_at(&gathered->grown, i)[column] != CELL_NULL))
            return CELL_NULL;
        sum += row[column] == CELL_NULL ? 0 : row[column];
    }
    return sum;
}

// Counters that are read one after the other differ by what comes between.
static bool agree(cell a, cell b) {
    cell most = a > b ? a : b, least = a > b ? b : a;
    return least > 0 && most - least <= most / 50;
}

static struct gathered *table_named(struct gathering *gathering, const char *name) {
    for (size_t i = 0; i < gathering->intake->n_tables; i++)
        if (strcmp(gathering->intake->tables[i]->name, name) == 0)
            return &gathering->table[i];
    return NULL;
}

static int take_all(
        struct gathering *gathering, struct gathered *sockets, size_t column, cell dropped) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < sockets->now.rows.n; i++) {
        cell drops = rows_at(&sockets->now.rows, i)[column];
        if (drops != CELL_NULL)
            r = gather_growth(sockets, i, column, drops);
    }
    intake_note(gathering->intake, NULL,
            "the sockets were seen once; what they dropped since they were made (%" PRId64
            ") is what the host lost in this time, so it is taken for that",
            dropped);
    return r;
}

// What a counter was at the moment before, in all namespaces; CELL_NULL: not known.
static cell sum_before(const struct gathered *snmp, const char *name) {
    int column = table_column(snmp->now.rows.table, name);
    cell sum = snmp->now.rows.n > 0 && column >= 0 ? 0 : CELL_NULL;
    for (size_t i = 0; sum != CELL_NULL && i < snmp->now.rows.n; i++) {
        cell now = rows_at(&snmp->now.rows, i)[column];
        cell growth = growth_now(snmp, i, (size_t) column);
        sum = now == CELL_NULL || growth == CELL_NULL || growth > now ? CELL_NULL
                                                                      : sum + now - growth;
    }
    return sum;
}

// All that sockets of this family can have dropped before: each drop of a UDP socket is a receive
// error of the family that its datagram came by, which for one of IPv6 can be either.
static cell errors_before(const struct gathered *snmp, cell family) {
    cell before = sum_before(snmp, "udp_in_errors"), before6 = 0;
    if (family != 4)
        before6 = sum_before(snmp, "udp6_in_errors");
    return before == CELL_NULL || before6 == CELL_NULL ? CELL_NULL : before + before6;
}

static cell value_of(const struct rows *rows, size_t row, const char *name) {
    int column = table_column(rows->table, name);
    return column < 0 ? CELL_NULL : rows_at(rows, row)[column];
}

// Half of its buffer waits, or of the kernel's default where its own is not known.
static bool is_full(const struct rows *rows, size_t row) {
    cell queue = value_of(rows, row, "queue_bytes"), limit = value_of(rows, row, "rcvbuf_bytes");
    return queue != CELL_NULL && queue >= (limit == CELL_NULL ? DEFAULT_RCVBUF : limit) / 2;
}

// Of the datagrams lost in the window those that are this socket's: what it dropped beyond all that
// the host had lost before, or all where all before was its own too and its queue was full. 0: not
// known. A socket that dropped more than both was seen much later.
static cell own_part(cell drops, cell before, cell lost, bool full) {
    if (drops > before + lost && !agree(drops, before + lost))
        return 0;
    if (full && agree(drops, before))
        return lost;
    return drops <= before ? 0 : drops - before < lost ? drops - before : lost;
}

static int take_own(struct gathering *gathering, const struct gathered *snmp,
        struct gathered *sockets, size_t column, size_t row) {
    const struct rows *rows = &sockets->now.rows;
    cell drops = rows_at(rows, row)[column];
    cell before = errors_before(snmp, value_of(rows, row, "family"));
    if (drops == CELL_NULL || before == CELL_NULL)
        return 0;
    cell own = own_part(drops, before, lost_now(snmp), is_full(rows, row));
    if (own == 0)
        return 0;
    intake_note(gathering->intake, NULL,
            "the socket at port %" PRId64 " was seen once: it dropped %" PRId64
            " datagrams since it was made, and the host had lost %" PRId64 " before; %" PRId64
            " of this time are taken for its own",
            value_of(rows, row, "port"), drops, before, own);
    return gather_growth(sockets, row, column, own);
}

int gather_socket_drops(struct gathering *gathering) {
    struct gathered *snmp = table_named(gathering, "snmp");
    struct gathered *sockets = table_named(gathering, "socket");
    int column = sockets ? table_column(sockets->now.rows.table, "drops") : -1;
    if (!snmp || column < 0 || gathering->one_step)
        return 0;
    cell dropped = first_sum(sockets, (size_t) column);
    if (dropped == CELL_NULL)
        return 0;
    if (agree(dropped, lost_now(snmp)))
        return take_all(gathering, sockets, (size_t) column, dropped);
    int r = 0;
    for (size_t i = 0; r == 0 && i < sockets->now.rows.n; i++)
        r = take_own(gathering, snmp, sockets, (size_t) column, i);
    return r;
}
