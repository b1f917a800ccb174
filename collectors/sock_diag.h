// SPDX-License-Identifier: GPL-2.0-or-later
// Socket diagnosis
//
// The UDP sockets of this process's network namespace, as the kernel's sock_diag lists them. It
// takes no privilege.
#pragma once

#include "collectors/rtnl.h"
#include "collectors/socket_view.h"

#define SOCK_DIAG_CLOSED ((struct rtnl){ .protocol = NETLINK_SOCK_DIAG })

// The socket that a message tells of, but for its protocol; false: it tells of none, or is cut.
bool sock_diag_parse(const struct nlmsghdr *message, struct socket_view *ret);

// Called for each socket, and with NULL when the list begins (also again).
// 0, or -errno: the visitor's; -ENOENT: this kernel has no handler for the protocol (no inet_diag
// or udp_diag; no UDP-Lite since 7.2); -ENODATA: it does not tell the drops; -EAGAIN: the list
// changed again and again while it was read, and what was visited may be incomplete. dump: its
// name, see rtnl_list().
int sock_diag_list(struct rtnl *rtnl, struct source *source, const char *dump, uint8_t family,
        uint8_t protocol, socket_visit *visit, void *userdata);
// The same of the sockets of a port, which no capture keeps.
int sock_diag_list_port(struct rtnl *rtnl, uint8_t family, uint8_t protocol, uint16_t port,
        socket_visit *visit, void *userdata);

// Looks at one socket again. 0; 1: it is gone, or cannot be asked for like this, since others have
// its address and port too: sock_diag_list_port() tells; or -errno.
int sock_diag_again(struct rtnl *rtnl, const struct socket_view *which, struct socket_view *ret);
