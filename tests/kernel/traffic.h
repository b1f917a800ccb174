// SPDX-License-Identifier: GPL-2.0-or-later
// Bounded traffic
//
// What the scenarios send and receive. Every verb ends by itself: after its count, after its time,
// or when told to stop.
#pragma once

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/socket.h>

#define TRAFFIC_MAX_SECONDS 120
#define TRAFFIC_MAX_COUNT 2000000
#define TRAFFIC_MAX_PAYLOAD 65507

struct options {
    const char *to, *from; // addresses
    const char *device, *mac;
    long port, ports;  // first port, and how many to go through in turn
    long size, count;  // payload bytes, datagrams
    long rate;         // datagrams a second, 0: as fast as it goes; for a sink: reads a second
    long seconds;      // longest run
    long cpu;          // -1: anywhere
    long rcvbuf;       // bytes for SO_RCVBUF, 0: as the host gives
    long mtu;          // fragments are made for it, 0: none
    long skip;         // which fragment to leave out, -1: none
    long again;        // which fragment to send once more at the end, -1: none
    bool bad_checksum; // UDP checksum one off
    bool never_read;   // a sink that only holds its port
};

struct pace {
    int64_t start_ns, step_ns, deadline_ns;
};

int64_t now_ns(void);
struct pace pace_start(long rate, long seconds);
// Sleeps until the n-th datagram is due. False: time is over.
bool pace_wait(const struct pace *pace, long n);
// Fills an address of either family. 0 or -EINVAL.
int address_parse(const char *text, long port, struct sockaddr_storage *ret, socklen_t *ret_length);

// 0 or -errno; each prints what it did as one line of JSON.
int traffic_send(const struct options *options);
int traffic_sink(const struct options *options);
int traffic_frames(const struct options *options);
