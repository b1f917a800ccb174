// SPDX-License-Identifier: GPL-2.0-or-later
// Network adapters
#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/ethtool.h"
#include "collectors/list.h"
#include "collectors/rtnl.h"
#include "core/nic_stats.h"

static const struct column columns[N_NIC_COLUMNS] = {
    [NIC_NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [NIC_INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", NULL },
    [NIC_DRIVER] = { "driver", COLUMN_TEXT, "",
            "driver: it decides what the counters of ethtool -S mean", "ETHTOOL_GDRVINFO" },
    [NIC_RX_RING] = { "rx_ring", COLUMN_GAUGE, "descriptors", "receive ring size now",
            "ETHTOOL_GRINGPARAM" },
    [NIC_RX_RING_MAX] = { "rx_ring_max", COLUMN_GAUGE, "descriptors", "largest receive ring size",
            "ETHTOOL_GRINGPARAM" },
    [NIC_TX_RING] = { "tx_ring", COLUMN_GAUGE, "descriptors", "transmit ring size now",
            "ETHTOOL_GRINGPARAM" },
    [NIC_TX_RING_MAX] = { "tx_ring_max", COLUMN_GAUGE, "descriptors", "largest transmit ring size",
            "ETHTOOL_GRINGPARAM" },
    [NIC_CHANNELS] = { "channels", COLUMN_GAUGE, "queues",
            "receive queues now: combined and receive-only", "ETHTOOL_GCHANNELS" },
    [NIC_CHANNELS_MAX] = { "channels_max", COLUMN_GAUGE, "queues", "most receive queues",
            "ETHTOOL_GCHANNELS" },
    [NIC_RING_DROPS] = { "ring_drops", COLUMN_COUNTER, "packets",
            "received packets lost for want of a free descriptor: the host was too slow",
            "ETHTOOL_GSTATS" },
    [NIC_DRIVER_DROPS] = { "driver_drops", COLUMN_COUNTER, "packets",
            "received packets the driver itself dropped: unusable, or no memory for them",
            "ETHTOOL_GSTATS" },
    [NIC_ALLOC_FAILS] = { "alloc_fails", COLUMN_COUNTER, "events",
            "receive buffers the host had no memory for", "ETHTOOL_GSTATS" },
    [NIC_PHY_DROPS] = { "phy_drops", COLUMN_COUNTER, "packets",
            "received packets lost in the adapter's own buffer: bus or flow control",
            "ETHTOOL_GSTATS" },
    [NIC_BAD_FRAMES] = { "bad_frames", COLUMN_COUNTER, "packets",
            "damaged frames: checksum, length, symbol", "ETHTOOL_GSTATS" },
    [NIC_STEER_MISSES] = { "steer_misses", COLUMN_COUNTER, "packets",
            "packets that no steering rule matched; no loss by itself", "ETHTOOL_GSTATS" },
    [NIC_XDP_DROPS] = { "xdp_drops", COLUMN_COUNTER, "packets", "packets an XDP program dropped",
            "ETHTOOL_GSTATS" },
    [NIC_PROVIDER_LIMIT_DROPS] = { "provider_limit_drops", COLUMN_COUNTER, "packets",
            "packets the cloud provider dropped above an allowance, all kinds", "ETHTOOL_GSTATS" },
    [NIC_LINK_LOCAL_DROPS] = { "link_local_drops", COLUMN_COUNTER, "packets",
            "of these, packets to the provider's own services: DNS, time, metadata",
            "ETHTOOL_GSTATS" },
    [NIC_TX_DROPS] = { "tx_drops", COLUMN_COUNTER, "packets",
            "packets the driver dropped on the way out", "ETHTOOL_GSTATS" },
};

const struct table nic_table = {
    .name = "nic",
    .help = "rings and loss counters of each adapter, the same for every driver",
    .per = "network namespace and interface",
    .source = "ethtool ioctl",
    .columns = columns,
    .n_columns = N_NIC_COLUMNS,
    .n_keys = 2,
};

struct adapter {
    int ifindex;
    char name[IFNAMSIZ];
    bool listed; // in this look
    // What the counters were chosen for.
    char driver[32];
    unsigned n_stats;
    struct nic_pick *picks;
    size_t n_picks;
};

struct nics {
    struct rtnl rtnl;
    struct ethtool ethtool;
    struct adapter *adapters;
    size_t n, capacity;
};

static int start(struct collect_context *context, void **ret_state) {
    struct nics *nics = calloc(1, sizeof(*nics));
    if (!nics)
        return -ENOMEM;
    nics->ethtool = ETHTOOL_CLOSED;
    *ret_state = nics;
    return 0;
}

static void stop(void *state) {
    struct nics *nics = state;
    rtnl_close(&nics->rtnl);
    ethtool_close(&nics->ethtool);
    for (size_t i = 0; i < nics->n; i++)
        free(nics->adapters[i].picks);
    free(nics->adapters);
    free(nics);
}

static struct adapter *find(struct nics *nics, int ifindex) {
    for (size_t i = 0; i < nics->n; i++)
        if (nics->adapters[i].ifindex == ifindex)
            return &nics->adapters[i];
    if (nics->n == nics->capacity) {
        size_t capacity = nics->capacity ? nics->capacity * 2 : 4;
        struct adapter *adapters = reallocarray(nics->adapters, capacity, sizeof(*adapters));
        if (!adapters)
            return NULL;
        nics->adapters = adapters;
        nics->capacity = capacity;
    }
    nics->adapters[nics->n] = (struct adapter){ .ifindex = ifindex };
    return &nics->adapters[nics->n++];
}

static bool has_kind(struct nlattr *info) {
    return info && nla_find(nla_data(info), nla_len(info), IFLA_INFO_KIND);
}

static bool has_xdp(struct nlattr *xdp) {
    struct nlattr *attached = xdp ? nla_find(nla_data(xdp), nla_len(xdp), IFLA_XDP_ATTACHED) : NULL;
    return attached && nla_len(attached) >= 1 && nla_get_u8(attached) != XDP_ATTACHED_NONE;
}

// Devices that were made by software name their kind. Of these only the losses by XDP matter, which
// no other counter shows; also the last ones of a program that was taken off since the look before.
static bool is_wanted(const struct nics *nics, const struct ifinfomsg *info, struct nlattr **a) {
    if (info->ifi_flags & IFF_LOOPBACK)
        return false;
    if (!has_kind(a[IFLA_LINKINFO]) || has_xdp(a[IFLA_XDP]))
        return true;
    for (size_t i = 0; i < nics->n; i++)
        if (nics->adapters[i].ifindex == info->ifi_index)
            return true;
    return false;
}

static int visit(void *userdata, struct nlmsghdr *message) {
    struct nics *nics = userdata;
    struct nlattr *a[IFLA_XDP + 1];
    for (size_t i = 0; !message && i < nics->n; i++)
        nics->adapters[i].listed = false;
    if (!message || message->nlmsg_type != RTM_NEWLINK ||
            nlmsg_parse(message, sizeof(struct ifinfomsg), a, IFLA_XDP, NULL) < 0 ||
            !a[IFLA_IFNAME])
        return 0;
    const struct ifinfomsg *info = nlmsg_data(message);
    if (!is_wanted(nics, info, a))
        return 0;
    struct adapter *adapter = find(nics, info->ifi_index);
    if (!adapter)
        return -ENOMEM;
    nla_strlcpy(adapter->name, a[IFLA_IFNAME], sizeof(adapter->name));
    adapter->listed = true;
    return 0;
}

static void forget_unlisted(struct nics *nics) {
    size_t kept = 0;
    for (size_t i = 0; i < nics->n; i++) {
        if (nics->adapters[i].listed)
            nics->adapters[kept++] = nics->adapters[i];
        else
            free(nics->adapters[i].picks);
    }
    nics->n = kept;
}

// Chooses the counters, again when the driver or the number of counters is another (a change of
// channels).
static int choose(struct nics *nics, struct adapter *adapter, const struct ethtool_drvinfo *driver,
        unsigned n) {
    if (adapter->picks && adapter->n_stats == n && strcmp(adapter->driver, driver->driver) == 0)
        return 0;
    const char(*names)[ETH_GSTRING_LEN];
    int r = ethtool_names(&nics->ethtool, adapter->name, n, &names);
    if (r < 0)
        return r;
    struct nic_pick *picks = reallocarray(NULL, n * 2 + 1, sizeof(*picks));
    if (!picks)
        return -ENOMEM;
    size_t n_picks = nic_stats_choose(driver->driver, names, n, picks);
    struct nic_pick *fitting = reallocarray(picks, n_picks + 1, sizeof(*picks));
    if (!fitting) {
        free(picks);
        return -ENOMEM;
    }
    free(adapter->picks);
    adapter->picks = fitting;
    adapter->n_picks = n_picks;
    adapter->n_stats = n;
    snprintf(adapter->driver, sizeof(adapter->driver), "%s", driver->driver);
    return 0;
}

#define MAX_TRIES 3 // the number of counters may change between two questions

static int add_counters(struct nics *nics, struct adapter *adapter,
        const struct ethtool_drvinfo *driver, cell *row) {
    const uint64_t *values;
    unsigned n;
    int r = -EAGAIN;
    for (size_t i = 0; i < MAX_TRIES && r == -EAGAIN; i++) {
        r = ethtool_count(&nics->ethtool, adapter->name, &n);
        if (r == 0)
            r = choose(nics, adapter, driver, n);
        if (r == 0)
            r = ethtool_stats(&nics->ethtool, adapter->name, n, &values);
    }
    if (r == 0)
        nic_stats_sum(adapter->picks, adapter->n_picks, values, row);
    return r;
}

static void add_rings(struct nics *nics, const char *interface, cell *row) {
    struct ethtool_ringparam rings;
    if (ethtool_rings(&nics->ethtool, interface, &rings) == 0) {
        row[NIC_RX_RING] = rings.rx_pending;
        row[NIC_RX_RING_MAX] = rings.rx_max_pending;
        row[NIC_TX_RING] = rings.tx_pending;
        row[NIC_TX_RING_MAX] = rings.tx_max_pending;
    }
    struct ethtool_channels channels;
    if (ethtool_channels(&nics->ethtool, interface, &channels) == 0) {
        row[NIC_CHANNELS] = (cell) channels.combined_count + channels.rx_count;
        row[NIC_CHANNELS_MAX] = (cell) channels.max_combined + channels.max_rx;
    }
}

// 0 or -errno; what the driver lacks is NULL.
static int add_adapter(
        struct nics *nics, struct adapter *adapter, const char *netns, struct rows *rows) {
    struct ethtool_drvinfo driver;
    int r = ethtool_driver(&nics->ethtool, adapter->name, &driver);
    if (r < 0)
        return r;
    driver.driver[sizeof(driver.driver) - 1] = '\0';
    cell *row = rows_add(rows);
    if (!row)
        return -ENOMEM;
    row[NIC_NETNS] = rows_put_text(rows, netns, strlen(netns));
    row[NIC_INTERFACE] = rows_put_text(rows, adapter->name, strlen(adapter->name));
    row[NIC_DRIVER] = rows_put_text(rows, driver.driver, strlen(driver.driver));
    add_rings(nics, adapter->name, row);
    return add_counters(nics, adapter, &driver, row);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    if (!context->source->live) {
        outcome_set(outcome, OUTCOME_ABSENT, "a directory cannot be asked for ethtool counters");
        return;
    }
    struct nics *nics = state;
    struct {
        struct nlmsghdr header;
        struct ifinfomsg info;
        struct nlattr attribute;
        uint32_t filter;
    } request = {
        .header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETLINK },
        .attribute = { .nla_len = NLA_HDRLEN + 4, .nla_type = IFLA_EXT_MASK },
        .filter = RTEXT_FILTER_SKIP_STATS,
    };
    int r = rtnl_dump(&nics->rtnl, &request.header, visit, nics);
    if (r < 0) {
        rtnl_report(&nics->rtnl, outcome, "interfaces", r);
        return;
    }
    forget_unlisted(nics);
    const char *netns = rtnl_netns_name(context);
    for (size_t i = 0; i < nics->n; i++) {
        r = add_adapter(nics, &nics->adapters[i], netns, rows);
        if (r < 0 && r != -EOPNOTSUPP && r != -ENODEV && outcome->state == OUTCOME_OK)
            outcome_set(outcome, r == -EPERM ? OUTCOME_DENIED : OUTCOME_FAILED, "%s: %s",
                    nics->adapters[i].name, strerror(-r));
    }
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "no adapter with hardware in this network namespace");
}

const struct collector nic_collector = { &nic_table, LANE_SLOW, start, collect, stop };
