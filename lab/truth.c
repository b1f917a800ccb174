// SPDX-License-Identifier: GPL-2.0-or-later
// Truth
#include "lab/truth.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#define MAGIC UINT32_C(0x75647031)

int64_t truth_now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

int truth_new(struct truth **ret) {
    void *memory = mmap(NULL, sizeof(struct truth), PROT_READ | PROT_WRITE,
            MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    *ret = memory;
    return 0;
}

struct truth *truth_free(struct truth *truth) {
    if (truth)
        munmap(truth, sizeof *truth);
    return NULL;
}

void truth_stamp(struct truth *truth, uint32_t flow, void *datagram, size_t size) {
    struct truth_stamp stamp = { MAGIC, flow, 0, truth_now_ns() };
    stamp.sequence = (uint64_t) atomic_fetch_add(&truth->flows[flow].sent, 1);
    memcpy(datagram, &stamp, size < sizeof stamp ? size : sizeof stamp);
}

void truth_refused(struct truth *truth, uint32_t flow) {
    atomic_fetch_add(&truth->flows[flow].refused, 1);
}

static void note_delay(struct truth_flow *flow, int64_t delay_ns) {
    int64_t worst = atomic_load(&flow->worst_delay_ns);
    while (delay_ns > worst &&
            !atomic_compare_exchange_weak(&flow->worst_delay_ns, &worst, delay_ns))
        ;
    if (delay_ns > TRUTH_LATE_MS * INT64_C(1000000))
        atomic_fetch_add(&flow->late, 1);
}

void truth_received(struct truth *truth, const void *datagram, size_t size) {
    struct truth_stamp stamp;
    if (size >= sizeof stamp)
        memcpy(&stamp, datagram, sizeof stamp);
    if (size < sizeof stamp || stamp.magic != MAGIC || stamp.flow >= TRUTH_FLOWS ||
            stamp.sequence >= TRUTH_SEQUENCES) {
        atomic_fetch_add(&truth->foreign, 1);
        return;
    }
    struct truth_flow *flow = &truth->flows[stamp.flow];
    uint64_t bit = UINT64_C(1) << stamp.sequence % 64;
    bool again = atomic_fetch_or(&flow->seen[stamp.sequence / 64], bit) & bit;
    atomic_fetch_add(again ? &flow->duplicated : &flow->received, 1);
    if (!again)
        note_delay(flow, truth_now_ns() - stamp.sent_ns);
}

static void add_flow(struct truth_flow *flow, struct truth_counts *counts) {
    int64_t delay_ns = atomic_load(&flow->worst_delay_ns);
    counts->sent += atomic_load(&flow->sent);
    counts->refused += atomic_load(&flow->refused);
    counts->received += atomic_load(&flow->received);
    counts->duplicated += atomic_load(&flow->duplicated);
    counts->late += atomic_load(&flow->late);
    if (delay_ns > counts->worst_delay_ns)
        counts->worst_delay_ns = delay_ns;
}

struct truth_counts truth_counts(struct truth *truth, int flow) {
    struct truth_counts counts = { 0 };
    for (int i = 0; i < TRUTH_FLOWS; i++)
        if (flow == TRUTH_ALL || flow == i)
            add_flow(&truth->flows[i], &counts);
    return counts;
}

int64_t truth_missing(struct truth *truth, int flow) {
    struct truth_counts counts = truth_counts(truth, flow);
    return counts.sent - counts.received;
}
