// SPDX-License-Identifier: GPL-2.0-or-later
// Link statistics
#pragma once

#include <netlink/msg.h>

#include "collectors/collector.h"
#include "collectors/proc_pairs.h"

// Columns of table link; from LINK_STATISTICS on in the order of struct rtnl_link_stats64.
enum {
    LINK_NETNS,
    LINK_INTERFACE,
    LINK_IFINDEX,
    LINK_OPERSTATE,
    LINK_KIND,
    LINK_MASTER_IFINDEX,
    LINK_MTU,
    LINK_TX_QUEUE_LENGTH,
    LINK_XDP_ATTACHED,
    LINK_RP_FILTER,
    LINK_RX_DROPPED_UNSPLIT,
    LINK_RX_FRAME_UNSPLIT,
    LINK_STATISTICS,
    N_LINK_STATISTICS = 25,
    N_LINK_COLUMNS = LINK_STATISTICS + N_LINK_STATISTICS,
};
extern const struct table link_table;

// Adds the row of an RTM_NEWLINK message; one without a name is left out. 0 or -ENOMEM.
int link_add_message(struct nlmsghdr *message, const char *netns, struct rows *rows);

// Of a directory without netlink answers: sys/class/net has nearly everything, proc/net/dev has
// sums (link_files.c).
void link_collect_files(struct source *source, struct rows *rows, struct outcome *outcome);
// net/dev: what it adds up from several counters is known only where the sum is 0.
void parse_net_dev(
        const char *text, size_t length, struct rows *rows, struct parse_problem *problem);
