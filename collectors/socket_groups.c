// SPDX-License-Identifier: GPL-2.0-or-later
// Reuseport groups
#include "collectors/socket_groups.h"

#include <errno.h>
#include <string.h>

// Sockets of one group have all of these in common (net/ipv4/udp.c, udp_reuseport_add_sock); that
// they asked for it (SO_REUSEPORT) is not told.
static uint64_t key_of(const struct socket_view *view) {
    uint64_t key = key_mix((uint64_t) view->uid << 32 | view->ifindex);
    for (size_t i = 0; i < 4; i++)
        key = key_mix(key ^ view->address[i]);
    key = key_mix(key ^ view->port);
    return key ? key : 1;
}

void port_set_fill(struct port_set *set, bool all) {
    memset(set->bits, all ? 0xff : 0, sizeof(set->bits));
}

int socket_group_count(struct key_table *groups, const struct socket_view *view) {
    if (view->connected)
        return 0; // it gets its peer's datagrams alone
    struct key_entry *entry = key_table_add(groups, key_of(view), NULL);
    if (!entry)
        return -ENOMEM;
    entry->value += UINT64_C(1) << 32 | (view->queue == 0);
    return 0;
}

bool socket_group_get(const struct key_table *groups, const struct socket_view *view,
        cell *ret_members, cell *ret_empty) {
    const struct key_entry *entry = key_table_find(groups, key_of(view));
    if (!view->connected && !entry)
        return false;
    *ret_members = view->connected ? 1 : (cell) (entry->value >> 32);
    *ret_empty = view->connected ? view->queue == 0 : (cell) (uint32_t) entry->value;
    return true;
}
