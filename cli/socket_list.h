// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets of a window
#pragma once

#include <stdbool.h>

#include "core/store.h"

struct socket_owner {
    int64_t pid;
    char *process, *executable, *unit, *container; // NULL: not known
};

// Numbers are CELL_NULL and texts NULL where they are not known.
struct socket_info {
    char *netns, *protocol, *address, *interface, *peer_address, *owner_state, *kernel_user;
    int64_t cookie, inode, port, peer_port, uid;
    int64_t drops;       // datagrams in the window
    int64_t total_drops; // since it was opened
    int64_t queue_bytes, highest_queue_bytes, rmem_bytes, rcvbuf_bytes;
    struct socket_owner *owners;
    size_t n_owners;
};

// Which are wanted; NULL and CELL_NULL: all.
struct socket_filter {
    int64_t port;
    const char *process; // name, which the kernel cuts at 15 bytes, or that of its program
    const char *netns;
    bool lossy; // only those that lost datagrams in the window
    // The window is of the running host, and just ends: it is asked for the names of owners that
    // the window does not have, since collectors look at some processes only.
    bool here;
};
#define SOCKET_FILTER_NONE ((struct socket_filter){ .port = CELL_NULL })
static inline bool socket_filter_given(const struct socket_filter *filter) {
    return filter->port != CELL_NULL || filter->process || filter->netns;
}

struct socket_list {
    struct socket_info *list; // those that lost the most first
    size_t n;
};

// The sockets in the open window. 0 or -errno.
int socket_list_read(
        struct store *store, const struct socket_filter *filter, struct socket_list *ret);
void socket_list_done(struct socket_list *list);

// Whether a process of this name (comm) and program (may be NULL) is the one called `wanted`.
bool socket_process_matches(const char *wanted, const char *name, const char *executable);

// "0.0.0.0:514", "[::]:53 in web": malloc()ed; NULL: out of memory.
char *socket_name(const struct socket_info *socket);
// "rsyslogd (pid 812), rsyslog.service": malloc()ed; NULL: out of memory. An empty text: not known.
char *socket_owner_text(const struct socket_owner *owner);
// Of all owners; else why there is none: "the kernel (vxlan)", "not visible without more
// privileges".
char *socket_owners_text(const struct socket_info *socket);
