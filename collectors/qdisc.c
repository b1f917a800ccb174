// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines
#include "collectors/list.h"

enum { NETNS, INTERFACE, HANDLE, PARENT, KIND, LEAF, BYTES, PACKETS, DROPS, OVERLIMITS, REQUEUES,
       BACKLOG, QLEN, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", "tcm_ifindex" },
    [HANDLE] = { "handle", COLUMN_KEY_TEXT, "", "handle, as tc shows it: 8001:", "tcm_handle" },
    [PARENT] = { "parent", COLUMN_KEY_TEXT, "", "root, or the class it hangs on: 1:10", "tcm_parent" },
    [KIND] = { "kind", COLUMN_TEXT, "", "fq_codel, tbf, mq, clsact, ...", "TCA_KIND" },
    [LEAF] = { "leaf", COLUMN_GAUGE, "",
               "1: no other discipline hangs on it; only leaves may be summed", NULL },
    [BYTES] = { "bytes", COLUMN_COUNTER, "bytes", "bytes that passed", "bytes" },
    [PACKETS] = { "packets", COLUMN_COUNTER, "packets", "packets that passed", "packets" },
    [DROPS] = { "drops", COLUMN_COUNTER, "packets", "packets dropped", "drops" },
    [OVERLIMITS] = { "overlimits", COLUMN_COUNTER, "events", "times a packet had to wait for a rate limit",
                     "overlimits" },
    [REQUEUES] = { "requeues", COLUMN_COUNTER, "events", "packets put back since the device was busy; no loss",
                   "requeues" },
    [BACKLOG] = { "backlog_bytes", COLUMN_GAUGE, "bytes", "bytes queued now", "backlog" },
    [QLEN] = { "qlen", COLUMN_GAUGE, "packets", "packets queued now", "qlen" },
};

const struct table qdisc_table = { "qdisc", "queueing disciplines of the interfaces",
                                   "network namespace, interface, handle, parent",
                                   "rtnetlink RTM_GETQDISC", columns, N_COLUMNS, 4 };
