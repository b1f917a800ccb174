// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks at queues
#include <sys/socket.h>

#include "collectors/sock_diag.h"
#include "collectors/socket_state.h"

// So many sockets are looked at, and the files of so many other namespaces: those that lost the
// most in the last look.
#define PEEK_SOCKETS 16
#define PEEK_NAMESPACES 2
// A namespace whose files take longer than this is not worth it: there, the looks of the steps have
// to do.
#define PEEK_FILES_US 5000

struct peek {
    struct sockets *sockets;
    uint64_t place;
};

static bool is_wanted(const struct sockets *sockets, const struct socket_pick *pick) {
    return pick->seen && pick->lost_ms != INT64_MIN &&
           sockets->context->now_ms - pick->lost_ms < WATCH_DENSE_MS;
}

static void count(struct socket_pick *pick, const struct socket_view *view) {
    if (pick->looked)
        return;
    pick->looked = true;
    sockets_count_look(pick, view);
}

// A list is longer than what is wanted of it.
static int visit(void *userdata, const struct socket_view *view) {
    const struct peek *peek = userdata;
    struct socket_pick *pick =
            view ? socket_picks_find(&peek->sockets->picks, socket_key(view)) : NULL;
    if (pick && pick->place == peek->place && is_wanted(peek->sockets, pick))
        count(pick, view);
    return 0;
}

// Where several sockets share an address and port, the kernel chooses among them as it does for a
// datagram. Then the list of all sockets of the port serves them all.
static void look_at(struct sockets *sockets, struct socket_pick *pick) {
    struct socket_view view;
    if (pick->looked || !sockets->context->source->live) // a capture has no more of its moment
        return;
    int r = pick->is_shared ? 1 : sock_diag_again(&sockets->diag, &pick->view, &view);
    if (r == 0)
        count(pick, &view);
    if (r != 1)
        return;
    pick->is_shared = true;
    sock_diag_list_port(&sockets->diag, pick->view.family, pick->view.protocol, pick->view.port,
            visit, &(struct peek){ sockets, pick->place });
}

static const struct netns *find_netns(const struct netns_list *list, uint64_t place) {
    for (size_t i = 0; i < list->n; i++)
        if ((list->items[i].inode ? list->items[i].inode : list->items[i].net_inode) == place)
            return &list->items[i];
    return NULL;
}

// All that is wanted of a namespace that is read from files. False: nothing was read.
static bool look_into(struct sockets *sockets, const struct socket_pick *pick) {
    const struct netns_list *list = sockets->context->netns;
    const struct netns *netns = pick->looked ? NULL : find_netns(list, pick->place);
    const struct socket_place *place =
            netns ? socket_places_find(&sockets->places, list, netns) : NULL;
    if (!place || place->cost_us > PEEK_FILES_US)
        return false;
    for (size_t i = 0; i < N_SOCKET_LISTS; i++)
        if (socket_lists[i].family == pick->view.family &&
                socket_lists[i].protocol == pick->view.protocol)
            sockets_read_file(
                    sockets, netns, i, visit, &(struct peek){ sockets, pick->place }, NULL);
    return true;
}

void sockets_peek(struct collect_context *context, void *state) {
    struct sockets *sockets = state;
    struct socket_picks *picks = &sockets->picks;
    size_t n_sockets = 0, n_namespaces = 0;
    for (size_t i = 0; i < picks->n; i++)
        picks->items[i].looked = false;
    for (size_t i = 0; i < picks->n && n_sockets < PEEK_SOCKETS; i++) {
        struct socket_pick *pick = &picks->items[picks->order[i]];
        if (!is_wanted(sockets, pick))
            continue;
        n_sockets++;
        if (pick->own)
            look_at(sockets, pick);
        else if (n_namespaces < PEEK_NAMESPACES)
            n_namespaces += look_into(sockets, pick);
    }
}
