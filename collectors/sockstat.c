// SPDX-License-Identifier: GPL-2.0-or-later
// Socket statistics
#include "collectors/list.h"
#include "collectors/netns_files.h"

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    { "udp_inuse", COLUMN_GAUGE, "sockets", "bound IPv4 UDP sockets", "UDP inuse" },
    { "udp_mem_pages", COLUMN_GAUGE, "pages",
            "memory of all UDP sockets, IPv4 and IPv6, of the whole host", "UDP mem" },
    { "udplite_inuse", COLUMN_GAUGE, "sockets", "bound IPv4 UDP-Lite sockets", "UDPLITE inuse" },
    { "frag_inuse", COLUMN_GAUGE, "datagrams", "incomplete IPv4 datagrams", "FRAG inuse" },
    { "frag_memory_bytes", COLUMN_GAUGE, "bytes", "memory of incomplete IPv4 datagrams",
            "FRAG memory" },
    { "udp6_inuse", COLUMN_GAUGE, "sockets", "bound IPv6 UDP sockets", "UDP6 inuse" },
    { "udplite6_inuse", COLUMN_GAUGE, "sockets", "bound IPv6 UDP-Lite sockets", "UDPLITE6 inuse" },
    { "frag6_inuse", COLUMN_GAUGE, "datagrams", "incomplete IPv6 datagrams", "FRAG6 inuse" },
    { "frag6_memory_bytes", COLUMN_GAUGE, "bytes",
            "memory of incomplete IPv6 datagrams; 0 where conntrack reassembles", "FRAG6 memory" },
};

const struct table sockstat_table = {
    .name = "sockstat",
    .help = "UDP sockets in use, UDP memory, and memory of incomplete datagrams",
    .per = "network namespace",
    .source = "/proc/PID/net/sockstat, /proc/PID/net/sockstat6",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};

static const struct netns_file files[] = {
    { "sockstat", parse_proc_groups, "udp_inuse" },
    { "sockstat6", parse_proc_groups, "udp6_inuse" },
};

static int start(struct collect_context *context, void **ret_state) {
    return netns_reader_new(&sockstat_table, files, sizeof(files) / sizeof(files[0]),
            (struct netns_reader **) ret_state);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    netns_reader_collect(state, context, "no proc/net/sockstat or sockstat6", rows, outcome);
}

static void stop(void *state) {
    netns_reader_free(state);
}

const struct collector sockstat_collector = { &sockstat_table, LANE_FAST, start, collect, stop };
