// SPDX-License-Identifier: GPL-2.0-or-later
// Reuseport groups
//
// Sockets that share an address and port, and the datagrams that come for it.
#pragma once

#include "collectors/key_table.h"
#include "collectors/socket_view.h"

// Groups by a key of what their sockets have in common: members << 32 | those with nothing waiting.
// Counts one more socket of a list; connected ones are in no group. 0 or -ENOMEM.
int socket_group_count(struct key_table *groups, const struct socket_view *view);
// The ports whose groups are wanted: counting all would cost as much as all else that is done per
// socket.
struct port_set {
    uint64_t bits[65536 / 64];
};
void port_set_fill(struct port_set *set, bool all); // all or none
static inline void port_set_add(struct port_set *set, uint16_t port) {
    set->bits[port / 64] |= UINT64_C(1) << port % 64;
}
static inline bool port_set_has(const struct port_set *set, uint16_t port) {
    return set->bits[port / 64] >> port % 64 & 1;
}

// What was counted of the socket's group. False: it was not counted.
bool socket_group_get(const struct key_table *groups, const struct socket_view *view,
        cell *ret_members, cell *ret_empty);
