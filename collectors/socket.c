// SPDX-License-Identifier: GPL-2.0-or-later
// Socket collector
#include "collectors/socket.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/list.h"
#include "collectors/proc_pairs.h"
#include "collectors/sock_diag.h"
#include "collectors/socket_state.h"

static int start(struct collect_context *context, void **ret_state) {
    struct sockets *sockets = calloc(1, sizeof(*sockets));
    if (!sockets)
        return -ENOMEM;
    sockets->context = context;
    sockets->diag = SOCK_DIAG_CLOSED;
    sockets->kernel_ports = KERNEL_PORTS_EMPTY;
    sockets->names = LINK_NAMES_EMPTY;
    for (size_t i = 0; i < N_SOCKET_LISTS; i++)
        sockets->host_files[i] = SOURCE_FILE_CLOSED;
    int r = owner_search_new(context->source, &sockets->owners);
    if (r < 0)
        free(sockets);
    else
        *ret_state = sockets;
    return r;
}

static void stop(void *state) {
    struct sockets *sockets = state;
    rtnl_close(&sockets->diag);
    for (size_t i = 0; i < N_SOCKET_LISTS; i++)
        source_file_close(&sockets->host_files[i]);
    socket_places_done(&sockets->places);
    socket_picks_done(&sockets->picks);
    key_table_done(&sockets->groups);
    owner_search_free(sockets->owners);
    kernel_ports_done(&sockets->kernel_ports);
    link_names_done(&sockets->names);
    free(sockets);
}

static int64_t cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

cell sockets_rcvbuf(const struct socket_pick *pick) {
    return pick->view.has_memory ? (cell) pick->view.rcvbuf : pick->rcvbuf_bytes;
}

bool sockets_is_full(const struct socket_pick *pick, const struct socket_view *view, bool lost) {
    cell limit = sockets_rcvbuf(pick);
    if (limit == CELL_NULL)
        return lost && view->queue > 0;
    return view->queue > 0 && socket_is_full(view, (uint32_t) limit, lost);
}

void sockets_count_look(struct socket_pick *pick, const struct socket_view *view) {
    pick->counts.looks++;
    pick->counts.empty += view->queue == 0;
    pick->counts.full += sockets_is_full(pick, view, view->drops != pick->drops_looked);
    pick->drops_looked = view->drops;
    if (view->queue > pick->queue_peak)
        pick->queue_peak = view->queue;
}

static void update_pick(struct sockets *sockets, struct socket_pick *pick,
        const struct socket_view *view, const struct socket_news *news) {
    bool again = pick->seen; // the list began again: what counts is the look before
    if (!again) {
        pick->drops_before = news->drops_before;
        pick->lost = 0;
    }
    pick->lost += news->lost;
    pick->view = *view;
    pick->share = news->share;
    pick->seen = true;
    if (pick->lost > 0)
        pick->lost_ms = sockets->context->now_ms;
    if (view->queue > pick->queue_peak)
        pick->queue_peak = view->queue;
}

// Where there is no look before, who lost the most ever comes first.
static int64_t rank_of(const struct socket_view *view, const struct socket_news *news) {
    return news->drops_before == CELL_NULL ? (int64_t) view->drops : news->lost;
}

static int pick_socket(struct sockets *sockets, uint64_t key, const struct socket_view *view,
        const struct socket_news *news) {
    struct socket_pick *pick = socket_picks_find(&sockets->picks, key);
    int64_t rank = rank_of(view, news);
    if (!pick) {
        int r = socket_picks_add(&sockets->picks, key, rank, &pick);
        if (r != 0)
            return r < 0 ? r : 0;
        pick->place = sockets->place->id;
        pick->own = !sockets->place->by_files;
        pick->drops_looked = (uint32_t) (view->drops - news->lost);
    }
    memcpy(pick->netns, sockets->netns->name, sizeof(pick->netns));
    sockets->place->has_picks = true;
    update_pick(sockets, pick, view, news);
    socket_picks_set_rank(&sockets->picks, pick, rank > pick->lost ? rank : pick->lost);
    return 0;
}

// Where the view does not tell the size of the buffer.
static uint32_t limit_of(const struct sockets *sockets, uint64_t key) {
    const struct socket_pick *pick =
            sockets->place->had_picks ? socket_picks_find(&sockets->picks, key) : NULL;
    bool known = pick && pick->rcvbuf_bytes != CELL_NULL;
    return known ? (uint32_t) pick->rcvbuf_bytes : sockets->default_rcvbuf;
}

// Who opens the port of one that lost something is watched as well.
static void watch_port(struct sockets *sockets, const struct socket_view *view,
        enum socket_past past, struct known_socket *known, struct socket_news *news) {
    uint64_t place = sockets->place->id;
    int64_t now_ms = sockets->context->now_ms;
    if (news->lost > 0)
        lossy_ports_add(&sockets->lossy_ports, place, view->port, now_ms);
    // One with a peer takes over nothing.
    if (past != SOCKET_NEW || news->listed || view->connected || sockets->lossy_ports.n == 0 ||
            !lossy_ports_has(&sockets->lossy_ports, place, view->port, now_ms))
        return;
    known_socket_list(known, now_ms);
    news->listed = true;
}

static int take(struct sockets *sockets, uint64_t key, const struct socket_view *view) {
    struct socket_place *place = sockets->place;
    bool added;
    struct key_entry *entry = key_table_add(&place->known, key, &added);
    if (!entry)
        return -ENOMEM;
    struct known_socket known = known_socket_get(entry);
    if (!added && known.look == place->look)
        return 0; // a list that changes while it is read may have a socket twice
    known.look = place->look;
    place->n_seen++;
    enum socket_past past = !place->started ? SOCKET_UNKNOWN : added ? SOCKET_NEW : SOCKET_KNOWN;
    uint32_t limit = view->has_memory ? view->rcvbuf : limit_of(sockets, key);
    struct socket_news news = socket_judge(view, past, limit, sockets->context->now_ms, &known);
    watch_port(sockets, view, past, &known, &news);
    known_socket_put(entry, known);
    bool listed = news.listed || sockets->context->all_sockets;
    int r = listed ? pick_socket(sockets, key, view, &news) : 0;
    if (r == 0 && sockets->counts_groups && port_set_has(&sockets->group_ports, view->port))
        r = socket_group_count(&sockets->groups, view);
    return r;
}

static void begin_list(struct sockets *sockets) {
    sockets->n_ahead = 0;
    sockets->place->look++;
    key_table_clear(&sockets->groups);
}

int sockets_take_rest(struct sockets *sockets) {
    int r = 0;
    for (unsigned i = 0; r == 0 && i < sockets->n_ahead; i++)
        r = take(sockets, sockets->ahead[i].key, &sockets->ahead[i].view);
    sockets->n_ahead = 0;
    return r;
}

int sockets_take(void *userdata, const struct socket_view *view) {
    struct sockets *sockets = userdata;
    if (!view) {
        begin_list(sockets);
        return 0;
    }
    struct socket_ahead *next = &sockets->ahead[sockets->n_ahead++];
    next->view = *view;
    next->key = socket_key(view);
    key_table_prefetch(&sockets->place->known, next->key);
    return sockets->n_ahead < SOCKETS_AHEAD ? 0 : sockets_take_rest(sockets);
}

static bool is_gone_from(const struct socket_pick *pick, void *data) {
    return pick->place == *(const uint64_t *) data && !pick->seen;
}

static void settle_place(struct sockets *sockets) {
    struct socket_place *place = sockets->place;
    if (place->had_picks || place->has_picks)
        socket_picks_remove_if(&sockets->picks, is_gone_from, &place->id);
    place->had_picks = place->has_picks;
    place->started = true;
    socket_place_sweep(place);
}

static void forget_place(const struct socket_place *place, void *data) {
    struct sockets *sockets = data;
    for (size_t i = 0; i < sockets->picks.n; i++)
        sockets->picks.items[i].seen = false;
    uint64_t id = place->id;
    socket_picks_remove_if(&sockets->picks, is_gone_from, &id);
}

struct visits {
    size_t n_due, n_late; // namespaces that had their turn, and that had not
    size_t n_found;       // of those: with sockets to be read
};

static void visit_netns(struct sockets *sockets, const struct netns *netns, struct visits *visits,
        struct outcome *outcome) {
    const struct collect_context *context = sockets->context;
    sockets->netns = netns;
    sockets->place = socket_places_find(&sockets->places, context->netns, netns);
    if (!socket_place_is_due(&sockets->places, sockets->place, context->now_ms)) {
        visits->n_late++;
        return;
    }
    int64_t before_us = cpu_us();
    int r = sockets_visit(sockets, outcome);
    if (r == 0)
        settle_place(sockets);
    socket_place_charge(&sockets->places, sockets->place, cpu_us() - before_us, context->now_ms);
    visits->n_due++;
    visits->n_found += r <= 0;
}

// Goes on where the look before ran out of time.
static struct visits visit_all(struct sockets *sockets, struct outcome *outcome) {
    const struct netns_list *list = sockets->context->netns;
    struct visits visits = { 0 };
    size_t first = sockets->places.next < list->n ? sockets->places.next : 0, n_late = 0;
    for (size_t k = 0; k < list->n; k++) {
        size_t i = (first + k) % list->n;
        visit_netns(sockets, &list->items[i], &visits, outcome);
        if (visits.n_late > 0 && n_late == 0)
            sockets->places.next = i;
        n_late = visits.n_late;
    }
    sockets->places.started = true;
    return visits;
}

static void report(
        const struct sockets *sockets, const struct visits *visits, struct outcome *outcome) {
    const struct netns_list *list = sockets->context->netns;
    if (visits->n_due > 0 && visits->n_found == 0)
        outcome_set(outcome, OUTCOME_ABSENT, "no /proc/net/udp here");
    if (sockets->picks.left_out_lost > 0)
        sockets_note(outcome,
                "at most %zu sockets are listed: left out are %zu that lost %lld datagrams",
                sockets->picks.most, sockets->picks.n_left_out,
                (long long) sockets->picks.left_out_lost);
    if (visits->n_late > 0)
        sockets_note(outcome,
                "%zu of %zu namespaces were looked at in this step: they may cost %d %% of one CPU",
                visits->n_due, list->n, 100 / SOCKET_PLACE_SHARE);
    if (list->unseen > 0)
        sockets_note(outcome,
                "the namespaces of %zu processes could not be seen: needs CAP_SYS_PTRACE",
                list->unseen);
}

static uint32_t read_default_rcvbuf(struct source *source) {
    static const char path[] = "proc/sys/net/core/rmem_default";
    struct source_file file = SOURCE_FILE_CLOSED;
    cell value = 0;
    if (source_read(source, &file, path) == 0)
        parse_number(source->buffer, strcspn(source->buffer, "\n"), COLUMN_GAUGE, &value);
    source_file_close(&file);
    return value > 0 && value <= INT32_MAX ? (uint32_t) value : 212992;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct sockets *sockets = state;
    if (!sockets->default_rcvbuf)
        sockets->default_rcvbuf = read_default_rcvbuf(context->source);
    sockets->picks.most = context->all_sockets ? UINT16_MAX : SOCKET_PICKS_MAX;
    socket_picks_begin(&sockets->picks);
    sockets->used_groups = false;
    struct rtnl names = RTNL_CLOSED; // where it fails, the table of interfaces says why
    int r = link_names_begin(&sockets->names, &names, context->source);
    if (r != -ENOMEM)
        r = socket_places_begin(
                &sockets->places, context->netns, context->now_ms, forget_place, sockets);
    if (r == 0) {
        struct visits visits = visit_all(sockets, outcome);
        if (!sockets->used_groups)
            key_table_done(&sockets->groups);
        socket_picks_sort(&sockets->picks);
        report(sockets, &visits, outcome);
        r = sockets_fill_watch(sockets);
    }
    if (r == 0)
        r = sockets_add_rows(sockets, rows);
    if (r < 0)
        outcome_set(outcome, OUTCOME_FAILED, "%s", strerror(-r));
}

const struct collector socket_collector = { &socket_table, LANE_FAST, start, collect, stop,
    sockets_peek };
