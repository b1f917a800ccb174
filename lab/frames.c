// SPDX-License-Identifier: GPL-2.0-or-later
// Hand-made frames
//
// Sent by a packet socket, so that the receiver sees what a wire would bring.
#include "lab/frames.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"

enum { SOURCE_PORT = 40000, OVERLAP_BYTES = 8, TURN_US = 100 };

struct parcel { // one datagram on its way into frames
    const struct stream *stream;
    struct frame_flow flow;
    uint32_t id;
    size_t length, room; // of the UDP datagram, and of what one frame takes of it
    long n;              // frames
    char datagram[sizeof(struct udphdr) + STREAM_MAX_PAYLOAD];
};

static int send_frame(int fd, const struct parcel *parcel, long k) {
    char frame[FRAME_MAX];
    const struct stream *stream = parcel->stream;
    size_t offset = (size_t) k * parcel->room, end = offset + parcel->room;
    if (stream->overlap == k + 1 && k > 0)
        offset -= OVERLAP_BYTES;
    if (end > parcel->length)
        end = parcel->length;
    struct frame_part part = { parcel->id, offset, end - offset, end < parcel->length };
    size_t n = frame_heads(frame, &parcel->flow, &part, (enum frame_damage) stream->damage);
    memcpy(frame + n, parcel->datagram + offset, part.length);
    // A full backlog of the receiver is what some scenarios are after.
    return send(fd, frame, n + part.length, 0) < 0 && errno != ENOBUFS ? -errno : 0;
}

// Fragment by fragment in turn, as they come from senders that send at the same time.
static int send_parcels(int fd, const struct parcel *parcels, long n_parcels) {
    const struct stream *stream = parcels->stream;
    long n = parcels->n, again = stream->again > 0 && stream->again <= n;
    int r = 0;
    for (long i = 0; i < n + again; i++) {
        long k = i == n ? stream->again - 1 : stream->backwards ? n - 1 - i : i;
        for (long p = 0; r == 0 && p < n_parcels && k + 1 != (i < n ? stream->skip : 0); p++)
            r = send_frame(fd, &parcels[p], k);
        if (n_parcels > 1) // the backlog of the other end does not hold all of them
            usleep(TURN_US);
    }
    return r;
}

static void fill_datagram(struct parcel *parcel, struct truth *truth, long i) {
    const struct stream *stream = parcel->stream;
    struct udphdr udp = { .source = htons((uint16_t) (SOURCE_PORT + i % stream->sockets)),
        .dest = htons((uint16_t) (stream->port + i % stream->ports)),
        .len = htons((uint16_t) parcel->length) };
    if (stream->damage == FRAME_SHORT_UDP)
        udp.len = htons(sizeof udp - 1);
    if (stream->damage == FRAME_LONG_UDP)
        udp.len = htons((uint16_t) (parcel->length + 100));
    truth_stamp(truth, stream->flow, parcel->datagram + sizeof udp, (size_t) stream->size);
    memcpy(parcel->datagram, &udp, sizeof udp);
    udp.check = htons(frame_udp_checksum(&parcel->flow, parcel->datagram, parcel->length));
    if (stream->damage == FRAME_BAD_CHECKSUM)
        udp.check = udp.check == 0xffff ? 1 : 0xffff;
    memcpy(parcel->datagram, &udp, sizeof udp);
}

static int make_flow(const struct stream *stream, struct frame_flow *ret) {
    static const char mac_format[] = "%hhx:%hhx:%hhx:%hhx:%hhx:%hhx";
    unsigned char *m = ret->to_mac;
    *ret = (struct frame_flow){ .from_mac = { 2, 0, 0, 0, 0, 0xfe } };
    if (!stream->from ||
            sscanf(stream->mac, mac_format, m, m + 1, m + 2, m + 3, m + 4, m + 5) != ETH_ALEN)
        return -EINVAL;
    ret->v6 = strchr(stream->to, ':');
    int family = ret->v6 ? AF_INET6 : AF_INET;
    if (inet_pton(family, stream->from, ret->v6 ? (void *) &ret->from6 : &ret->from4) != 1 ||
            inet_pton(family, stream->to, ret->v6 ? (void *) &ret->to6 : &ret->to4) != 1)
        return -EINVAL;
    return 0;
}

// The i-th of the addresses that take turns.
static void spoof(struct frame_flow *flow, const struct frame_flow *first, long i) {
    if (flow->v6)
        flow->from6.s6_addr[15] = (uint8_t) (first->from6.s6_addr[15] + i);
    else
        flow->from4.s_addr = htonl(ntohl(first->from4.s_addr) + (uint32_t) i);
}

static int open_device(const char *device) {
    struct sockaddr_ll on = { .sll_family = AF_PACKET,
        .sll_ifindex = device ? (int) if_nametoindex(device) : 0 };
    if (!on.sll_ifindex)
        return -ENODEV;
    _cleanup_close_ int fd = socket(AF_PACKET, SOCK_RAW | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (struct sockaddr *) &on, sizeof on) < 0)
        return -errno;
    int opened = fd;
    fd = -1;
    return opened;
}

static int prepare(const struct stream *stream, struct parcel *parcel) {
    *parcel = (struct parcel){ .stream = stream };
    int r = make_flow(stream, &parcel->flow);
    if (r < 0)
        return r;
    size_t head = frame_head_size(&parcel->flow);
    parcel->length = sizeof(struct udphdr) + (size_t) stream->size;
    parcel->room = stream->mtu ? ((size_t) stream->mtu - head) / 8 * 8 : parcel->length;
    parcel->n = (long) ((parcel->length + parcel->room - 1) / parcel->room);
    return parcel->room + FRAME_HEADS > FRAME_MAX ? -EINVAL : 0;
}

int frames_send(const struct stream *stream, struct truth *truth) {
    _cleanup_free_ struct parcel *parcels = calloc((size_t) stream->beside, sizeof *parcels);
    uint32_t id = (uint32_t) (truth_now_ns() / 1000);
    int r = parcels ? 0 : -ENOMEM;
    for (long p = 0; r == 0 && p < stream->beside; p++)
        r = prepare(stream, &parcels[p]);
    if (r < 0)
        return r;
    struct frame_flow first = parcels->flow;
    _cleanup_close_ int fd = open_device(stream->device);
    struct pace pace = pace_start(stream);
    for (long i = 0; fd >= 0 && i < stream->count && !atomic_load(&truth->time_is_up); i++) {
        struct parcel *parcel = &parcels[i % stream->beside];
        pace_wait(&pace, i);
        spoof(&parcel->flow, &first, i % stream->spoof);
        parcel->id = id++; // none that a queue of an earlier run may have
        fill_datagram(parcel, truth, i);
        if ((i + 1) % stream->beside == 0)
            r = send_parcels(fd, parcels, stream->beside);
        if (r < 0)
            return r;
    }
    return fd < 0 ? fd : 0;
}
