// SPDX-License-Identifier: GPL-2.0-or-later
// Streams
//
// Datagrams from the namespaces of the calling process, at a pace, with sequence numbers.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "lab/truth.h"

#define STREAM_MAX_PAYLOAD 65507
#define STREAM_MAX_SOCKETS 64

struct stream {
    uint32_t flow; // of the truth; streams that are to be told apart have different ones
    const char *to;
    const char *from;   // NULL: any address
    const char *device; // NULL: as the routes say; for multicast
    long port;
    long ports;   // in turn, from `port` on; 0: 1
    long sockets; // source ports, in turn; 0: 1
    long size;    // of the payload; 0: 64 bytes
    long count;
    long rate;       // datagrams/s; 0: as fast as it goes
    long burst;      // so many at once, 0: evenly
    long pause_ms;   // after each burst
    long sndbuf;     // bytes for SO_SNDBUF, 0: as the host gives
    bool impatient;  // does not wait for room in the send buffer
    bool whole;      // forbids fragments, as programs do that find the path's MTU themselves
    bool persistent; // connected: ICMP errors are told
    bool told;       // IP_RECVERR: drops below the socket are told
    long own_rcvbuf; // it holds the port itself, with a buffer of so many bytes, reads what is
                     // there at the end, and is gone; 0: it only sends
    int cpu;         // to run on, from 1 on; 0: any
    // Hand-made frames instead of a socket's, where `mac` is set: sent from `device` with these
    // addresses. As a wire brings them: what a veth carries from an ordinary socket is
    // CHECKSUM_PARTIAL, and its checksum is never looked at.
    const char *mac; // of the receiver
    long mtu;        // fragments of this size; 0: whole
    long skip;       // leaves out this fragment, from 1 on; 0: none
    long again;      // sends this one once more
    long overlap;    // this one begins 8 bytes early
    long damage;     // enum frame_damage
    bool backwards;  // the last fragment first
    long beside;     // so many datagrams in turn, fragment by fragment; a divisor of count; 0: 1
    long spoof;      // so many source addresses, from `from` on; 0: 1
};

enum frame_damage {
    FRAME_SOUND,
    FRAME_BAD_CHECKSUM,     // of UDP
    FRAME_BAD_IP_CHECKSUM,  // of the IPv4 header
    FRAME_SHORT_UDP,        // the UDP header says less than 8 bytes
    FRAME_LONG_UDP,         // the UDP header says more than there is
    FRAME_BAD_VERSION,      // of IP
    FRAME_TRUNCATED,        // the IP header says more than there is
    FRAME_OTHER_MAC,        // for another station
    FRAME_UNKNOWN_PROTOCOL, // an EtherType that nobody takes
};

// Sends all of it, or until the truth says that time is up. 0 or -errno.
int stream_send(const struct stream *stream, struct truth *truth);

// Of stream_send(), for frames.c and the readers.
int address_parse(const char *text, long port, struct sockaddr_storage *ret, socklen_t *ret_length);
struct pace {
    int64_t start_ns, step_ns;
    long burst, pause_ms;
};
struct pace pace_start(const struct stream *stream);
void pace_wait(const struct pace *pace, long n); // until the n-th, from 0 on, is due
int frames_send(const struct stream *stream, struct truth *truth);
