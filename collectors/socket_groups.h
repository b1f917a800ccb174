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
// What was counted of the socket's group. False: it was not counted.
bool socket_group_get(const struct key_table *groups, const struct socket_view *view,
        cell *ret_members, cell *ret_empty);
