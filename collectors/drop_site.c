// SPDX-License-Identifier: GPL-2.0-or-later
// Drop sites
//
// Functions of the kernel in which packets were freed as dropped (kfree_skb), as dropwatch and perf
// list them: those that are of several kinds of loss. Only from outputs that somebody pasted.
#include "collectors/list.h"

static const struct column columns[] = {
    { "function", COLUMN_KEY_TEXT, "", "kernel function, without the offset in it", NULL },
    { "reason", COLUMN_KEY_TEXT, "", "drop reason, where the tool tells it (5.17 and later)",
            NULL },
    { "packets", COLUMN_COUNTER, "packets", "freed there as dropped, of all protocols", NULL },
};

const struct table drop_site_table = {
    .name = "drop_site",
    .help = "kernel functions that dropped packets, as tracing tools list them",
    .per = "kernel function and reason",
    .source = "dropwatch, perf (pasted outputs only)",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 2,
    .sparse = true,
};

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    outcome_set(outcome, OUTCOME_ABSENT, "only read from pasted outputs");
}

const struct collector drop_site_collector = { &drop_site_table, LANE_SLOW, NULL, collect, NULL };
