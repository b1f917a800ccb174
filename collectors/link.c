// SPDX-License-Identifier: GPL-2.0-or-later
// Link statistics
#include "collectors/list.h"

enum { NETNS, INTERFACE, IFINDEX, OPERSTATE, KIND, MASTER_IFINDEX, MTU, TX_QUEUE_LENGTH, XDP_ATTACHED,
       RP_FILTER, RX_PACKETS, N_COLUMNS = RX_PACKETS + 25 };

#define STATISTIC(name, unit, help) { name, COLUMN_COUNTER, unit, help, name }

static const struct column columns[N_COLUMNS] = {
    [NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", "IFLA_IFNAME" },
    [IFINDEX] = { "ifindex", COLUMN_IDENTITY, "", "interface index", "ifi_index" },
    [OPERSTATE] = { "operstate", COLUMN_TEXT, "", "up, down, unknown, dormant, ...", "IFLA_OPERSTATE" },
    [KIND] = { "kind", COLUMN_TEXT, "", "veth, vxlan, bridge, bond, ...; empty for a device with hardware",
               "IFLA_INFO_KIND" },
    [MASTER_IFINDEX] = { "master_ifindex", COLUMN_GAUGE, "", "index of its bridge or bond; 0: none",
                         "IFLA_MASTER" },
    [MTU] = { "mtu_bytes", COLUMN_GAUGE, "bytes", "largest packet", "IFLA_MTU" },
    [TX_QUEUE_LENGTH] = { "tx_queue_length", COLUMN_GAUGE, "packets", "limit of a pfifo queue",
                          "IFLA_TXQLEN" },
    [XDP_ATTACHED] = { "xdp_attached", COLUMN_GAUGE, "", "1: an XDP program is attached, it may drop packets",
                       "IFLA_XDP_ATTACHED" },
    [RP_FILTER] = { "rp_filter", COLUMN_GAUGE, "",
                    "this interface's own setting; the larger of it and rp_filter_all applies: "
                    "0 off, 1 strict, 2 loose", "conf/IF/rp_filter" },
    // In the order of struct rtnl_link_stats64.
    [RX_PACKETS] =
    STATISTIC("rx_packets", "packets", "packets received"),
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
    STATISTIC("rx_missed_errors", "packets", "lost because the host gave the device no free buffer"),
    STATISTIC("tx_aborted_errors", "packets", "of tx_errors: aborted"),
    STATISTIC("tx_carrier_errors", "packets", "of tx_errors: no carrier"),
    STATISTIC("tx_fifo_errors", "packets", "of tx_errors: underrun"),
    STATISTIC("tx_heartbeat_errors", "packets", "of tx_errors: heartbeat"),
    STATISTIC("tx_window_errors", "packets", "of tx_errors: late collision"),
    STATISTIC("rx_compressed", "packets", "compressed packets received"),
    STATISTIC("tx_compressed", "packets", "compressed packets sent"),
    STATISTIC("rx_nohandler", "packets", "received on an inactive port of a bond or team (since 4.6); no loss"),
    STATISTIC("rx_otherhost_dropped", "packets", "received for another MAC address (since 5.19); no loss"),
};

const struct table link_table = { "link", "statistics of each network interface", "network namespace, interface",
                                  "rtnetlink RTM_GETLINK, or /sys/class/net", columns, N_COLUMNS, 2 };
