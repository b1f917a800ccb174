// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel messages
//
// Only from outputs that somebody pasted: on the host itself the counters say more. Messages about
// packets are rate limited, so that they tell what happens, not how often.
#include "collectors/list.h"

static const struct column columns[] = {
    { "kind", COLUMN_KEY_TEXT, "",
            "udp-bad-checksum, udp-short, conntrack-full, page-allocation, neighbour-full, "
            "martian-source or out-of-memory",
            NULL },
    { "peer", COLUMN_KEY_TEXT, "", "address that it came from, where the message has one", NULL },
    { "port", COLUMN_KEY_INTEGER, "", "local port, where the message has one", NULL },
    { "messages", COLUMN_COUNTER, "messages", "written, those after a limit not among them", NULL },
    { "suppressed", COLUMN_COUNTER, "messages", "told to be suppressed by a rate limit", NULL },
    { "text", COLUMN_TEXT, "", "the last one", NULL },
};

const struct table kernel_log_table = {
    .name = "kernel_log",
    .help = "kernel messages about lost packets and memory, as they were pasted",
    .per = "kind of message, peer, port",
    .source = "dmesg, journal (pasted outputs only)",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 3,
    .sparse = true,
};

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    outcome_set(outcome, OUTCOME_ABSENT, "only read from pasted outputs");
}

const struct collector kernel_log_collector = { &kernel_log_table, LANE_SLOW, NULL, collect, NULL };
