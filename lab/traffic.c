// SPDX-License-Identifier: GPL-2.0-or-later
// Lab traffic
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "lab/private.h"

#define FLOWS_OF_PHASE (TRUTH_FLOWS / 4)
#define SENDERS_MAX 32
#define READY_LIMIT_MS 5000
#define SEND_LIMIT_MS 60000
#define SMALLEST_TRUESIZE                                                                          \
    832 // bytes that the smallest datagram takes of a queue; older kernels: 768
#define DRAIN_ROUNDS 100
#define DRAIN_PAUSE_MS 5

_Static_assert(LAB_PHASES *FLOWS_OF_PHASE <= TRUTH_FLOWS, "each phase has flows of its own");

struct receiving {
    struct reader reader;
    enum lab_place place;
    struct truth *truth;
    pid_t pid;
};

struct sending {
    struct stream stream;
    struct truth *truth;
    pid_t pid; // 0: none
    _Atomic int *result;
};

enum { RESULT_PENDING = 1 }; // else 0 or -errno

struct lab_traffic {
    struct truth *truth;
    struct receiving receivers[LAB_READERS_MAX];
    size_t n_receivers;
    struct sending senders[SENDERS_MAX];
    const struct sending *waited; // NULL: for all
    int64_t added[LAB_PHASES];
    // Memory of all processes.
    struct reader_place places[LAB_READERS_MAX];
    _Atomic int results[SENDERS_MAX];
};

int lab_traffic_init(struct lab *lab) {
    struct lab_traffic *traffic = mmap(NULL, sizeof *traffic, PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (traffic == MAP_FAILED)
        return -errno;
    lab->traffic = traffic;
    return truth_new(&traffic->truth);
}

static void sleep_ms(long ms) {
    nanosleep(&(struct timespec){ ms / 1000, ms % 1000 * 1000000 }, NULL);
}

// ---- Receivers

static int play_receiver(struct lab_child *child, void *data) {
    const struct receiving *receiving = data;
    return reader_run(&receiving->reader, receiving->truth) < 0;
}

static int wait_ready(struct lab *lab, const struct receiving *receiving) {
    const struct reader *reader = &receiving->reader;
    for (int waited = 0; atomic_load(&reader->place->ready) == 0; waited++) {
        if (waited > READY_LIMIT_MS || !lab_alive(lab, receiving->pid))
            return lab_fail(lab, "the receiver of port %ld did not begin", reader->port);
        sleep_ms(1);
    }
    int r = atomic_load(&reader->place->ready);
    return r < 0 ? lab_fail(lab, "the receiver of port %ld: %s", reader->port, strerror(-r)) : 0;
}

static int start_receiver(
        struct lab *lab, enum lab_place place, size_t i, const struct reader *reader) {
    struct lab_traffic *traffic = lab->traffic;
    struct receiving *receiving = &traffic->receivers[i];
    receiving->reader = *reader;
    receiving->place = place;
    if (!reader->on)
        receiving->reader.on = lab_family(lab) == 6 ? "::" : "0.0.0.0";
    if (!reader->port)
        receiving->reader.port = LAB_PORT;
    receiving->reader.place = &traffic->places[i];
    receiving->truth = traffic->truth;
    memset(&traffic->places[i], 0, sizeof traffic->places[i]);
    struct lab_spawn spawn = {
        .place = place, .name = reader->name, .play = play_receiver, .data = receiving
    };
    int r = lab_spawn(lab, &spawn, &receiving->pid);
    return r < 0 ? r : wait_ready(lab, receiving);
}

int lab_receive(
        struct lab *lab, enum lab_place place, const struct reader *reader, int *ret_index) {
    struct lab_traffic *traffic = lab->traffic;
    if (traffic->n_receivers == LAB_READERS_MAX)
        return -ENOSPC;
    int r = start_receiver(lab, place, traffic->n_receivers, reader);
    if (r < 0)
        return r;
    if (ret_index)
        *ret_index = (int) traffic->n_receivers;
    traffic->n_receivers++;
    return 0;
}

size_t lab_readers(const struct lab *lab) {
    return lab->traffic->n_receivers;
}

const struct reader *lab_reader(const struct lab *lab, int index) {
    return &lab->traffic->receivers[index].reader;
}

pid_t lab_reader_pid(const struct lab *lab, int index) {
    return lab->traffic->receivers[index].pid;
}

int lab_receive_anew(struct lab *lab, int index, const struct reader *reader) {
    struct lab_traffic *traffic = lab->traffic;
    struct receiving *receiving = &traffic->receivers[index];
    struct reader next = *reader; // may be the very one that ends
    reader_drain(receiving->pid, receiving->reader.place, traffic->truth);
    int r = lab_end(lab, receiving->pid);
    return r < 0 ? r : start_receiver(lab, receiving->place, (size_t) index, &next);
}

// ---- Senders

static int play_sender(struct lab_child *child, void *data) {
    const struct sending *sending = data;
    int r = stream_send(&sending->stream, sending->truth);
    atomic_store(sending->result, r);
    return r < 0;
}

static void complete_stream(struct lab *lab, enum lab_place from, struct stream *stream) {
    if (!stream->to)
        stream->to = lab_address(lab, LAB_RECEIVER, from == LAB_SENDER ? 1 : 0);
    if (!stream->port)
        stream->port = LAB_PORT;
    stream->flow += (uint32_t) lab->phase * FLOWS_OF_PHASE;
    if (stream->mac && !stream->device)
        stream->device = "a1";
    if (stream->mac && !stream->from)
        stream->from = lab_address(lab, LAB_SENDER, 1);
}

static int begin(
        struct lab *lab, enum lab_place from, const struct stream *stream, struct sending **ret) {
    struct lab_traffic *traffic = lab->traffic;
    struct sending *sending = NULL;
    for (size_t i = 0; i < SENDERS_MAX && !sending; i++)
        if (!traffic->senders[i].pid) {
            sending = &traffic->senders[i];
            sending->result = &traffic->results[i];
        }
    if (!sending || stream->flow >= FLOWS_OF_PHASE)
        return -ENOSPC;
    sending->stream = *stream;
    sending->truth = traffic->truth;
    atomic_store(sending->result, RESULT_PENDING);
    complete_stream(lab, from, &sending->stream);
    struct lab_spawn spawn = {
        .place = from, .name = "lab-sender", .play = play_sender, .data = sending
    };
    int r = lab_spawn(lab, &spawn, &sending->pid);
    if (r < 0) {
        sending->pid = 0;
        return r;
    }
    *ret = sending;
    return 0;
}

// Ends what has ended. The first error of those that are waited for, else how many still send.
static int reap(struct lab *lab) {
    struct lab_traffic *traffic = lab->traffic;
    int pending = 0;
    for (size_t i = 0; i < SENDERS_MAX; i++) {
        struct sending *sending = &traffic->senders[i];
        if (!sending->pid || (traffic->waited && traffic->waited != sending))
            continue;
        int r = atomic_load(sending->result);
        if (r == RESULT_PENDING && lab_alive(lab, sending->pid)) {
            pending++;
            continue;
        }
        lab_end(lab, sending->pid);
        sending->pid = 0;
        r = atomic_load(sending->result);
        if (r != 0)
            return lab_fail(lab, "the sender to %s, port %ld: %s", sending->stream.to,
                    sending->stream.port, r < 0 ? strerror(-r) : "it was killed");
    }
    return pending;
}

static int is_sent(struct lab *lab) {
    int r = reap(lab);
    return r < 0 ? r : r == 0;
}

static int wait_sent(struct lab *lab, const struct sending *sending) {
    lab->traffic->waited = sending;
    int r = lab_until(lab, SEND_LIMIT_MS, is_sent);
    return r > 0 ? 0 : r;
}

int lab_send_begin(struct lab *lab, enum lab_place from, const struct stream *stream) {
    struct sending *sending;
    return begin(lab, from, stream, &sending);
}

int lab_sent(struct lab *lab) {
    return wait_sent(lab, NULL);
}

int lab_send(struct lab *lab, enum lab_place from, const struct stream *stream) {
    struct sending *sending;
    int r = begin(lab, from, stream, &sending);
    return r < 0 ? r : wait_sent(lab, sending);
}

// ---- Truth

void lab_phase(struct lab *lab, enum lab_phase phase) {
    lab->phase = phase;
}

static void sum_phase(struct lab *lab, enum lab_phase phase, struct truth_counts *ret) {
    *ret = (struct truth_counts){ 0 };
    for (int flow = 0; flow < LAB_STRAY; flow++) {
        struct truth_counts one =
                truth_counts(lab->traffic->truth, (int) phase * FLOWS_OF_PHASE + flow);
        ret->sent += one.sent;
        ret->refused += one.refused;
        ret->received += one.received;
        ret->duplicated += one.duplicated;
        ret->late += one.late;
        if (one.worst_delay_ns > ret->worst_delay_ns)
            ret->worst_delay_ns = one.worst_delay_ns;
    }
}

int64_t lab_lost(struct lab *lab) {
    struct lab_traffic *traffic = lab->traffic;
    struct truth_counts counts;
    sum_phase(lab, lab->phase, &counts);
    int64_t waiting = 0;
    for (size_t i = 0; i < traffic->n_receivers; i++) {
        int64_t bytes, drops;
        const struct receiving *receiving = &traffic->receivers[i];
        if (reader_queued(receiving->pid, receiving->reader.place, &bytes, &drops) == 0)
            waiting += bytes / SMALLEST_TRUESIZE;
    }
    int64_t lost = counts.sent - counts.received - waiting;
    return (lost > 0 ? lost : 0) + traffic->added[lab->phase];
}

struct truth_counts lab_flow_counts(struct lab *lab, enum lab_phase phase, uint32_t flow) {
    return truth_counts(lab->traffic->truth, (int) ((uint32_t) phase * FLOWS_OF_PHASE + flow));
}

static int64_t all_received(struct lab *lab) {
    struct lab_traffic *traffic = lab->traffic;
    return truth_counts(traffic->truth, TRUTH_ALL).received + atomic_load(&traffic->truth->foreign);
}

// A datagram may still be on its way through a backlog: until two rounds find nothing new.
int lab_drain(struct lab *lab) {
    struct lab_traffic *traffic = lab->traffic;
    int64_t before = -1;
    for (int round = 0, quiet = 0; round < DRAIN_ROUNDS && quiet < 2; round++) {
        for (size_t i = 0; i < traffic->n_receivers; i++) {
            const struct receiving *receiving = &traffic->receivers[i];
            long n = reader_drain(receiving->pid, receiving->reader.place, traffic->truth);
            if (n < 0 && n != -ESRCH && n != -EBADF)
                return (int) n;
        }
        int64_t now = all_received(lab);
        quiet = now == before ? quiet + 1 : 0;
        before = now;
        sleep_ms(DRAIN_PAUSE_MS);
    }
    return 0;
}

void lab_truth(struct lab *lab, enum lab_phase phase, struct truth_counts *ret, int64_t *ret_lost) {
    sum_phase(lab, phase, ret);
    *ret_lost = ret->sent - ret->received + lab->traffic->added[phase];
}

void lab_truth_add(struct lab *lab, int64_t lost) {
    lab->traffic->added[lab->phase] += lost;
}
