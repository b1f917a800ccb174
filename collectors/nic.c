// SPDX-License-Identifier: GPL-2.0-or-later
// Network adapters
#include "collectors/list.h"

enum { NETNS, INTERFACE, DRIVER, RX_RING, RX_RING_MAX, TX_RING, TX_RING_MAX, CHANNELS, CHANNELS_MAX,
       RING_DROPS, ALLOC_FAILS, PHY_DROPS, BAD_FRAMES, STEER_MISSES, XDP_DROPS, PROVIDER_LIMIT_DROPS,
       TX_DROPS, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", NULL },
    [DRIVER] = { "driver", COLUMN_TEXT, "", "driver: it decides what the counters of ethtool -S mean",
                 "ETHTOOL_GDRVINFO" },
    [RX_RING] = { "rx_ring", COLUMN_GAUGE, "descriptors", "receive ring size now", "ETHTOOL_GRINGPARAM" },
    [RX_RING_MAX] = { "rx_ring_max", COLUMN_GAUGE, "descriptors", "largest receive ring size",
                      "ETHTOOL_GRINGPARAM" },
    [TX_RING] = { "tx_ring", COLUMN_GAUGE, "descriptors", "transmit ring size now", "ETHTOOL_GRINGPARAM" },
    [TX_RING_MAX] = { "tx_ring_max", COLUMN_GAUGE, "descriptors", "largest transmit ring size",
                      "ETHTOOL_GRINGPARAM" },
    [CHANNELS] = { "channels", COLUMN_GAUGE, "queues", "receive queues now: combined and receive-only",
                   "ETHTOOL_GCHANNELS" },
    [CHANNELS_MAX] = { "channels_max", COLUMN_GAUGE, "queues", "most receive queues", "ETHTOOL_GCHANNELS" },
    [RING_DROPS] = { "ring_drops", COLUMN_COUNTER, "packets",
                     "received packets lost for want of a free descriptor: the host was too slow",
                     "ETHTOOL_GSTATS" },
    [ALLOC_FAILS] = { "alloc_fails", COLUMN_COUNTER, "events",
                      "receive buffers the host had no memory for", "ETHTOOL_GSTATS" },
    [PHY_DROPS] = { "phy_drops", COLUMN_COUNTER, "packets",
                    "received packets lost in the adapter's own buffer: bus or flow control",
                    "ETHTOOL_GSTATS" },
    [BAD_FRAMES] = { "bad_frames", COLUMN_COUNTER, "packets", "damaged frames: checksum, length, symbol",
                     "ETHTOOL_GSTATS" },
    [STEER_MISSES] = { "steer_misses", COLUMN_COUNTER, "packets",
                       "packets that no steering rule matched; no loss by itself", "ETHTOOL_GSTATS" },
    [XDP_DROPS] = { "xdp_drops", COLUMN_COUNTER, "packets", "packets an XDP program dropped",
                    "ETHTOOL_GSTATS" },
    [PROVIDER_LIMIT_DROPS] = { "provider_limit_drops", COLUMN_COUNTER, "packets",
                               "packets the cloud provider dropped above an allowance, all kinds",
                               "ETHTOOL_GSTATS" },
    [TX_DROPS] = { "tx_drops", COLUMN_COUNTER, "packets", "packets the driver dropped on the way out",
                   "ETHTOOL_GSTATS" },
};

const struct table nic_table = { "nic", "rings and loss counters of each adapter, the same for every driver",
                                 "network namespace, interface", "ethtool ioctl", columns, N_COLUMNS, 2 };
