// SPDX-License-Identifier: GPL-2.0-or-later
// Bounded traffic
//
// What the scenarios send and receive. Every verb ends by itself: after its count, after its time,
// or when told to stop.
#pragma once

#include <signal.h>
#include <stdbool.h>

#include "lab/stream.h"

#define TRAFFIC_MAX_SECONDS 120
#define TRAFFIC_MAX_COUNT 2000000

struct options {
    struct stream stream; // of a sink: `to` is where it listens, `rate` how many it reads a second
    long seconds;         // longest run
    long rcvbuf;          // bytes for SO_RCVBUF, 0: as the host gives
    bool bad_checksum;    // UDP checksum one off; with --mac
    bool never_read;      // a sink that only holds its port
};

// 0 or -errno; each prints what it did as one line of JSON, and ends when it is stopped.
int traffic_send(const struct options *options, struct truth *truth);
int traffic_sink(const struct options *options, struct truth *truth);
