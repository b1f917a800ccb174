// SPDX-License-Identifier: GPL-2.0-or-later
// Settings
#include "rules/setting.h"

#include <string.h>

#define SYSCTL(column, locus)                                                                      \
    { "sysctl", column, locus, SCOPE_PLACE, NULL, false }

const struct setting settings[] = {
    SYSCTL("rmem_default_bytes", "socket-queue"),
    SYSCTL("rmem_max_bytes", "socket-queue"),
    SYSCTL("wmem_default_bytes", "send-buffer"),
    SYSCTL("wmem_max_bytes", "send-buffer"),
    SYSCTL("netdev_max_backlog", "backlog"),
    SYSCTL("netdev_budget", "backlog"),
    SYSCTL("netdev_budget_usecs", "backlog"),
    SYSCTL("dev_weight", "backlog"),
    SYSCTL("flow_limit_cpu_bitmap", "backlog"),
    SYSCTL("flow_limit_table_len", "backlog"),
    SYSCTL("udp_mem_min_pages", "udp-memory"),
    SYSCTL("udp_rmem_min_bytes", "udp-memory"),
    SYSCTL("nf_conntrack_max", "conntrack"),
    SYSCTL("nf_conntrack_buckets", "conntrack"),
    SYSCTL("ipfrag_high_thresh_bytes", "reassembly"),
    SYSCTL("ipfrag_low_thresh_bytes", "reassembly"),
    SYSCTL("ipfrag_time_s", "reassembly"),
    SYSCTL("ipfrag_max_dist", "reassembly"),
    SYSCTL("ip6frag_high_thresh_bytes", "reassembly"),
    SYSCTL("ip6frag_low_thresh_bytes", "reassembly"),
    SYSCTL("ip6frag_time_s", "reassembly"),
    SYSCTL("nf_conntrack_frag6_high_thresh_bytes", "reassembly"),
    SYSCTL("rp_filter_all", "rp-filter"),
    SYSCTL("rp_filter_default", "rp-filter"),
    SYSCTL("igmp_force_version", "multicast-not-joined"),
    { "nic", "rx_ring", "nic", SCOPE_PLACE, "receive ring", false },
    { "nic", "tx_ring", "tx-driver", SCOPE_PLACE, "transmit ring", false },
    { "nic", "channels", "nic", SCOPE_PLACE, "channels", false },
    { "link", "mtu_bytes", "reassembly", SCOPE_PLACE, "MTU", false },
    { "link", "tx_queue_length", "qdisc", SCOPE_PLACE, "transmit queue", false },
    { "link", "rp_filter", "rp-filter", SCOPE_PLACE, "rp_filter", false },
    { "socket", "rcvbuf_bytes", "socket-queue", SCOPE_PORT, "receive buffer", false },
    { "socket", "has_filter", "socket-filter", SCOPE_PORT, "filter", false },
    { "process", "nice", "socket-queue", SCOPE_PROCESS, "nice value", false },
    { "process", "stopped", "socket-queue", SCOPE_PROCESS, "stop", false },
    { "process", "cpus_allowed", "socket-queue", SCOPE_PROCESS, "allowed CPUs", false },
    { "cgroup", "quota_us", "socket-queue", SCOPE_CGROUP, "CPU quota", true },
    { "cgroup", "memory_high_bytes", "socket-queue", SCOPE_CGROUP, "MemoryHigh", true },
    { "cgroup", "memory_max_bytes", "socket-queue", SCOPE_CGROUP, "MemoryMax", true },
    { "cgroup", "socket_memory_max_bytes", "udp-memory", SCOPE_CGROUP, "limit of socket memory",
            true },
    { "cgroup", "frozen", "socket-queue", SCOPE_CGROUP, "freezer", false },
};
const size_t n_settings = sizeof(settings) / sizeof(settings[0]);

#define SLOW_LANE_MS 10000

int64_t setting_slack_ms(const char *table) {
    static const char *const slow[] = { "sysctl", "nic" };
    for (size_t i = 0; i < sizeof(slow) / sizeof(slow[0]); i++)
        if (strcmp(slow[i], table) == 0)
            return SLOW_LANE_MS;
    return 0;
}
