// SPDX-License-Identifier: GPL-2.0-or-later
// Link statistics
#include "collectors/link.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/list.h"
#include "collectors/rtnl.h"

#define STATISTIC(name, unit, help)                                                                \
    { name, COLUMN_COUNTER, unit, help, name }

static const struct column columns[N_LINK_COLUMNS] = {
    [LINK_NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [LINK_INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", "IFLA_IFNAME" },
    [LINK_IFINDEX] = { "ifindex", COLUMN_IDENTITY, "", "interface index", "ifi_index" },
    [LINK_OPERSTATE] = { "operstate", COLUMN_TEXT, "", "up, down, unknown, dormant, ...",
            "IFLA_OPERSTATE" },
    [LINK_KIND] = { "kind", COLUMN_TEXT, "",
            "veth, vxlan, bridge, bond, ...; empty for a device with hardware", "IFLA_INFO_KIND" },
    [LINK_MASTER_IFINDEX] = { "master_ifindex", COLUMN_GAUGE, "",
            "index of its bridge or bond; 0: none", "IFLA_MASTER" },
    [LINK_MTU] = { "mtu_bytes", COLUMN_GAUGE, "bytes", "largest packet", "IFLA_MTU" },
    [LINK_TX_QUEUE_LENGTH] = { "tx_queue_length", COLUMN_GAUGE, "packets", "limit of a pfifo queue",
            "IFLA_TXQLEN" },
    [LINK_XDP_ATTACHED] = { "xdp_attached", COLUMN_GAUGE, "",
            "1: an XDP program is attached, it may drop packets", "IFLA_XDP_ATTACHED" },
    [LINK_RP_FILTER] = { "rp_filter", COLUMN_GAUGE, "",
            "this interface's own setting; the larger of it and rp_filter_all applies: "
            "0 off, 1 strict, 2 loose",
            "conf/IF/rp_filter" },
    [LINK_RX_DROPPED_UNSPLIT] = { "rx_dropped_unsplit", COLUMN_COUNTER, "packets",
            "rx_dropped and rx_missed_errors together, where only their sum is told (net/dev)",
            NULL },
    [LINK_RX_FRAME_UNSPLIT] = { "rx_frame_unsplit", COLUMN_COUNTER, "packets",
            "rx_length_errors, rx_over_errors, rx_crc_errors and rx_frame_errors together, where "
            "only their sum is told (net/dev)",
            NULL },
    // In the order of struct rtnl_link_stats64.
    [LINK_STATISTICS] = STATISTIC("rx_packets", "packets", "packets received"),
    STATISTIC("tx_packets", "packets", "packets sent"),
    STATISTIC("rx_bytes", "bytes", "bytes received"),
    STATISTIC("tx_bytes", "bytes", "bytes sent"),
    STATISTIC("rx_errors", "packets", "bad packets received, all kinds"),
    STATISTIC("tx_errors", "packets", "packets that could not be sent, all kinds"),
    STATISTIC("rx_dropped", "packets",
            "received and dropped before a protocol: also what nobody wanted; not always a loss"),
    STATISTIC("tx_dropped", "packets", "dropped by the device on the way out"),
    STATISTIC("multicast", "packets", "multicast packets received"),
    STATISTIC("collisions", "events", "collisions"),
    STATISTIC("rx_length_errors", "packets", "of rx_errors: wrong length"),
    STATISTIC("rx_over_errors", "packets", "of rx_errors: receiver overrun, often the ring"),
    STATISTIC("rx_crc_errors", "packets", "of rx_errors: bad checksum of the frame"),
    STATISTIC("rx_frame_errors", "packets", "of rx_errors: alignment"),
    STATISTIC("rx_fifo_errors", "packets", "overrun; some drivers repeat rx_missed_errors here"),
    STATISTIC(
            "rx_missed_errors", "packets", "lost because the host gave the device no free buffer"),
    STATISTIC("tx_aborted_errors", "packets", "of tx_errors: aborted"),
    STATISTIC("tx_carrier_errors", "packets", "of tx_errors: no carrier"),
    STATISTIC("tx_fifo_errors", "packets", "of tx_errors: underrun"),
    STATISTIC("tx_heartbeat_errors", "packets", "of tx_errors: heartbeat"),
    STATISTIC("tx_window_errors", "packets", "of tx_errors: late collision"),
    STATISTIC("rx_compressed", "packets", "compressed packets received"),
    STATISTIC("tx_compressed", "packets", "compressed packets sent"),
    STATISTIC("rx_nohandler", "packets",
            "received on an inactive port of a bond or team (since 4.6); no loss"),
    STATISTIC("rx_otherhost_dropped", "packets",
            "received for another MAC address (since 5.19); no loss"),
};

const struct table link_table = {
    .name = "link",
    .help = "statistics of each network interface",
    .per = "network namespace and interface",
    .source = "rtnetlink RTM_GETLINK; in a directory netlink/link, /sys/class/net or /proc/net/dev",
    .columns = columns,
    .n_columns = N_LINK_COLUMNS,
    .n_keys = 2,
};

static cell get_u32(const struct nlattr *attribute) {
    return attribute && nla_len(attribute) >= 4 ? (cell) nla_get_u32(attribute) : CELL_NULL;
}

static cell get_text(struct rows *rows, const struct nlattr *attribute) {
    if (!attribute)
        return CELL_NULL;
    return rows_put_text(rows, nla_data(attribute), (size_t) nla_len(attribute));
}

static cell get_operstate(struct rows *rows, const struct nlattr *attribute) {
    static const char *const names[] = {
        // RFC 2863, Documentation/networking/operstates.rst
        "unknown",
        "notpresent",
        "down",
        "lowerlayerdown",
        "testing",
        "dormant",
        "up",
    };
    size_t state = attribute && nla_len(attribute) >= 1 ? nla_get_u8(attribute) : 0;
    const char *name = names[state < sizeof(names) / sizeof(names[0]) ? state : 0];
    return rows_put_text(rows, name, strlen(name));
}

static cell get_kind(struct rows *rows, struct nlattr *info) {
    struct nlattr *kind = info ? nla_find(nla_data(info), nla_len(info), IFLA_INFO_KIND) : NULL;
    return kind ? get_text(rows, kind) : rows_put_text(rows, "", 0);
}

// Absent before 4.8, where there was no XDP.
static cell get_xdp(struct nlattr *xdp) {
    struct nlattr *attached = xdp ? nla_find(nla_data(xdp), nla_len(xdp), IFLA_XDP_ATTACHED) : NULL;
    return attached && nla_len(attached) >= 1 && nla_get_u8(attached) != XDP_ATTACHED_NONE;
}

// IFLA_AF_SPEC > AF_INET > IFLA_INET_CONF is the array of net.ipv4.conf.IF, which begins with
// number 1.
static cell get_rp_filter(struct nlattr *families) {
    struct nlattr *inet =
            families ? nla_find(nla_data(families), nla_len(families), AF_INET) : NULL;
    struct nlattr *conf = inet ? nla_find(nla_data(inet), nla_len(inet), IFLA_INET_CONF) : NULL;
    uint32_t value;
    size_t offset = (IPV4_DEVCONF_RP_FILTER - 1) * sizeof(value);
    if (!conf || (size_t) nla_len(conf) < offset + sizeof(value))
        return CELL_NULL;
    memcpy(&value, (const char *) nla_data(conf) + offset, sizeof(value));
    return value;
}

_Static_assert(offsetof(struct rtnl_link_stats64, rx_dropped) == 6 * 8 &&
                       offsetof(struct rtnl_link_stats64, rx_missed_errors) == 15 * 8 &&
                       offsetof(struct rtnl_link_stats64, tx_compressed) == 22 * 8,
        "order of the columns");

// Older kernels have a shorter struct: rx_nohandler came with 4.6, rx_otherhost_dropped with 5.19.
static void get_statistics(const struct nlattr *attribute, cell *row) {
    size_t n = attribute ? (size_t) nla_len(attribute) / sizeof(uint64_t) : 0;
    for (size_t i = 0; i < n && i < N_LINK_STATISTICS; i++) {
        uint64_t value; // attributes are aligned to 4 bytes only
        memcpy(&value, (const char *) nla_data(attribute) + i * sizeof(value), sizeof(value));
        if (value <= INT64_MAX)
            row[LINK_STATISTICS + i] = (cell) value;
    }
}

int link_add_message(struct nlmsghdr *message, const char *netns, struct rows *rows) {
    struct nlattr *a[IFLA_XDP + 1];
    if (message->nlmsg_type != RTM_NEWLINK ||
            nlmsg_parse(message, sizeof(struct ifinfomsg), a, IFLA_XDP, NULL) < 0 ||
            !a[IFLA_IFNAME])
        return 0;
    const struct ifinfomsg *info = nlmsg_data(message);
    cell *row = rows_add(rows);
    if (!row)
        return -ENOMEM;
    row[LINK_NETNS] = rows_put_text(rows, netns, strlen(netns));
    row[LINK_INTERFACE] = get_text(rows, a[IFLA_IFNAME]);
    row[LINK_IFINDEX] = info->ifi_index;
    row[LINK_OPERSTATE] = get_operstate(rows, a[IFLA_OPERSTATE]);
    row[LINK_KIND] = get_kind(rows, a[IFLA_LINKINFO]);
    row[LINK_MASTER_IFINDEX] = a[IFLA_MASTER] ? get_u32(a[IFLA_MASTER]) : 0;
    row[LINK_MTU] = get_u32(a[IFLA_MTU]);
    row[LINK_TX_QUEUE_LENGTH] = get_u32(a[IFLA_TXQLEN]);
    row[LINK_XDP_ATTACHED] = get_xdp(a[IFLA_XDP]);
    row[LINK_RP_FILTER] = get_rp_filter(a[IFLA_AF_SPEC]);
    get_statistics(a[IFLA_STATS64], row);
    return row[LINK_INTERFACE] == CELL_NULL ? -ENOMEM : 0;
}

struct links {
    struct rtnl rtnl;
    const char *netns; // in this look
    struct rows *rows;
};

static int start(struct collect_context *context, void **ret_state) {
    struct links *links = calloc(1, sizeof(*links));
    if (!links)
        return -ENOMEM;
    *ret_state = links;
    return 0;
}

static void stop(void *state) {
    struct links *links = state;
    rtnl_close(&links->rtnl);
    free(links);
}

static int visit(void *userdata, struct nlmsghdr *message) {
    struct links *links = userdata;
    if (message)
        return link_add_message(message, links->netns, links->rows);
    rows_clear(links->rows);
    return 0;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    if (!context->source->live && !rtnl_has_file(context->source, "link")) {
        link_collect_files(context->source, rows, outcome);
        return;
    }
    struct links *links = state;
    struct {
        struct nlmsghdr header;
        struct ifinfomsg info;
    } request = { .header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETLINK } };
    links->netns = rtnl_netns_name(context);
    links->rows = rows;
    int r = rtnl_list(&links->rtnl, context->source, "link", &request.header, visit, links);
    if (r < 0) {
        rows_clear(rows);
        rtnl_report(&links->rtnl, outcome, "interfaces", r);
    }
}

const struct collector link_collector = { &link_table, LANE_FAST, start, collect, stop };
