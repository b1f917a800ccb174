// SPDX-License-Identifier: GPL-2.0-or-later
// Connection tracking
#include "collectors/list.h"

#define C(name, help) { name, COLUMN_COUNTER, "packets", help, name }

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    { "netns_inode", COLUMN_IDENTITY, "", "inode number of the namespace", NULL },
    { "count", COLUMN_GAUGE, "entries", "connections in the table", "entries" },
    C("found", "found in the table"),
    C("invalid", "cannot be tracked"),
    C("insert", "new connections entered"),
    C("insert_failed", "not entered since another packet of the same flow was first; dropped"),
    C("drop", "dropped: the table is full, or an entry clashed"),
    { "early_drop", COLUMN_COUNTER, "entries", "old entries removed to make room; no loss",
      "early_drop" },
    C("icmp_error", "ICMP errors that could not be tracked"),
};

const struct table conntrack_table = {
    .name = "conntrack",
    .help = "connection tracking: fill of the table and what it dropped",
    .per = "network namespace",
    .source = "/proc/PID/net/stat/nf_conntrack",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};
