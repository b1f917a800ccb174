// SPDX-License-Identifier: GPL-2.0-or-later
// Reader options
#pragma once

#define READER_MAX_SECONDS 120

struct reader {
    const char *on;    // IPv4 address
    const char *name;  // of the process; NULL: as it is
    long port, rcvbuf; // rcvbuf: bytes for SO_RCVBUF, 0: as the host gives
    long work;         // us of CPU time for each datagram
    long threads;
    long pid;     // the process number to have, 0: any
    long seconds; // longest run
};

// Each opens what it needs, says "ready", and reads in its own way until it is ended. Returns only
// with an error, as -errno.
typedef int behaviour(const struct reader *reader);

behaviour play_never; // holds its port
behaviour play_work;  // reads at once, and computes for each datagram
behaviour play_swarm; // many short-lived processes, each with a port of its own and a loss

// A bound socket, or -errno.
int reader_open(const struct reader *reader);
void reader_ready(void);
// Neither outlives whoever started it, nor its time.
void reader_bound(long seconds);
// Uses the CPU for so long.
void reader_compute(long us);
