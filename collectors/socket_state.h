// SPDX-License-Identifier: GPL-2.0-or-later
// Socket collector internals
#pragma once

#include "collectors/collector.h"
#include "collectors/kernel_ports.h"
#include "collectors/link_names.h"
#include "collectors/lossy_ports.h"
#include "collectors/owner_search.h"
#include "collectors/rtnl.h"
#include "collectors/socket_groups.h"
#include "collectors/socket_picks.h"
#include "collectors/socket_places.h"

#define SOCKETS_AHEAD 16

struct sockets {
    struct collect_context *context;
    struct rtnl diag;
    struct source_file host_files[N_NETNS_SOCKETS]; // in the order of socket_lists
    struct socket_places places;
    struct socket_picks picks;
    struct lossy_ports lossy_ports;
    struct key_table
            groups; // of the list that is read: hash -> members << 32 | those with nothing waiting
    struct owner_search *owners;
    struct kernel_ports kernel_ports;
    uint32_t default_rcvbuf; // net.core.rmem_default; 0: not read yet
    struct link_names names;
    // The list that is read.
    struct socket_place *place;
    const struct netns *netns;
    bool counts_groups;
    bool used_groups; // of any list in this look
    struct port_set group_ports;
    // Sockets of it that wait until their entries among the known ones are fetched.
    struct socket_ahead {
        struct socket_view view;
        uint64_t key;
    } ahead[SOCKETS_AHEAD];
    unsigned n_ahead;
};

// The lists of a namespace.
struct socket_list {
    const char *file, *dump; // of /proc/net, and of sock_diag
    uint8_t family, protocol;
};
#define N_SOCKET_LISTS N_NETNS_SOCKETS
extern const struct socket_list socket_lists[N_SOCKET_LISTS];

// Every socket of a list comes by here. NULL: the list begins, perhaps again (socket.c).
socket_visit sockets_take;
// At its end: takes those that still wait. 0 or -ENOMEM.
int sockets_take_rest(struct sockets *sockets);

// socket_lists.c
// Reads the lists of sockets->netns. 0, 1: there are none to be read, or -errno.
int sockets_visit(struct sockets *sockets, struct outcome *outcome);
// Says something beside what was read; the first one is kept.
void sockets_note(struct outcome *outcome, const char *format, ...)
        __attribute__((format(printf, 2, 3)));

// Reads the file of a list and visits its sockets. 0 or -errno; -ENOENT: there is none.
int sockets_read_file(struct sockets *sockets, const struct netns *netns, size_t list,
        socket_visit *visit, void *userdata, struct outcome *outcome);

// Counts a look at a picked socket (socket.c).
void sockets_count_look(struct socket_pick *pick, const struct socket_view *view);
// The size of its buffer; CELL_NULL: not known.
cell sockets_rcvbuf(const struct socket_pick *pick);
bool sockets_is_full(const struct socket_pick *pick, const struct socket_view *view, bool lost);

// socket_rows.c: the watch, owners, and a row of each pick that was seen. 0 or -ENOMEM.
int sockets_fill_watch(struct sockets *sockets);
int sockets_add_rows(struct sockets *sockets, struct rows *rows);

// socket_peek.c: looks at the queues of the sockets that lose.
void sockets_peek(struct collect_context *context, void *state);
