// SPDX-License-Identifier: GPL-2.0-or-later
// Socket rows
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/socket.h"
#include "collectors/socket_ask.h"
#include "collectors/socket_cgroup.h"
#include "collectors/socket_state.h"

// What a socket option tells hardly ever changes.
#define ASK_MS 60000

static bool is_dense(const struct sockets *sockets, const struct socket_pick *pick) {
    return pick->lost_ms != INT64_MIN && sockets->context->now_ms - pick->lost_ms < WATCH_DENSE_MS;
}

static int make_room(struct watch *watch, size_t n) {
    if (n <= watch->sockets_capacity)
        return 0;
    size_t capacity = watch->sockets_capacity ? watch->sockets_capacity : 16;
    while (capacity < n)
        capacity *= 2;
    struct watched_socket *sockets = reallocarray(watch->sockets, capacity, sizeof(*sockets));
    if (!sockets)
        return -ENOMEM;
    watch->sockets = sockets;
    watch->sockets_capacity = capacity;
    return 0;
}

static void watch_pick(
        const struct sockets *sockets, const struct socket_pick *pick, struct watch *watch) {
    struct watched_socket *socket = &watch->sockets[watch->n_sockets++];
    *socket = (struct watched_socket){ .cookie = pick->view.cookie,
        .inode = pick->view.inode,
        .port = pick->view.port,
        .lossy = pick->seen && pick->lost > 0,
        .dense = is_dense(sockets, pick),
        .full = sockets_is_full(pick, &pick->view, pick->lost > 0),
        .lost = pick->seen ? pick->lost : 0 };
    memcpy(socket->netns, pick->netns, sizeof(socket->netns));
    watch->lossy |= socket->dense;
}

static const struct watched_owner *first_owner(const struct watch *watch, uint32_t inode) {
    for (size_t i = 0; i < watch->n_owners; i++)
        if (watch->owners[i].inode == inode)
            return &watch->owners[i];
    return NULL;
}

// A copy of its descriptor is made only where there is loss to explain.
static void ask(const struct sockets *sockets, struct socket_pick *pick) {
    int64_t now_ms = sockets->context->now_ms;
    if (!sockets->context->source->live || !is_dense(sockets, pick) ||
            (pick->asked_ms && now_ms - pick->asked_ms < ASK_MS))
        return;
    const struct watched_owner *owner = first_owner(sockets->context->watch, pick->view.inode);
    struct socket_options options;
    if (!owner)
        return;
    pick->asked_ms = now_ms;
    if (socket_ask(owner->pid, owner->fd, owner->inode, &options) < 0)
        return;
    pick->has_filter = options.has_filter;
    pick->rcvbuf_bytes = options.rcvbuf_bytes;
    pick->sndbuf_bytes = options.sndbuf_bytes;
}

static void find_kernel_user(
        struct sockets *sockets, struct socket_pick *pick, struct watched_socket *socket) {
    struct collect_context *context = sockets->context;
    if (!context->source->live || socket->state != OWNER_UNKNOWN ||
            !owner_search_was_vain(sockets->owners, context->watch, pick->view.inode))
        return;
    if (pick->own)
        kernel_ports_read(&sockets->kernel_ports, context->now_ms);
    pick->kernel_user = kernel_ports_user(&sockets->kernel_ports, pick->own, pick->view.port);
    if (pick->kernel_user[0])
        socket->state = OWNER_KERNEL;
}

int sockets_fill_watch(struct sockets *sockets) {
    struct socket_picks *picks = &sockets->picks;
    struct watch *watch = sockets->context->watch;
    watch->n_sockets = 0;
    watch->lossy = false;
    int r = make_room(watch, picks->n);
    for (size_t i = 0; r == 0 && i < picks->n; i++)
        watch_pick(sockets, &picks->items[picks->order[i]], watch);
    if (r == 0)
        r = owner_search_run(sockets->owners, watch, sockets->context->now_ms);
    if (r < 0) {
        watch->n_sockets = watch->n_owners = watch->n_processes = 0;
        return r;
    }
    for (size_t i = 0; i < picks->n; i++) {
        struct socket_pick *pick = &picks->items[picks->order[i]];
        pick->kernel_user = "";
        find_kernel_user(sockets, pick, &watch->sockets[i]);
        pick->owner_state = watch->sockets[i].state;
        pick->n_owners = watch->sockets[i].n_owners;
        ask(sockets, pick);
    }
    return 0;
}

static cell put_text(struct rows *rows, const char *text) {
    return rows_put_text(rows, text, strlen(text));
}

static cell put_address(struct rows *rows, uint8_t family, const uint32_t *address) {
    char text[INET6_ADDRSTRLEN];
    return put_text(rows, inet_ntop(family, address, text, sizeof(text)) ? text : "");
}

static cell put_interface(struct sockets *sockets, uint32_t ifindex, struct rows *rows) {
    if (ifindex == 0)
        return put_text(rows, "");
    const char *name = link_names_find(&sockets->names, (int) ifindex);
    return name ? rows_put_text(rows, name, IFNAMSIZ) : CELL_NULL;
}

static cell put_cgroup(const struct sockets *sockets, struct socket_pick *pick, struct rows *rows) {
    if (!sockets->context->source->live) // its number says nothing here
        return CELL_NULL;
    if (pick->cgroup_id != pick->view.cgroup) {
        free(pick->cgroup);
        pick->cgroup = socket_cgroup_path(pick->view.cgroup);
        pick->cgroup_id = pick->view.cgroup;
    }
    return pick->cgroup ? put_text(rows, pick->cgroup) : CELL_NULL;
}

static void put_name(
        struct sockets *sockets, const struct socket_pick *pick, struct rows *rows, cell *row) {
    const struct socket_view *view = &pick->view;
    row[SOCKET_NETNS] = put_text(rows, pick->netns);
    row[SOCKET_COOKIE] = (cell) view->cookie;
    row[SOCKET_INODE] = view->inode;
    row[SOCKET_PROTOCOL] = put_text(rows, view->protocol == IPPROTO_UDPLITE ? "udplite" : "udp");
    row[SOCKET_FAMILY] = view->family == AF_INET6 ? 6 : 4;
    row[SOCKET_ADDRESS] = put_address(rows, view->family, view->address);
    row[SOCKET_PORT] = view->port;
    row[SOCKET_PEER_ADDRESS] =
            view->connected ? put_address(rows, view->family, view->peer) : put_text(rows, "");
    row[SOCKET_PEER_PORT] = view->connected ? view->peer_port : 0;
    row[SOCKET_INTERFACE] = pick->own ? put_interface(sockets, view->ifindex, rows) : CELL_NULL;
    row[SOCKET_UID] = view->uid;
    row[SOCKET_CONNECTED] = view->connected;
}

static void put_memory(const struct socket_pick *pick, cell *row) {
    const struct socket_view *view = &pick->view;
    row[SOCKET_RCVBUF] = sockets_rcvbuf(pick);
    row[SOCKET_RMEM] = view->has_memory ? (cell) view->rmem : CELL_NULL;
    row[SOCKET_QUEUE] = view->queue;
    row[SOCKET_QUEUE_PEAK] = pick->queue_peak;
    row[SOCKET_SNDBUF] = view->has_memory ? (cell) view->sndbuf : pick->sndbuf_bytes;
    row[SOCKET_WMEM] = view->has_memory ? (cell) view->wmem : CELL_NULL;
}

static void put_owner(
        const struct sockets *sockets, struct socket_pick *pick, struct rows *rows, cell *row) {
    row[SOCKET_REUSEPORT_MEMBERS] = pick->members;
    row[SOCKET_REUSEPORT_EMPTY] = pick->members_empty;
    row[SOCKET_OWNERS] = pick->n_owners;
    row[SOCKET_OWNER_STATE] = put_text(rows, owner_state_name(pick->owner_state));
    row[SOCKET_KERNEL_USER] = put_text(rows, pick->kernel_user);
    row[SOCKET_HAS_FILTER] = pick->has_filter;
    row[SOCKET_CGROUP] = put_cgroup(sockets, pick, rows);
}

static void put_counters(const struct socket_pick *pick, cell *row, cell *before) {
    row[SOCKET_DROPS] = pick->view.drops;
    row[SOCKET_LOOKS] = pick->counts.looks;
    row[SOCKET_LOOKS_FULL] = pick->counts.full;
    row[SOCKET_LOOKS_EMPTY] = pick->counts.empty;
    before[SOCKET_DROPS] = pick->drops_before;
    before[SOCKET_LOOKS] = pick->counts_before.looks;
    before[SOCKET_LOOKS_FULL] = pick->counts_before.full;
    before[SOCKET_LOOKS_EMPTY] = pick->counts_before.empty;
}

static int add_row(struct sockets *sockets, struct socket_pick *pick, struct rows *rows) {
    cell *row = rows_add(rows);
    cell *before = row ? rows_before(rows) : NULL;
    if (!before) {
        rows_drop_last(rows);
        return -ENOMEM;
    }
    put_name(sockets, pick, rows, row);
    put_memory(pick, row);
    put_owner(sockets, pick, rows, row);
    put_counters(pick, row, before);
    pick->counts_before = pick->counts;
    pick->queue_peak = 0;
    return 0;
}

// inet_diag keys are the cookie, files' are the inode: one that has neither is about to close.
static bool has_name(const struct socket_view *view) {
    return view->cookie || view->inode;
}

int sockets_add_rows(struct sockets *sockets, struct rows *rows) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < sockets->picks.n; i++) {
        struct socket_pick *pick = &sockets->picks.items[sockets->picks.order[i]];
        if (!pick->seen || !has_name(&pick->view))
            continue;
        if (is_dense(sockets, pick))
            sockets_count_look(pick, &pick->view);
        r = add_row(sockets, pick, rows);
    }
    return r;
}
