// SPDX-License-Identifier: GPL-2.0-or-later
// Sysctl limits
//
// /proc/sys/net shows the namespace of the thread that looks, so that other namespaces need one
// that enters them. What is one for the whole host stands first, and has a value only in the host row.
#include "collectors/list.h"

#define G(name, field, unit, help) { name, COLUMN_GAUGE, unit, help, field }

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    G("rmem_default_bytes", "net.core.rmem_default", "bytes", "receive buffer of a new socket"),
    G("rmem_max_bytes", "net.core.rmem_max", "bytes", "largest SO_RCVBUF (the kernel doubles it)"),
    G("wmem_default_bytes", "net.core.wmem_default", "bytes", "send buffer of a new socket"),
    G("wmem_max_bytes", "net.core.wmem_max", "bytes", "largest SO_SNDBUF (the kernel doubles it)"),
    G("netdev_max_backlog", "net.core.netdev_max_backlog", "packets",
      "limit of each CPU's backlog"),
    G("netdev_budget", "net.core.netdev_budget", "packets", "packets per softirq round"),
    G("netdev_budget_usecs", "net.core.netdev_budget_usecs", "us", "time per softirq round"),
    G("dev_weight", "net.core.dev_weight", "packets", "packets per device and poll"),
    { "flow_limit_cpu_bitmap", COLUMN_TEXT, "", "CPUs that limit single flows, hexadecimal",
      "net.core.flow_limit_cpu_bitmap" },
    G("flow_limit_table_len", "net.core.flow_limit_table_len", "buckets", "flow limit table"),
    G("udp_mem_min_pages", "net.ipv4.udp_mem[0]", "pages",
      "UDP memory from which the kernel drops"),
    G("udp_mem_pressure_pages", "net.ipv4.udp_mem[1]", "pages", "no effect on UDP"),
    G("udp_mem_max_pages", "net.ipv4.udp_mem[2]", "pages", "no effect on UDP beyond udp_mem[0]"),
    G("nf_conntrack_max", "net.netfilter.nf_conntrack_max", "entries",
      "limit of each namespace's connection table"),
    G("nf_conntrack_buckets", "net.netfilter.nf_conntrack_buckets", "buckets",
      "connection hash table"),
    G("task_delayacct", "kernel.task_delayacct", "", "delay accounting is on (1) or off (0)"),
    G("udp_rmem_min_bytes", "net.ipv4.udp_rmem_min", "bytes",
      "receive memory that a socket may use although UDP memory is short"),
    G("ipfrag_high_thresh_bytes", "net.ipv4.ipfrag_high_thresh", "bytes",
      "memory for incomplete datagrams from which fragments are refused"),
    G("ipfrag_low_thresh_bytes", "net.ipv4.ipfrag_low_thresh", "bytes",
      "must not exceed the high threshold; no other effect since 4.17"),
    G("ipfrag_time_s", "net.ipv4.ipfrag_time", "s", "time to wait for missing fragments"),
    G("ipfrag_max_dist", "net.ipv4.ipfrag_max_dist", "fragments",
      "other fragments of one source allowed between two of a datagram; 0: off"),
    G("ip6frag_high_thresh_bytes", "net.ipv6.ip6frag_high_thresh", "bytes",
      "memory for incomplete datagrams from which fragments are refused"),
    G("ip6frag_low_thresh_bytes", "net.ipv6.ip6frag_low_thresh", "bytes",
      "must not exceed the high threshold; no other effect since 4.17"),
    G("ip6frag_time_s", "net.ipv6.ip6frag_time", "s", "time to wait for missing fragments"),
    G("nf_conntrack_frag6_high_thresh_bytes", "net.netfilter.nf_conntrack_frag6_high_thresh",
      "bytes", "replaces ip6frag_high_thresh where conntrack is in use"),
    G("nf_conntrack_frag6_low_thresh_bytes", "net.netfilter.nf_conntrack_frag6_low_thresh", "bytes",
      "must not exceed the high threshold"),
    G("nf_conntrack_frag6_timeout_s", "net.netfilter.nf_conntrack_frag6_timeout", "s",
      "replaces ip6frag_time where conntrack is in use"),
    G("rp_filter_all", "net.ipv4.conf.all.rp_filter", "",
      "reverse path filter: 0 off, 1 strict, 2 loose; of this and the interface's the higher holds"),
    G("rp_filter_default", "net.ipv4.conf.default.rp_filter", "", "for new interfaces"),
    G("log_martians_all", "net.ipv4.conf.all.log_martians", "", "impossible addresses are logged"),
    G("igmp_force_version", "net.ipv4.conf.all.force_igmp_version", "",
      "forced IGMP version; 0: none"),
    G("ip_forward", "net.ipv4.ip_forward", "", "IPv4 is forwarded (1)"),
};

const struct table sysctl_table = {
    .name = "sysctl",
    .help = "limits and switches of the network stack",
    .per = "network namespace; limits of the whole host only in the row of \"host\"",
    .source = "/proc/sys/net, /proc/sys/kernel/task_delayacct",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};
