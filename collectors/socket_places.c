// SPDX-License-Identifier: GPL-2.0-or-later
// Socket places
#include "collectors/socket_places.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/socket_known.h"

#define CREDIT_MAX_US INT64_C(100000)
// In lists: a look reads two, or four with UDP-Lite.
#define SWEEP_AGE 24
#define SWEEP_VISITS 32

// As in the list of namespaces: the inode, or that of its files where the other is closed to us. A
// directory has one namespace without either.
static uint64_t id_of(const struct netns *netns) {
    return netns->inode ? netns->inode : netns->net_inode;
}

void socket_places_done(struct socket_places *places) {
    for (size_t i = 0; i < places->n; i++)
        key_table_done(&places->items[i].known);
    free(places->items);
    *places = (struct socket_places){ 0 };
}

static struct socket_place *find(const struct socket_places *places, uint64_t id, size_t hint) {
    if (hint < places->n && places->items[hint].id == id)
        return &places->items[hint];
    for (size_t i = 0; i < places->n; i++)
        if (places->items[i].id == id)
            return &places->items[i];
    return NULL;
}

struct socket_place *socket_places_find(const struct socket_places *places,
        const struct netns_list *list, const struct netns *netns) {
    return find(places, id_of(netns), (size_t) (netns - list->items));
}

static struct socket_place *add(struct socket_places *places, uint64_t id) {
    if (places->n == places->capacity) {
        size_t capacity = places->capacity ? places->capacity * 2 : 4;
        struct socket_place *items = reallocarray(places->items, capacity, sizeof(*items));
        if (!items)
            return NULL;
        places->items = items;
        places->capacity = capacity;
    }
    struct socket_place *place = &places->items[places->n++];
    *place = (struct socket_place){ .id = id };
    return place;
}

static void remove_gone(struct socket_places *places,
        void (*gone)(const struct socket_place *place, void *data), void *data) {
    size_t n = 0;
    for (size_t i = 0; i < places->n; i++) {
        struct socket_place *place = &places->items[i];
        if (place->present) {
            if (n != i)
                places->items[n] = *place;
            n++;
        } else {
            gone(place, data);
            key_table_done(&place->known);
        }
    }
    places->n = n;
}

static void refill(struct socket_places *places, int64_t now_ms) {
    int64_t more_us = (now_ms - places->credit_ms) * 1000 / SOCKET_PLACE_SHARE;
    bool full = !places->started || more_us > CREDIT_MAX_US - places->credit_us;
    places->credit_us = full ? CREDIT_MAX_US : places->credit_us + (more_us > 0 ? more_us : 0);
    places->credit_ms = now_ms;
}

int socket_places_begin(struct socket_places *places, const struct netns_list *list, int64_t now_ms,
        void (*gone)(const struct socket_place *place, void *data), void *data) {
    for (size_t i = 0; i < places->n; i++)
        places->items[i].present = false;
    for (size_t i = 0; i < list->n; i++) {
        struct socket_place *place = find(places, id_of(&list->items[i]), i);
        if (!place && !(place = add(places, id_of(&list->items[i]))))
            return -ENOMEM;
        place->present = true;
    }
    remove_gone(places, gone, data);
    refill(places, now_ms);
    return 0;
}

bool socket_place_is_due(
        const struct socket_places *places, const struct socket_place *place, int64_t now_ms) {
    if (!places->started)
        return true; // the first look sees everything
    return now_ms >= place->due_ms && (!place->by_files || places->credit_us > 0);
}

void socket_place_charge(
        struct socket_places *places, struct socket_place *place, int64_t cost_us, int64_t now_ms) {
    place->cost_us = cost_us;
    place->due_ms = now_ms + cost_us * SOCKET_PLACE_SHARE / 1000;
    if (place->by_files)
        places->credit_us -= cost_us < CREDIT_MAX_US ? cost_us : CREDIT_MAX_US;
}

static bool is_old(const struct key_entry *entry, void *data) {
    uint8_t age = (uint8_t) (*(const uint8_t *) data - known_socket_get(entry).look);
    return age > SWEEP_AGE;
}

void socket_place_sweep(struct socket_place *place) {
    if (place->known.n > place->n_seen + place->n_seen / 16 + 64 ||
            place->visits % SWEEP_VISITS == 0)
        key_table_remove_if(&place->known, is_old, &place->look);
}
