// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines
#pragma once

#include <netlink/msg.h>

#include "collectors/collector.h"

extern const struct table qdisc_table;

// What tells the place of a discipline, beside its row.
struct qdisc_place {
    int ifindex;
    uint32_t handle, parent;
};
// Adds the row of an RTM_NEWQDISC message. 0; 1: it is no such message; or -ENOMEM.
int qdisc_add_message(struct nlmsghdr *message, const char *netns, const char *interface,
        struct rows *rows, struct qdisc_place *ret);
// Fills column leaf; places[i] belongs to row i. `children` is working memory: all 0, before and
// after.
#define QDISC_CHILDREN_BYTES (65536 / 8)
void qdisc_find_leaves(struct rows *rows, const struct qdisc_place *places, uint8_t *children);
