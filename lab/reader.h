// SPDX-License-Identifier: GPL-2.0-or-later
// Readers
//
// Processes that read a UDP socket, or are kept from it, each for one reason.
#pragma once

#include "lab/truth.h"

#define READER_MAX_THREADS 64
#define READER_MAX_SOCKETS 1024

struct reader;
// Opens what it needs, calls reader_ready(), and reads in its own way until it is killed. Returns
// only with an error, as -errno.
typedef int behaviour(const struct reader *reader, struct truth *truth);

struct reader {
    behaviour *behaviour; // NULL: play_work
    const char *name;     // of the process
    const char *on;       // address; NULL: any of IPv4
    const char *file;     // that is written to
    const char *cgroups;  // folders to join before all else, separated by spaces
    const char *join;     // a multicast group ...
    const char *device;   // ... on this interface; the socket is bound to it as well
    long port;
    long rcvbuf;     // bytes for SO_RCVBUF, 0: as the host gives
    long force;      // bytes for SO_RCVBUFFORCE, which knows no limit but asks for root
    long work_us;    // CPU time for each datagram
    long every;      // ms, or how many pages: see the behaviour
    long threads;    // 0: 1
    long memory_mib; // that it goes through
    int cpu;         // to run on, from 1 on; 0: any
    int nice;        // added
    bool unified;    // IPV6_V6ONLY off
    bool batch;      // UDP_GRO
    // Shared with who started it.
    struct reader_place *place;
};

struct reader_place {  // of one reader, in shared memory
    _Atomic int ready; // 1: yes, < 0: -errno of what went wrong
    _Atomic int n_sockets;
    int sockets[READER_MAX_SOCKETS]; // file numbers in that process
};

behaviour play_work;   // reads at once, and computes for each datagram
behaviour play_never;  // holds its port
behaviour play_heirs;  // as work, but children hold the socket too
behaviour play_tick;   // lets what comes wait for `every` ms, and then reads all there is
behaviour play_lock;   // takes a lock for each datagram, which another thread mostly holds
behaviour play_write;  // writes each datagram to its file, past the page cache
behaviour play_log;    // writes each datagram to its file and has it on the disk before the next
behaviour play_append; // the same without waiting: and again, for as long as there is no space
behaviour play_touch;  // for each datagram touches `every` pages of its memory
behaviour play_share;  // many threads take turns at one socket
behaviour play_crowd;  // many threads wait for one socket, each computes for what it gets
behaviour play_group;  // many sockets of one port, each with a thread that computes
behaviour play_ask;    // for each datagram waits `every` ms for an answer that never comes
behaviour play_filter; // as work, but a filter lets only payloads of up to 200 bytes pass
behaviour play_many;   // `threads` sockets at ports from `port` on, one thread, never read
behaviour play_hog;    // has no socket, and computes

// The body of a child: joins the cgroups, becomes who it is to be, and plays. Returns with -errno.
int reader_run(const struct reader *reader, struct truth *truth);

// For behaviours. A bound socket, or -errno.
int reader_open(const struct reader *reader, bool shared);
void reader_ready(const struct reader *reader);
// Reads one datagram. Its length, or -errno.
long reader_take(int fd, int flags, struct truth *truth);
void reader_compute(long us); // uses the CPU for so long

// For whoever started it, as far as it may (pidfd_getfd needs the right to trace that process):
// what is left in its sockets is read and counted as received. How many, or -errno.
long reader_drain(int pid, const struct reader_place *place, struct truth *truth);
// Bytes of kernel memory that datagrams in its queues hold, at most; and its drops by the kernel's
// own count. 0 or -errno.
int reader_queued(
        int pid, const struct reader_place *place, int64_t *ret_bytes, int64_t *ret_drops);
