// SPDX-License-Identifier: GPL-2.0-or-later
// Socket places
//
// The network namespaces whose sockets are looked at, with all that is known of their sockets, and
// how often that is.
#pragma once

#include "collectors/key_table.h"
#include "collectors/netns.h"

struct socket_place {
    uint64_t id;            // of the namespace
    bool present;           // it is in the list
    bool started;           // there was a look
    bool had_picks;         // in the look before
    bool has_picks;         // in this one
    bool by_files;          // this look read files
    uint8_t look;           // number of lists read, modulo 2^8
    unsigned visits;        // looks
    size_t n_seen;          // sockets in this look
    int64_t due_ms;         // the next look, by its cost
    int64_t cost_us;        // of the last one, CPU time
    int no_diag;            // why this kernel has no sock_diag for it: -errno; 0: it has
    struct key_table known; // socket_key() -> struct known_socket
};

// No namespace costs more than 1/SHARE of one CPU, and all that are read from files together no
// more either.
#define SOCKET_PLACE_SHARE 10

struct socket_places {
    struct socket_place *items;
    size_t n, capacity;
    size_t next;       // where the next look goes on
    int64_t credit_us; // CPU time that files may still cost
    int64_t credit_ms; // when it was counted
    bool started;
};

void socket_places_done(struct socket_places *places);
// Brings the list up to date. `gone` is called for each place whose namespace is no more. 0 or
// -ENOMEM.
int socket_places_begin(struct socket_places *places, const struct netns_list *list, int64_t now_ms,
        void (*gone)(const struct socket_place *place, void *data), void *data);
// The place of a namespace of the list.
struct socket_place *socket_places_find(const struct socket_places *places,
        const struct netns_list *list, const struct netns *netns);

// Whether there is time for this one now.
bool socket_place_is_due(
        const struct socket_places *places, const struct socket_place *place, int64_t now_ms);
// A look at it is done and cost so much CPU time.
void socket_place_charge(
        struct socket_places *places, struct socket_place *place, int64_t cost_us, int64_t now_ms);
// Forgets sockets that were not there any more for some looks (a list that changes while it is read
// may miss some).
void socket_place_sweep(struct socket_place *place);
