// SPDX-License-Identifier: GPL-2.0-or-later
// Hand-made frames
#pragma once

#include <net/ethernet.h>
#include <netinet/in.h>
#include <netinet/udp.h>

#include "lab/stream.h"

#define FRAME_HEADS 100 // bytes, with Ethernet and IPv6 and fragment headers
#define FRAME_MAX (9000 + FRAME_HEADS)

struct frame_flow {
    bool v6;
    struct in_addr from4, to4;
    struct in6_addr from6, to6;
    unsigned char to_mac[ETH_ALEN], from_mac[ETH_ALEN];
};

struct frame_part { // what of the datagram one frame carries
    uint32_t id;
    size_t offset, length;
    bool more;
};

// The heads of IP that each fragment has: bytes.
size_t frame_head_size(const struct frame_flow *flow);
// Ethernet and IP heads of one frame into `at`. How many bytes.
size_t frame_heads(char *at, const struct frame_flow *flow, const struct frame_part *part,
        enum frame_damage damage);
// Of a UDP datagram whose checksum field is 0; host order.
uint16_t frame_udp_checksum(const struct frame_flow *flow, const void *datagram, size_t length);
