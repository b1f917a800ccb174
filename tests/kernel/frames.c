// SPDX-License-Identifier: GPL-2.0-or-later
// Hand-made frames
//
// Sent by a packet socket, so that the receiver sees a frame as a wire would bring it: what a veth
// carries from an ordinary socket is CHECKSUM_PARTIAL, and its checksum is never looked at.
#include "traffic.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/ethernet.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/udp.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"

enum { HOP_LIMIT = 64, FRAME_MAX = 9000 + 100 };

struct flow {
    bool v6;
    struct in_addr from4, to4;
    struct in6_addr from6, to6;
    unsigned char to_mac[ETH_ALEN], from_mac[ETH_ALEN];
};

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

static uint16_t udp_checksum(const struct flow *flow, const void *datagram, size_t length) {
    uint32_t s = (uint32_t) (IPPROTO_UDP + length);
    if (flow->v6)
        s = sum(sum(s, &flow->from6, sizeof flow->from6), &flow->to6, sizeof flow->to6);
    else
        s = sum(sum(s, &flow->from4, sizeof flow->from4), &flow->to4, sizeof flow->to4);
    uint16_t folded = (uint16_t) ~sum(s, datagram, length);
    return folded ? folded : 0xffff; // 0 would mean: no checksum
}

static size_t put_ipv4(
        char *at, const struct flow *flow, size_t length, uint32_t id, size_t offset, bool more) {
    struct iphdr ip = { .version = 4,
        .ihl = 5,
        .ttl = HOP_LIMIT,
        .protocol = IPPROTO_UDP,
        .tot_len = htons((uint16_t) (sizeof ip + length)),
        .id = htons((uint16_t) id),
        .frag_off = htons((uint16_t) (offset / 8 | (more ? IP_MF : 0))),
        .saddr = flow->from4.s_addr,
        .daddr = flow->to4.s_addr };
    ip.check = htons((uint16_t) ~sum(0, &ip, sizeof ip));
    memcpy(at, &ip, sizeof ip);
    return sizeof ip;
}

static size_t put_ipv6(
        char *at, const struct flow *flow, size_t length, uint32_t id, size_t offset, bool more) {
    struct ip6_frag fragment = { .ip6f_nxt = IPPROTO_UDP,
        .ip6f_ident = htonl(id),
        .ip6f_offlg = htons((uint16_t) (offset | more)) };
    bool whole = !offset && !more;
    struct ip6_hdr ip = { .ip6_src = flow->from6, .ip6_dst = flow->to6 };
    ip.ip6_vfc = 6 << 4;
    ip.ip6_nxt = whole ? IPPROTO_UDP : IPPROTO_FRAGMENT;
    ip.ip6_hlim = HOP_LIMIT;
    ip.ip6_plen = htons((uint16_t) (length + (whole ? 0 : sizeof fragment)));
    memcpy(at, &ip, sizeof ip);
    if (whole)
        return sizeof ip;
    memcpy(at + sizeof ip, &fragment, sizeof fragment);
    return sizeof ip + sizeof fragment;
}

static int send_frame(int fd, const struct flow *flow, const char *data, size_t length, uint32_t id,
        size_t offset, bool more) {
    char frame[FRAME_MAX];
    struct ether_header ethernet = { .ether_type =
                                             htons(flow->v6 ? ETHERTYPE_IPV6 : ETHERTYPE_IP) };
    memcpy(ethernet.ether_dhost, flow->to_mac, ETH_ALEN);
    memcpy(ethernet.ether_shost, flow->from_mac, ETH_ALEN);
    memcpy(frame, &ethernet, sizeof ethernet);
    size_t n = sizeof ethernet;
    n += (flow->v6 ? put_ipv6 : put_ipv4)(frame + n, flow, length, id, offset, more);
    memcpy(frame + n, data + offset, length);
    // A full receiver backlog is what some scenarios are after, not a failure of the sender.
    return send(fd, frame, n + length, 0) < 0 && errno != ENOBUFS ? -errno : 0;
}

// One datagram in as many frames as the MTU asks for, one of them left out or sent once more if so
// wished.
static int send_datagram(int fd, const struct flow *flow, const struct options *options,
        const char *datagram, size_t length, uint32_t id, long *frames) {
    size_t head =
            flow->v6 ? sizeof(struct ip6_hdr) + sizeof(struct ip6_frag) : sizeof(struct iphdr);
    size_t room = options->mtu ? ((size_t) options->mtu - head) / 8 * 8 : length;
    long n = (long) ((length + room - 1) / room);
    for (long k = 0; k < n + (options->again >= 0); k++) {
        size_t offset = (size_t) (k < n ? k : options->again) * room;
        if (k == options->skip || offset >= length)
            continue;
        bool more = length - offset > room;
        int r = send_frame(fd, flow, datagram, more ? room : length - offset, id, offset, more);
        if (r < 0)
            return r;
        ++*frames;
    }
    return 0;
}

static size_t make_datagram(
        char *at, const struct flow *flow, const struct options *options, long port) {
    size_t length = sizeof(struct udphdr) + (size_t) options->size;
    struct udphdr udp = {
        .source = htons(40000), .dest = htons((uint16_t) port), .len = htons((uint16_t) length)
    };
    memset(at + sizeof udp, 'u', (size_t) options->size);
    memcpy(at, &udp, sizeof udp);
    udp.check = htons(udp_checksum(flow, at, length));
    if (options->bad_checksum)
        udp.check = udp.check == 0xffff ? 1 : 0xffff;
    memcpy(at, &udp, sizeof udp);
    return length;
}

static int make_flow(const struct options *options, struct flow *ret) {
    static const char mac_format[] = "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx";
    unsigned char *m = ret->to_mac;
    *ret = (struct flow){ .from_mac = { 2, 0, 0, 0, 0, 0xfe } };
    if (!options->from || !options->mac ||
            sscanf(options->mac, mac_format, m, m + 1, m + 2, m + 3, m + 4, m + 5) != 6)
        return -EINVAL;
    ret->v6 = strchr(options->to, ':');
    int family = ret->v6 ? AF_INET6 : AF_INET;
    if (inet_pton(family, options->from, ret->v6 ? (void *) &ret->from6 : &ret->from4) != 1 ||
            inet_pton(family, options->to, ret->v6 ? (void *) &ret->to6 : &ret->to4) != 1)
        return -EINVAL;
    return 0;
}

static int open_device(const char *device) {
    struct sockaddr_ll on = { .sll_family = AF_PACKET,
        .sll_ifindex = device ? (int) if_nametoindex(device) : 0 };
    if (!on.sll_ifindex)
        return -ENODEV;
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if (bind(fd, (struct sockaddr *) &on, sizeof on) < 0) {
        int r = -errno;
        close(fd);
        return r;
    }
    return fd;
}

int traffic_frames(const struct options *options) {
    static char datagram[sizeof(struct udphdr) + TRAFFIC_MAX_PAYLOAD];
    struct flow flow;
    if (make_flow(options, &flow) < 0 || (!options->mtu && options->size > FRAME_MAX - 100))
        return -EINVAL;
    _cleanup_close_ int fd = open_device(options->device);
    if (fd < 0)
        return fd;
    long sent = 0, frames = 0;
    uint32_t id = (uint32_t) (now_ns() / 1000); // must not meet the queues of a run before
    struct pace pace = pace_start(options->rate, options->seconds);
    for (; sent < options->count && pace_wait(&pace, sent); sent++) {
        size_t length =
                make_datagram(datagram, &flow, options, options->port + sent % options->ports);
        int r = send_datagram(fd, &flow, options, datagram, length, id + (uint32_t) sent, &frames);
        if (r < 0)
            return r;
    }
    printf("{\"sent\": %ld, \"frames\": %ld}\n", sent, frames);
    return 0;
}
