// SPDX-License-Identifier: GPL-2.0-or-later
// Driver counters
//
// What ethtool -S prints has names of each driver's own. They are brought to one set of columns
// here.
#pragma once

#include "core/table.h"

// Columns of table nic.
enum {
    NIC_NETNS,
    NIC_INTERFACE,
    NIC_DRIVER,
    NIC_RX_RING,
    NIC_RX_RING_MAX,
    NIC_TX_RING,
    NIC_TX_RING_MAX,
    NIC_CHANNELS,
    NIC_CHANNELS_MAX,
    NIC_RING_DROPS,
    NIC_DRIVER_DROPS,
    NIC_ALLOC_FAILS,
    NIC_PHY_DROPS,
    NIC_BAD_FRAMES,
    NIC_STEER_MISSES,
    NIC_XDP_DROPS,
    NIC_PROVIDER_LIMIT_DROPS,
    NIC_LINK_LOCAL_DROPS,
    NIC_TX_DROPS,
    N_NIC_COLUMNS,
};

#define NIC_NAME_SIZE 32 // ETH_GSTRING_LEN; a name that long has no NUL at its end

// A value that counts for a column; negative ones are contained in another and taken off.
struct nic_pick {
    unsigned index;
    unsigned char column;
    bool negative;
};

// Chooses among the names of a driver those that count. Returns how many were stored in `picks`,
// which has room for 2 * n, or needs none (NULL) to learn the number.
size_t nic_stats_choose(
        const char *driver, const char (*names)[NIC_NAME_SIZE], size_t n, struct nic_pick *picks);
// Sums the chosen values into the row; columns without any stay NULL.
void nic_stats_sum(const struct nic_pick *picks, size_t n, const uint64_t *values, cell *row);
