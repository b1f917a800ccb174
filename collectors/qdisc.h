// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines
#pragma once

#include <netlink/msg.h>

#include "collectors/collector.h"

// Columns of table qdisc.
enum {
    QDISC_NETNS,
    QDISC_INTERFACE,
    QDISC_HANDLE,
    QDISC_PARENT,
    QDISC_KIND,
    QDISC_LEAF,
    QDISC_BYTES,
    QDISC_PACKETS,
    QDISC_DROPS,
    QDISC_OVERLIMITS,
    QDISC_REQUEUES,
    QDISC_BACKLOG,
    QDISC_QLEN,
    N_QDISC_COLUMNS,
};
extern const struct table qdisc_table;

// What tells the place of a discipline, beside its row.
struct qdisc_place {
    int ifindex;
    uint32_t handle, parent;
    bool multiqueue; // it has a class for each queue of the device
};
// Adds the row of an RTM_NEWQDISC message. 0; 1: it is no such message; or -ENOMEM.
int qdisc_add_message(struct nlmsghdr *message, const char *netns, const char *interface,
        struct rows *rows, struct qdisc_place *ret);

// qdisc_tree.c. Working memory, all 0 before and after: a bit for each major number of handles.
struct qdisc_marks {
    uint8_t multiqueue[65536 / 8], parent[65536 / 8];
};
// Fills column leaf, and takes out the rows that repeat what their parent says; places[i] belongs
// to row i, rows of an interface stand together. A discipline that the kernel made below a class
// when nothing else was there is hidden from tc. What it drops its parent counts too, so that a
// parent with nothing but those stands for them. Beside others they are leaves like them.
void qdisc_find_leaves(struct rows *rows, struct qdisc_place *places, struct qdisc_marks *marks);
