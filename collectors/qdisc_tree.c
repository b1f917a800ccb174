// SPDX-License-Identifier: GPL-2.0-or-later
// Discipline trees
#include <linux/pkt_sched.h>
#include <string.h>

#include "collectors/qdisc.h"

static uint32_t major_of(uint32_t handle) {
    return TC_H_MAJ(handle) >> 16;
}

static bool has_mark(const uint8_t *marks, uint32_t major) {
    return marks[major / 8] >> major % 8 & 1;
}

static void set_mark(uint8_t *marks, uint32_t major) {
    marks[major / 8] |= (uint8_t) (1u << major % 8);
}

// A parent is the class 1:10 of the discipline 1:.
static bool is_on_class(const struct qdisc_place *place) {
    return place->parent != TC_H_ROOT && place->parent != TC_H_INGRESS;
}

// Disciplines of the kernel's making have the handle 0, those of the queues of a device are shown.
static bool is_hidden(const struct qdisc_place *place, const struct qdisc_marks *marks) {
    return major_of(place->handle) == 0 && is_on_class(place) &&
           !has_mark(marks->multiqueue, major_of(place->parent));
}

// Of those with the handle 0 only the root has classes: mq with a queue each.
static bool is_leaf(const struct qdisc_place *place, const struct qdisc_marks *marks) {
    if (major_of(place->handle) == 0 && is_on_class(place))
        return true;
    return !has_mark(marks->parent, major_of(place->handle));
}

static void set_marks(const struct qdisc_place *places, size_t n, struct qdisc_marks *marks) {
    for (size_t i = 0; i < n; i++)
        if (places[i].multiqueue)
            set_mark(marks->multiqueue, major_of(places[i].handle));
    for (size_t i = 0; i < n; i++)
        if (is_on_class(&places[i]) && !is_hidden(&places[i], marks))
            set_mark(marks->parent, major_of(places[i].parent));
}

static void clear_marks(const struct qdisc_place *places, size_t n, struct qdisc_marks *marks) {
    for (size_t i = 0; i < n; i++) {
        marks->multiqueue[major_of(places[i].handle) / 8] = 0;
        marks->parent[major_of(places[i].parent) / 8] = 0;
    }
}

void qdisc_find_leaves(struct rows *rows, struct qdisc_place *places, struct qdisc_marks *marks) {
    size_t kept = 0, width = rows->table->n_columns;
    for (size_t begin = 0, end; begin < rows->n; begin = end) {
        for (end = begin; end < rows->n && places[end].ifindex == places[begin].ifindex;)
            end++;
        set_marks(&places[begin], end - begin, marks);
        for (size_t i = begin; i < end; i++) {
            bool repeats = is_hidden(&places[i], marks) &&
                           !has_mark(marks->parent, major_of(places[i].parent));
            if (repeats)
                continue;
            cell *row = rows_at(rows, kept++);
            memmove(row, rows_at(rows, i), width * sizeof(*row));
            row[QDISC_LEAF] = is_leaf(&places[i], marks);
        }
        clear_marks(&places[begin], end - begin, marks);
    }
    rows->n = kept;
}
