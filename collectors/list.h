// SPDX-License-Identifier: GPL-2.0-or-later
// Collector list
//
// Each collector stands in the file of its name, which defines NAME_table and NAME_collector.
#pragma once

#include "collectors/collector.h"

// In the order of the tables.
#define COLLECTOR_LIST(X) \
    X(snmp) \
    X(sockstat) \
    X(sysctl) \
    X(softnet) \
    X(link) \
    X(nic) \
    X(qdisc) \
    X(conntrack) \
    X(cpu) \
    X(pressure) \
    X(memory) \
    X(disk) \
    X(mount) \
    X(socket) \
    X(owner) \
    X(process) \
    X(cgroup) \
    X(kernel_log) \
    X(program_queue) \
    X(firewall_rule) \
    X(drop_site)

#define COLLECTOR_DECLARE(name) \
    extern const struct table name##_table; \
    extern const struct collector name##_collector;
COLLECTOR_LIST(COLLECTOR_DECLARE)
#undef COLLECTOR_DECLARE
