// SPDX-License-Identifier: GPL-2.0-or-later
// Socket lists
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/outcome.h"
#include "collectors/sock_diag.h"
#include "collectors/socket_state.h"

// Lines have 128 bytes for IPv4 and up to 180 for IPv6.
#define LINE_BYTES 256

const struct socket_list socket_lists[N_SOCKET_LISTS] = {
    [NETNS_UDP] = { "udp", "udp-diag-ipv4", AF_INET, IPPROTO_UDP },
    [NETNS_UDP6] = { "udp6", "udp-diag-ipv6", AF_INET6, IPPROTO_UDP },
    [NETNS_UDPLITE] = { "udplite", "udplite-diag-ipv4", AF_INET, IPPROTO_UDPLITE },
    [NETNS_UDPLITE6] = { "udplite6", "udplite-diag-ipv6", AF_INET6, IPPROTO_UDPLITE },
};

void sockets_note(struct outcome *outcome, const char *format, ...) {
    if (outcome->reason[0])
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->reason, sizeof(outcome->reason), format, arguments);
    va_end(arguments);
}

static void end_list(struct sockets *sockets, const struct socket_list *list) {
    const struct socket_place *place = sockets->place;
    for (size_t i = 0; place->has_picks && sockets->counts_groups && i < sockets->picks.n; i++) {
        struct socket_pick *pick = &sockets->picks.items[i];
        if (pick->seen && pick->place == place->id && pick->view.family == list->family &&
                pick->view.protocol == list->protocol)
            socket_group_get(&sockets->groups, &pick->view, &pick->members, &pick->members_empty);
    }
}

int sockets_read_file(struct sockets *sockets, const struct netns *netns, size_t list,
        socket_visit *visit, void *userdata, struct outcome *outcome) {
    const struct collect_context *context = sockets->context;
    struct parse_problem problem = { 0 };
    char path[NETNS_PATH_SIZE];
    int r = netns_read_records(
            context->netns, netns, &sockets->host_files[list], socket_lists[list].file, LINE_BYTES);
    if (r < 0)
        return r;
    netns_path(netns, socket_lists[list].file, path);
    r = parse_net_udp(context->source->buffer, context->source->size, socket_lists[list].family,
            socket_lists[list].protocol, visit, userdata, &problem);
    if (outcome)
        outcome_problem(outcome, path, &problem);
    return r;
}

static int read_list(struct sockets *sockets, size_t i, struct outcome *outcome) {
    const struct socket_list *list = &socket_lists[i];
    int r;
    if (sockets->place->by_files) {
        sockets_take(sockets, NULL);
        r = sockets_read_file(sockets, sockets->netns, i, sockets_take, sockets, outcome);
    } else {
        r = sock_diag_list(&sockets->diag, sockets->context->source, list->dump, list->family,
                list->protocol, sockets_take, sockets);
    }
    int rest = r == 0 || r == -EAGAIN ? sockets_take_rest(sockets) : 0;
    return rest < 0 ? rest : r;
}

// What a kernel without IPv6 or UDP-Lite says, or a process that is gone.
static bool is_missing(int r) {
    return r == -ENOENT || r == -ESRCH || r == -ENOTDIR || r == -ENXIO;
}

// Lists without a socket cost as much as others: the kernel goes through the sockets of all
// namespaces and families.
static bool is_empty(const struct sockets *sockets, size_t list) {
    const struct source *source = sockets->context->source;
    if (!source->live)
        return !sockets->place->by_files && !rtnl_has_file(source, socket_lists[list].dump);
    return sockets->netns->in_use[list] == 0;
}

// 0, 1: there are no such files, or -errno.
static int read_lists(struct sockets *sockets, struct outcome *outcome) {
    sockets->place->n_seen = 0;
    sockets->place->has_picks = false;
    for (size_t i = 0; i < N_SOCKET_LISTS; i++) {
        if (is_empty(sockets, i))
            continue;
        int r = read_list(sockets, i, outcome);
        if (r == -EAGAIN)
            sockets_note(
                    outcome, "the list of sockets changed while it was read: some may be missing");
        else if (i == NETNS_UDP && is_missing(r))
            return sockets->place->by_files ? 1 : r;
        else if (r < 0 && !is_missing(r))
            return r;
        end_list(sockets, &socket_lists[i]);
    }
    return 0;
}

// What a kernel without it says, or one that keeps it from us; after other errors the next look
// tries again.
static bool is_no_diag(int error) {
    return error == -ENODATA || error == -ENOENT || error == -EPERM || error == -EACCES ||
           error == -EAFNOSUPPORT || error == -EPROTONOSUPPORT;
}

static void report_no_diag(int error, struct outcome *outcome) {
    if (error == -ENODATA)
        sockets_note(outcome,
                "sock_diag of this kernel tells no drops (before 4.7): read from /proc/net/udp, "
                "without buffer limits");
    else
        sockets_note(outcome,
                "no sock_diag for UDP (%s): read from /proc/net/udp, without buffer limits",
                error == -ENOENT ? "no udp_diag" : strerror(-error));
}

// Whether sock_diag tells of the namespace, or told of it when a directory was made of it.
static bool has_diag(const struct collect_context *context, const struct netns *netns) {
    const struct netns_list *list = context->netns;
    if (context->source->live)
        return list->own_inode && netns->inode == list->own_inode;
    for (size_t i = 0; netns->host && i < N_SOCKET_LISTS; i++)
        if (rtnl_has_file(context->source, socket_lists[i].dump))
            return true;
    return false;
}

// The namespace of this process is read over sock_diag, where the kernel has it. Its sockets have
// other keys there than in files, so that a change between the two begins anew.
static void choose_way(struct sockets *sockets) {
    struct socket_place *place = sockets->place;
    bool by_files = place->no_diag || !has_diag(sockets->context, sockets->netns);
    if (by_files != place->by_files)
        place->started = false;
    place->by_files = by_files;
}

// The groups of the sockets that were picked in the look before; of all in the first one.
static void choose_groups(struct sockets *sockets) {
    const struct socket_place *place = sockets->place;
    sockets->counts_groups = !place->started || place->had_picks;
    if (!sockets->counts_groups)
        return;
    sockets->used_groups = true;
    port_set_fill(&sockets->group_ports, !place->started);
    for (size_t i = 0; i < sockets->picks.n; i++)
        if (sockets->picks.items[i].place == place->id)
            port_set_add(&sockets->group_ports, sockets->picks.items[i].view.port);
}

int sockets_visit(struct sockets *sockets, struct outcome *outcome) {
    struct socket_place *place = sockets->place;
    choose_way(sockets);
    choose_groups(sockets);
    int r = read_lists(sockets, outcome);
    if (!place->by_files && is_no_diag(r)) {
        place->no_diag = r;
        choose_way(sockets);
        choose_groups(sockets);
        r = read_lists(sockets, outcome);
    }
    if (place->no_diag)
        report_no_diag(place->no_diag, outcome);
    if (r < 0)
        outcome_set(outcome, OUTCOME_FAILED, "sockets of %s: %s", sockets->netns->name,
                sockets->diag.problem[0] ? sockets->diag.problem : strerror(-r));
    place->visits++;
    return r;
}
