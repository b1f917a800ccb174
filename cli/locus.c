// SPDX-License-Identifier: GPL-2.0-or-later
// Loci in words
#include "cli/locus.h"

#include <string.h>

static const struct {
    const char *id, *name, *place;
} loci[] = {
    { "nic", "network adapter", "at the network adapter" },
    { "xdp", "XDP program", "by an XDP program" },
    { "tc-ingress", "tc ingress filter", "by a tc ingress filter" },
    { "backlog", "softnet backlog", "at the softnet backlog" },
    { "ip-input", "IP input", "in IP input" },
    { "rp-filter", "reverse-path filter", "by the reverse-path filter" },
    { "netfilter", "firewall", "by the firewall" },
    { "conntrack", "connection tracking", "by connection tracking" },
    { "multicast-not-joined", "multicast groups", "as multicast of groups not joined" },
    { "reassembly", "reassembly", "in reassembly" },
    { "no-listener", "no listener", "at ports without a listener" },
    { "checksum", "checksum", "for a bad checksum" },
    { "malformed", "malformed datagrams", "as malformed" },
    { "socket-filter", "socket filter", "by a socket filter" },
    { "udp-memory", "UDP memory", "at the UDP memory limit" },
    { "socket-queue", "socket queue", "at the socket queue" },
    { "closed-unread", "unread at close", "unread when their socket was closed" },
    { "unexplained", "unexplained errors", "at a place that the counters do not tell" },
    { "send-buffer", "send buffer", "at the send buffer" },
    { "qdisc", "queueing discipline", "at a queueing discipline" },
    { "send-route", "no route", "for want of a route" },
    { "send-fragment", "fragments sent", "while being sent in fragments" },
    { "neighbour", "neighbour", "waiting for a neighbour's address" },
    { "send-filter", "output filter", "by an output filter" },
    { "tx-driver", "transmit driver", "in the transmit driver" },
};

const char *locus_name(const char *id) {
    for (size_t i = 0; i < sizeof(loci) / sizeof(loci[0]); i++)
        if (strcmp(loci[i].id, id) == 0)
            return loci[i].name;
    return id;
}

const char *locus_place(const char *id) {
    for (size_t i = 0; i < sizeof(loci) / sizeof(loci[0]); i++)
        if (strcmp(loci[i].id, id) == 0)
            return loci[i].place;
    return id;
}
