// SPDX-License-Identifier: GPL-2.0-or-later
// Picked sockets
#include "collectors/socket_picks.h"

#include <errno.h>
#include <stdlib.h>

static void pick_done(struct socket_pick *pick) {
    free(pick->cgroup);
    pick->cgroup = NULL;
}

void socket_picks_done(struct socket_picks *picks) {
    for (size_t i = 0; i < picks->n; i++)
        pick_done(&picks->items[i]);
    free(picks->items);
    free(picks->rank);
    free(picks->order);
    key_table_done(&picks->index);
    *picks = (struct socket_picks){ 0 };
}

void socket_picks_begin(struct socket_picks *picks) {
    for (size_t i = 0; i < picks->n; i++) {
        picks->items[i].seen = false;
        picks->rank[i] = SOCKET_RANK_WAITING;
    }
    picks->n_left_out = 0;
    picks->left_out_lost = 0;
}

struct socket_pick *socket_picks_find(const struct socket_picks *picks, uint64_t key) {
    const struct key_entry *entry = key_table_find(&picks->index, key);
    return entry ? &picks->items[entry->value - 1] : NULL;
}

static int make_room(struct socket_picks *picks) {
    size_t capacity = picks->capacity ? picks->capacity * 2 : 16;
    struct socket_pick *items = reallocarray(picks->items, capacity, sizeof(*items));
    if (items)
        picks->items = items;
    int64_t *rank = reallocarray(picks->rank, capacity, sizeof(*rank));
    if (rank)
        picks->rank = rank;
    uint16_t *order = reallocarray(picks->order, capacity, sizeof(*order));
    if (order)
        picks->order = order;
    if (!items || !rank || !order)
        return -ENOMEM;
    picks->capacity = capacity;
    return 0;
}

// The place of one of the lowest rank, or SIZE_MAX where none is below `rank`.
static size_t find_lower(const struct socket_picks *picks, int64_t rank) {
    size_t lowest = 0;
    for (size_t i = 1; i < picks->n; i++)
        if (picks->rank[i] < picks->rank[lowest])
            lowest = i;
    return picks->rank[lowest] < rank ? lowest : SIZE_MAX;
}

static void leave_out(struct socket_picks *picks, int64_t lost) {
    picks->n_left_out++;
    picks->left_out_lost += lost > 0 ? lost : 0;
}

// The index of a free item. 0, 1 or -ENOMEM.
static int find_room(struct socket_picks *picks, int64_t rank, size_t *ret) {
    if (picks->n < (picks->most ? picks->most : SOCKET_PICKS_MAX)) {
        int r = picks->n == picks->capacity ? make_room(picks) : 0;
        *ret = picks->n;
        return r;
    }
    size_t i = find_lower(picks, rank);
    if (i == SIZE_MAX) {
        leave_out(picks, rank);
        return 1;
    }
    leave_out(picks, picks->rank[i]);
    key_table_remove(&picks->index, picks->items[i].key);
    pick_done(&picks->items[i]);
    *ret = i;
    return 0;
}

int socket_picks_add(
        struct socket_picks *picks, uint64_t key, int64_t rank, struct socket_pick **ret) {
    size_t i;
    int r = find_room(picks, rank, &i);
    if (r != 0)
        return r;
    struct key_entry *entry = key_table_add(&picks->index, key, NULL);
    if (!entry)
        return -ENOMEM;
    entry->value = i + 1;
    picks->n += i == picks->n;
    picks->rank[i] = rank;
    picks->items[i] = (struct socket_pick){ .key = key,
        .drops_before = CELL_NULL,
        .members = CELL_NULL,
        .members_empty = CELL_NULL,
        .lost_ms = INT64_MIN,
        .has_filter = CELL_NULL,
        .rcvbuf_bytes = CELL_NULL,
        .sndbuf_bytes = CELL_NULL };
    *ret = &picks->items[i];
    return 0;
}

void socket_picks_set_rank(
        struct socket_picks *picks, const struct socket_pick *pick, int64_t rank) {
    picks->rank[pick - picks->items] = rank;
}

static void remove_at(struct socket_picks *picks, size_t i) {
    key_table_remove(&picks->index, picks->items[i].key);
    pick_done(&picks->items[i]);
    if (i == --picks->n)
        return;
    picks->items[i] = picks->items[picks->n];
    picks->rank[i] = picks->rank[picks->n];
    key_table_find(&picks->index, picks->items[i].key)->value = i + 1;
}

void socket_picks_remove_if(struct socket_picks *picks,
        bool (*test)(const struct socket_pick *pick, void *data), void *data) {
    for (size_t i = picks->n; i-- > 0;)
        if (test(&picks->items[i], data))
            remove_at(picks, i);
}

static int compare(const void *a, const void *b, void *data) {
    const struct socket_picks *picks = data;
    size_t i = *(const uint16_t *) a, k = *(const uint16_t *) b;
    const struct socket_pick *x = &picks->items[i], *y = &picks->items[k];
    if (picks->rank[i] != picks->rank[k])
        return picks->rank[i] > picks->rank[k] ? -1 : 1;
    if (x->share != y->share)
        return x->share > y->share ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

void socket_picks_sort(struct socket_picks *picks) {
    for (size_t i = 0; i < picks->n; i++)
        picks->order[i] = (uint16_t) i;
    if (picks->n > 1)
        qsort_r(picks->order, picks->n, sizeof(*picks->order), compare, picks);
}
