// SPDX-License-Identifier: GPL-2.0-or-later
// Collector list
//
// Each collector stands in the file of its name; collectors.c puts them in order.
#pragma once

#include "collectors/collector.h"

extern const struct collector snmp_collector, sockstat_collector, sysctl_collector, conntrack_collector;
extern const struct collector softnet_collector, cpu_collector, pressure_collector, memory_collector;
extern const struct collector link_collector, qdisc_collector, nic_collector;
extern const struct collector disk_collector, mount_collector;
