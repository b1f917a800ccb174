// SPDX-License-Identifier: GPL-2.0-or-later
// One socket
//
// What a look tells about a socket, whichever way it came. Numbers are in host byte order,
// addresses in network order.
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>

#include "core/table.h"

struct socket_view {
    uint64_t cookie;          // 0: not known
    uint32_t inode;           // 0: no file
    uint8_t protocol, family; // IPPROTO_UDP or IPPROTO_UDPLITE; AF_INET or AF_INET6
    bool connected;
    uint16_t port, peer_port;
    uint32_t address[4], peer[4]; // IPv4: the first word; the others are 0
    uint32_t ifindex;             // bound device; 0: none, or not visible
    uint32_t uid;
    uint32_t queue; // bytes waiting
    uint32_t drops;
    bool has_drops;  // else 0
    bool has_memory; // the four below are known
    int32_t rmem;    // charged to the buffer; negative by kernel bugs only
    uint32_t rcvbuf, wmem, sndbuf;
    uint64_t cgroup; // id of its cgroup, version 2; 0: not known
};

// Called for each socket: 0, or -errno to give up.
typedef int socket_visit(void *userdata, const struct socket_view *view);

// Parses net/udp, net/udp6, net/udplite or net/udplite6 and visits its sockets. 0, or what `visit`
// returned.
struct parse_problem;
int parse_net_udp(const char *text, size_t length, uint8_t family, uint8_t protocol,
        socket_visit *visit, void *userdata, struct parse_problem *problem);
