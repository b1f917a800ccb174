// SPDX-License-Identifier: GPL-2.0-or-later
// Lab traffic
#include "lab/private.h"

#include <errno.h>
#include <stddef.h>

int lab_traffic_init(struct lab *lab) {
    return 0;
}

int lab_receive(
        struct lab *lab, enum lab_place place, const struct reader *reader, int *ret_index) {
    return -ENOSYS;
}

size_t lab_readers(const struct lab *lab) {
    return 0;
}

const struct reader *lab_reader(const struct lab *lab, int index) {
    return NULL;
}

pid_t lab_reader_pid(const struct lab *lab, int index) {
    return -1;
}

int lab_receive_anew(struct lab *lab, int index, const struct reader *reader) {
    return -ENOSYS;
}

int lab_send(struct lab *lab, enum lab_place from, const struct stream *stream) {
    return -ENOSYS;
}

int lab_send_begin(struct lab *lab, enum lab_place from, const struct stream *stream) {
    return -ENOSYS;
}

int lab_sent(struct lab *lab) {
    return 0;
}

void lab_phase(struct lab *lab, enum lab_phase phase) {
    lab->phase = phase;
}

int64_t lab_lost(struct lab *lab) {
    return 0;
}

int lab_drain(struct lab *lab) {
    return 0;
}

void lab_truth(struct lab *lab, enum lab_phase phase, struct truth_counts *ret, int64_t *ret_lost) {
    *ret = (struct truth_counts){ 0 };
    *ret_lost = 0;
}

void lab_truth_add(struct lab *lab, int64_t lost) {
}
