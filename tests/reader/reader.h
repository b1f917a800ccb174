// SPDX-License-Identifier: GPL-2.0-or-later
// Reader options
#pragma once

#include <stdbool.h>

#define READER_MAX_SECONDS 120
#define READER_MAX_THREADS 64

struct reader {
    const char *on;    // address
    const char *name;  // of the process; NULL: as it is
    const char *file;  // that is written to
    long port, rcvbuf; // rcvbuf: bytes for SO_RCVBUF, 0: as the host gives
    long force;        // bytes for SO_RCVBUFFORCE, which knows no limit
    long work;         // us of CPU time for each datagram
    long every;        // ms
    long threads;
    long memory;       // MiB
    long pid;          // the process number to have, 0: any
    long seconds;      // longest run
};

// Each opens what it needs, says "ready", and reads in its own way until it is ended. Returns only
// with an error, as -errno.
typedef int behaviour(const struct reader *reader);

behaviour play_never;  // holds its port
behaviour play_work;   // reads at once, and computes for each datagram
behaviour play_heirs;  // the same, but children hold the socket too
behaviour play_tick;   // now and then reads all there is
behaviour play_lock;   // takes a lock for each datagram, which another thread holds mostly
behaviour play_write;  // writes each datagram to a file, past the page cache
behaviour play_touch;  // goes through its memory for each datagram, page by page
behaviour play_share;  // many threads take turns at one socket
behaviour play_group;  // many sockets of one port, each with a thread that computes
behaviour play_filter; // takes only small datagrams
behaviour play_serve;  // a file system: each write of its one file takes a while
behaviour play_hog;    // has no socket, and computes
behaviour play_swarm;  // many short-lived processes, each with a port of its own and a loss

// A bound socket, or -errno.
int reader_open(const struct reader *reader, bool shared);
void reader_ready(void);
// Neither outlives whoever started it, nor its time.
void reader_bound(long seconds);
// Uses the CPU for so long.
void reader_compute(long us);
