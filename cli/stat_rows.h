// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics rows
#pragma once

#include "core/table.h"

// One line of `stat`: a counter of IPv4 and its counterpart of IPv6.
struct stat_row {
    const char *group, *name; // "Udp", "RcvbufErrors"
    int ipv4, ipv6;           // columns of the snmp table; -1: there is none
};

// Pairs the counters of the snmp table. At most snmp->n_columns rows. Returns how many.
size_t stat_rows(const struct table *snmp, struct stat_row *rows);
// What `netstat -su` and `netstat -s` call it, or NULL.
const char *stat_words(const struct stat_row *row);
