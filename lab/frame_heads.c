// SPDX-License-Identifier: GPL-2.0-or-later
// Frame heads
#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <string.h>

#include "lab/frames.h"

enum { HOP_LIMIT = 64, ETHERTYPE_EXPERIMENT = 0x88b5 };

static uint32_t sum(uint32_t start, const void *data, size_t length) {
    const unsigned char *bytes = data;
    for (size_t i = 0; i + 1 < length; i += 2)
        start += (uint32_t) bytes[i] << 8 | bytes[i + 1];
    if (length % 2)
        start += (uint32_t) bytes[length - 1] << 8;
    while (start >> 16)
        start = (start & 0xffff) + (start >> 16);
    return start;
}

uint16_t frame_udp_checksum(const struct frame_flow *flow, const void *datagram, size_t length) {
    uint32_t s = (uint32_t) (IPPROTO_UDP + length);
    if (flow->v6)
        s = sum(sum(s, &flow->from6, sizeof flow->from6), &flow->to6, sizeof flow->to6);
    else
        s = sum(sum(s, &flow->from4, sizeof flow->from4), &flow->to4, sizeof flow->to4);
    uint16_t folded = (uint16_t) ~sum(s, datagram, length);
    return folded ? folded : 0xffff; // 0 would mean: no checksum
}

size_t frame_head_size(const struct frame_flow *flow) {
    return flow->v6 ? sizeof(struct ip6_hdr) + sizeof(struct ip6_frag) : sizeof(struct iphdr);
}

static size_t put_ipv4(char *at, const struct frame_flow *flow, const struct frame_part *part,
        enum frame_damage damage) {
    size_t claimed = part->length + (damage == FRAME_TRUNCATED ? 100 : 0);
    struct iphdr ip = { .version = damage == FRAME_BAD_VERSION ? 5 : 4,
        .ihl = 5,
        .ttl = HOP_LIMIT,
        .protocol = IPPROTO_UDP,
        .tot_len = htons((uint16_t) (sizeof ip + claimed)),
        .id = htons((uint16_t) part->id),
        .frag_off = htons((uint16_t) (part->offset / 8 | (part->more ? IP_MF : 0))),
        .saddr = flow->from4.s_addr,
        .daddr = flow->to4.s_addr };
    ip.check = htons((uint16_t) ~sum(0, &ip, sizeof ip));
    if (damage == FRAME_BAD_IP_CHECKSUM)
        ip.check ^= 0x5555;
    memcpy(at, &ip, sizeof ip);
    return sizeof ip;
}

static size_t put_ipv6(char *at, const struct frame_flow *flow, const struct frame_part *part,
        enum frame_damage damage) {
    struct ip6_frag fragment = { .ip6f_nxt = IPPROTO_UDP,
        .ip6f_ident = htonl(part->id),
        .ip6f_offlg = htons((uint16_t) (part->offset | part->more)) };
    bool whole = !part->offset && !part->more;
    size_t claimed =
            part->length + (whole ? 0 : sizeof fragment) + (damage == FRAME_TRUNCATED ? 100 : 0);
    struct ip6_hdr ip = { .ip6_src = flow->from6, .ip6_dst = flow->to6 };
    ip.ip6_vfc = (damage == FRAME_BAD_VERSION ? 5 : 6) << 4;
    ip.ip6_nxt = whole ? IPPROTO_UDP : IPPROTO_FRAGMENT;
    ip.ip6_hlim = HOP_LIMIT;
    ip.ip6_plen = htons((uint16_t) claimed);
    memcpy(at, &ip, sizeof ip);
    if (whole)
        return sizeof ip;
    memcpy(at + sizeof ip, &fragment, sizeof fragment);
    return sizeof ip + sizeof fragment;
}

size_t frame_heads(char *at, const struct frame_flow *flow, const struct frame_part *part,
        enum frame_damage damage) {
    uint16_t type = flow->v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IP;
    if (damage == FRAME_UNKNOWN_PROTOCOL)
        type = ETHERTYPE_EXPERIMENT;
    struct ether_header ethernet = { .ether_type = htons(type) };
    memcpy(ethernet.ether_dhost, flow->to_mac, ETH_ALEN);
    memcpy(ethernet.ether_shost, flow->from_mac, ETH_ALEN);
    if (damage == FRAME_OTHER_MAC)
        ethernet.ether_dhost[ETH_ALEN - 1] ^= 0x55;
    memcpy(at, &ethernet, sizeof ethernet);
    return sizeof ethernet +
           (flow->v6 ? put_ipv6 : put_ipv4)(at + sizeof ethernet, flow, part, damage);
}
