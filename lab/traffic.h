// SPDX-License-Identifier: GPL-2.0-or-later
// Lab traffic
//
// Those who receive and who send in a lab, and what they know together.
#pragma once

#include "lab/lab.h"
#include "lab/reader.h"
#include "lab/stream.h"

#define LAB_PORT 5000
#define LAB_MAC_RECEIVER "02:00:00:00:01:0b" // of b1: makes hand-made frames of a stream
#define LAB_READERS_MAX 16

// Starts one there and returns when it has its socket. What its description leaves open: `on` is
// any address of the lab's family, `port` LAB_PORT. The description is copied. ret_index may be
// NULL.
int lab_receive(struct lab *lab, enum lab_place place, const struct reader *reader, int *ret_index);
size_t lab_readers(const struct lab *lab);
const struct reader *lab_reader(const struct lab *lab, int index);
pid_t lab_reader_pid(const struct lab *lab, int index);
// What is left in its sockets is read, it ends, and one as described begins at once; it keeps its
// index.
int lab_receive_anew(struct lab *lab, int index, const struct reader *reader);

// All receive buffers, twice as large as they are, whatever the limit.
int lab_enlarge(struct lab *lab);

// Sends all of it from there, and returns when it is sent. What the description leaves open: `to`
// is the receiver's address of link 1, from LAB_RECEIVER its loopback; `port` LAB_PORT; `device` of
// hand-made frames a1, their `from` the sender's address. `flow`: 0..15, counted on for each phase.
int lab_send(struct lab *lab, enum lab_place from, const struct stream *stream);
// Begins to send; lab_sent() waits for all that has begun.
int lab_send_begin(struct lab *lab, enum lab_place from, const struct stream *stream);
int lab_sent(struct lab *lab);
#define LAB_STRAY 15 // the flow of what is for nobody: what becomes of it is no matter of the truth

// ---- Truth

enum lab_phase { LAB_BEFORE, LAB_PROVOKED, LAB_FIXED, LAB_PHASES };
// Traffic that begins from now on belongs to it. The runner sets it.
void lab_phase(struct lab *lab, enum lab_phase phase);
// Lost for certain up to now in this phase: what may still wait in queues does not count.
int64_t lab_lost(struct lab *lab);
// What is left in all sockets is read. When nothing is looked at any more.
int lab_drain(struct lab *lab);
// After lab_drain(). `ret_lost`: sent, refused or not, and never received; with the corrections.
void lab_truth(struct lab *lab, enum lab_phase phase, struct truth_counts *ret, int64_t *ret_lost);
// What became of one flow; as lab_truth() after lab_drain(), before it what is known up to now.
struct truth_counts lab_flow_counts(struct lab *lab, enum lab_phase phase, uint32_t flow);
// A scenario's own correction of this phase: losses that no number tells, or that are none.
void lab_truth_add(struct lab *lab, int64_t lost);
