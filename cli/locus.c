// SPDX-License-Identifier: GPL-2.0-or-later
// Loci in words
#include "cli/locus.h"

#include <string.h>

enum { AT_SOCKET = 1, IN_DROPS = 2 };

static const struct {
    const char *id, *name, *place;
    unsigned flags;
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
    { "checksum", "checksum", "for a bad checksum", IN_DROPS },
    { "malformed", "malformed datagrams", "as malformed", IN_DROPS },
    { "socket-filter", "socket filter", "by a socket filter", AT_SOCKET | IN_DROPS },
    { "udp-memory", "UDP memory", "at the UDP memory limit", AT_SOCKET | IN_DROPS },
    { "socket-queue", "socket queue", "at the socket queue", AT_SOCKET | IN_DROPS },
    { "closed-unread", "unread at close", "unread when their socket was closed", AT_SOCKET },
    { "unexplained", "unexplained errors", "at a place that the counters do not tell" },
    { "send-buffer", "send buffer", "at the send buffer", AT_SOCKET },
    { "qdisc", "queueing discipline", "at a queueing discipline" },
    { "send-route", "no route", "for want of a route" },
    { "send-fragment", "fragments sent", "while being sent in fragments" },
    { "neighbour", "neighbour", "waiting for a neighbour's address" },
    { "send-filter", "output filter", "by an output filter" },
    { "tx-driver", "transmit driver", "in the transmit driver" },
};

static unsigned flags_of(const char *id) {
    for (size_t i = 0; i < sizeof(loci) / sizeof(loci[0]); i++)
        if (strcmp(loci[i].id, id) == 0)
            return loci[i].flags;
    return 0;
}

bool locus_at_socket(const char *id) {
    return flags_of(id) & AT_SOCKET;
}

// sk_drops: whatever __udp_queue_rcv_skb() and udp_queue_rcv_one_skb() refuse.
bool locus_in_socket_drops(const char *id) {
    return flags_of(id) & IN_DROPS;
}

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
