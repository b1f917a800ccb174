// SPDX-License-Identifier: GPL-2.0-or-later
// Ethtool questions
//
// The read-only ethtool ioctls, which need no privilege.
#pragma once

#include <linux/ethtool.h>
#include <stddef.h>
#include <stdint.h>

struct ethtool {
    int socket; // -1: not open
    // The kernel writes as many values as the device has at that moment, however much room was
    // meant for them: behind the buffer lies a page that cannot be written, so that a device that
    // has just grown gets EFAULT instead of our memory.
    void *buffer;
    size_t size;
};
#define ETHTOOL_CLOSED ((struct ethtool){ .socket = -1 })

// All: 0 or -errno; -EOPNOTSUPP: the driver has no such thing, -ENODEV: the interface is gone.
int ethtool_driver(struct ethtool *ethtool, const char *interface, struct ethtool_drvinfo *ret);
int ethtool_rings(struct ethtool *ethtool, const char *interface, struct ethtool_ringparam *ret);
int ethtool_channels(struct ethtool *ethtool, const char *interface, struct ethtool_channels *ret);
// How many values ethtool_stats() gives.
int ethtool_count(struct ethtool *ethtool, const char *interface, unsigned *ret);
// Names and values of the driver's counters, valid until the next call of either; -EAGAIN: there
// are not n of them any more.
int ethtool_names(struct ethtool *ethtool, const char *interface, unsigned n,
        const char (**ret)[ETH_GSTRING_LEN]);
int ethtool_stats(struct ethtool *ethtool, const char *interface, unsigned n, const uint64_t **ret);
void ethtool_close(struct ethtool *ethtool);
