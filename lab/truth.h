// SPDX-License-Identifier: GPL-2.0-or-later
// Truth
//
// What was sent and what was read, by sequence numbers in the datagrams: memory that senders and
// readers share, each a process of its own.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TRUTH_FLOWS 64
#define TRUTH_SEQUENCES (1 << 21) // of a flow; memory is taken as they come
#define TRUTH_LATE_MS 1000        // a datagram that is read after that was kept, not delayed

// What each datagram begins with. Short ones carry less, and are not known again.
struct truth_stamp {
    uint32_t magic, flow;
    uint64_t sequence;
    int64_t sent_ns; // CLOCK_MONOTONIC
};

struct truth_flow {
    _Atomic int64_t sent;       // handed to the kernel, taken or not
    _Atomic int64_t refused;    // of these: the sender was told so by an error
    _Atomic int64_t received;   // read for the first time
    _Atomic int64_t duplicated; // read once more
    _Atomic int64_t late;
    _Atomic int64_t worst_delay_ns;
    _Atomic uint64_t seen[TRUTH_SEQUENCES / 64];
};

struct truth {
    _Atomic int64_t foreign; // read, and of no flow
    _Atomic int time_is_up;  // senders end
    struct truth_flow flows[TRUTH_FLOWS];
};

// The counts at one moment; of one flow, or the sum of all.
struct truth_counts {
    int64_t sent, refused, received, duplicated, late, worst_delay_ns;
};

int truth_new(struct truth **ret); // 0 or -errno
struct truth *truth_free(struct truth *truth);

int64_t truth_now_ns(void); // CLOCK_MONOTONIC
// Takes the next sequence number of a flow, and writes it to a datagram of `size` bytes.
void truth_stamp(struct truth *truth, uint32_t flow, void *datagram, size_t size);
void truth_refused(struct truth *truth, uint32_t flow); // what was stamped last
void truth_received(struct truth *truth, const void *datagram, size_t size);

#define TRUTH_ALL (-1)
struct truth_counts truth_counts(struct truth *truth, int flow); // or TRUTH_ALL
// Sent and not read, as things stand: lost, or on its way, or waiting in a queue.
int64_t truth_missing(struct truth *truth, int flow);
