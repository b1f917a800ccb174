// SPDX-License-Identifier: GPL-2.0-or-later
// Format list
//
// Each format stands in the file of its name (with _ for -), which defines format_NAME.
#pragma once

#include "formats/format.h"

// Where two are equally sure, the first is taken.
#define FORMAT_LIST(X) \
    X(netstat_s) \
    X(nstat) \
    X(proc_snmp) \
    X(proc_snmp6) \
    X(sysctl) \
    X(uptime) \
    X(uname) \
    X(stamp) \
    X(ss) \
    X(net_udp) \
    X(netstat_sockets) \
    X(sockstat) \
    X(proc_meminfo) \
    X(proc_vmstat) \
    X(proc_diskstats) \
    X(proc_stat) \
    X(sysstat) \
    X(pidstat) \
    X(softnet) \
    X(conntrack) \
    X(net_dev) \
    X(netstat_i) \
    X(ip_link) \
    X(ifconfig) \
    X(ethtool_stats) \
    X(ethtool) \
    X(tc_qdisc) \
    X(vmstat) \
    X(vmstat_s) \
    X(free) \
    X(df) \
    X(df_h) \
    X(known) \
    X(ps) \
    X(top) \
    X(proc_path) \
    X(impstats) \
    X(kernel_log) \
    X(drop_sites) \
    X(deltas) \
    X(proc_pid) \
    X(firewall) \
    X(link_statistics)

#define FORMAT_DECLARE(name) extern const struct format format_##name;
FORMAT_LIST(FORMAT_DECLARE)
#undef FORMAT_DECLARE

extern const struct format *const formats[];
extern const size_t n_formats;
