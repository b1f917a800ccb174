// SPDX-License-Identifier: GPL-2.0-or-later
// Statistics rows
#include "cli/stat_rows.h"

#include <string.h>

// How nstat names begin, longer ones first, and the group they are shown in.
static const struct prefix {
    const char *text, *group;
    bool ipv6;
} prefixes[] = {
    { "UdpLite6", "UdpLite", true },
    { "UdpLite", "UdpLite", false },
    { "Udp6", "Udp", true },
    { "Udp", "Udp", false },
    { "Icmp6", "Icmp", true },
    { "Icmp", "Icmp", false },
    { "Ip6", "Ip", true },
    { "IpExt", "Ip", false },
    { "Ip", "Ip", false },
    { "TcpExt", "TcpExt", false },
};

static const struct prefix *prefix_of(const char *field) {
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (strncmp(field, prefixes[i].text, strlen(prefixes[i].text)) == 0)
            return &prefixes[i];
    return NULL;
}

static struct stat_row *find_row(
        struct stat_row *rows, size_t n, const char *group, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(rows[i].group, group) == 0 && strcmp(rows[i].name, name) == 0)
            return &rows[i];
    return NULL;
}

size_t stat_rows(const struct table *snmp, struct stat_row *rows) {
    size_t n = 0;
    for (size_t i = 0; i < snmp->n_columns; i++) {
        const struct column *column = &snmp->columns[i];
        const struct prefix *prefix = column->field ? prefix_of(column->field) : NULL;
        if (column->kind != COLUMN_COUNTER || !prefix)
            continue;
        const char *name = column->field + strlen(prefix->text);
        struct stat_row *row = find_row(rows, n, prefix->group, name);
        if (!row) {
            row = &rows[n++];
            *row = (struct stat_row){ prefix->group, name, -1, -1 };
        }
        *(prefix->ipv6 ? &row->ipv6 : &row->ipv4) = (int) i;
    }
    return n;
}

const char *stat_words(const struct stat_row *row) {
    static const struct {
        const char *group, *name, *words;
    } known[] = {
        { "Udp", "InDatagrams", "packets received" },
        { "Udp", "NoPorts", "packets to unknown port received" },
        { "Udp", "InErrors", "packet receive errors" },
        { "Udp", "OutDatagrams", "packets sent" },
        { "Udp", "RcvbufErrors", "receive buffer errors" },
        { "Udp", "SndbufErrors", "send buffer errors" },
        { "Ip", "InReceives", "total packets received" },
        { "Ip", "InHdrErrors", "with invalid headers" },
        { "Ip", "InAddrErrors", "with invalid addresses" },
        { "Ip", "InUnknownProtos", "with unknown protocol" },
        { "Ip", "InDiscards", "incoming packets discarded" },
        { "Ip", "InDelivers", "incoming packets delivered" },
        { "Ip", "OutRequests", "requests sent out" },
        { "Ip", "OutDiscards", "outgoing packets dropped" },
        { "Ip", "OutNoRoutes", "dropped because of missing route" },
        { "Ip", "ReasmTimeout", "fragments dropped after timeout" },
        { "Ip", "ReasmReqds", "reassemblies required" },
        { "Ip", "ReasmOKs", "packets reassembled ok" },
        { "Ip", "ReasmFails", "packet reassemblies failed" },
    };
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
        if (strcmp(row->group, known[i].group) == 0 && strcmp(row->name, known[i].name) == 0)
            return known[i].words;
    return NULL;
}
