// SPDX-License-Identifier: GPL-2.0-or-later
// Socket statistics
#include <string.h>

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
    { "sockstat", parse_proc_groups, "udp_inuse", SOURCE_ONE_RECORD },
    { "sockstat6", parse_proc_groups, "udp6_inuse", SOURCE_ONE_RECORD },
};

static int start(struct collect_context *context, void **ret_state) {
    return netns_reader_new(&sockstat_table, files, sizeof(files) / sizeof(files[0]),
            (struct netns_reader **) ret_state);
}

// Whoever lists sockets need not look where there are none. What was read last holds for those that
// were not read now.
static void tell_in_use(struct netns_list *list, const struct rows *rows) {
    static const char *const names[N_NETNS_SOCKETS] = {
        [NETNS_UDP] = "udp_inuse",
        [NETNS_UDP6] = "udp6_inuse",
        [NETNS_UDPLITE] = "udplite_inuse",
        [NETNS_UDPLITE6] = "udplite6_inuse",
    };
    size_t row = 0; // in the order of the list, which may have more
    for (size_t i = 0; i < list->n; i++) {
        struct netns *netns = &list->items[i];
        if (!netns_is_due(netns, NETNS_COUNTERS))
            continue;
        netns_forget_in_use(netns);
        if (row == rows->n || strcmp(rows_text(rows, rows_at(rows, row)[0]), netns->name) != 0)
            continue;
        for (size_t k = 0; k < N_NETNS_SOCKETS; k++)
            netns->in_use[k] = rows_at(rows, row)[table_column(&sockstat_table, names[k])];
        row++;
    }
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    netns_reader_collect(state, context, "no proc/net/sockstat or sockstat6", rows, outcome);
    tell_in_use(context->netns, rows);
}

static void stop(void *state) {
    netns_reader_free(state);
}

const struct collector sockstat_collector = { &sockstat_table, LANE_FAST, start, collect, stop };
