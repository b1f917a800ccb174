// SPDX-License-Identifier: GPL-2.0-or-later
// Narrowed answers
//
// The rules judge the whole host, since one loss has one cause; afterwards only what names the
// wanted sockets is left. What a port lost is what its sockets dropped, and what causes at places
// before any socket lay to that port.
#include "cli/narrow.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/judge.h"
#include "cli/live.h"
#include "cli/locus.h"
#include "cli/narrow_known.h"
#include "core/cleanup.h"

#define MAX_PORT 65535

struct narrow {
    const struct socket_filter *filter;
    struct verdict *verdict;
    struct socket_list sockets;
    bool by_socket; // else by namespace alone
};

int narrow_read(
        const char *port, const char *process, const char *netns, struct socket_filter *ret) {
    *ret = (struct socket_filter){ .port = CELL_NULL, .process = process, .netns = netns };
    if (!port)
        return 0;
    char *end;
    ret->port = strtoimax(port, &end, 10);
    if (*port < '0' || *port > '9' || *end || ret->port > MAX_PORT || ret->port == 0)
        return complain(STATUS_USAGE, "--port %s is no port number", port);
    return 0;
}

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

static bool owns(const struct narrow *narrow, int64_t pid) {
    for (size_t i = 0; i < narrow->sockets.n && pid != CELL_NULL; i++)
        for (size_t j = 0; j < narrow->sockets.list[i].n_owners; j++)
            if (narrow->sockets.list[i].owners[j].pid == pid)
                return true;
    return false;
}

static bool is_about(const struct narrow *narrow, const struct subject *subject) {
    const struct socket_filter *filter = narrow->filter;
    bool owner = owns(narrow, subject->pid);
    if (filter->netns && (!subject->netns || strcmp(subject->netns, filter->netns) != 0))
        return false;
    if (filter->port != CELL_NULL && subject->port != filter->port &&
            !(owner && subject->port == CELL_NULL))
        return false;
    return !filter->process || owner ||
           socket_process_matches(filter->process, subject->process, NULL);
}

// Of the kept causes only some remain; the first at a place leads there.
static void promote(struct verdict *verdict, size_t i) {
    struct cause *cause = &verdict->causes[i];
    for (size_t j = 0; j < i; j++)
        if (verdict->causes[j].locus && cause->locus &&
                strcmp(verdict->causes[j].locus, cause->locus) == 0)
            return;
    cause->also = false;
}

static void keep_causes(const struct narrow *narrow) {
    struct verdict *verdict = narrow->verdict;
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        struct cause cause = verdict->causes[i];
        if (!is_about(narrow, &cause.subject)) {
            cause_done(&cause);
            continue;
        }
        verdict->causes[n] = cause;
        promote(verdict, n++);
    }
    verdict->n_causes = n;
}

static void keep_levels(const struct narrow *narrow) {
    struct verdict *verdict = narrow->verdict;
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_levels; i++)
        if (is_about(narrow, &verdict->levels[i].subject))
            verdict->levels[n++] = verdict->levels[i];
        else
            level_done(&verdict->levels[i]);
    verdict->n_levels = n;
}

static bool is_inside(const struct narrow *narrow, const char *netns) {
    if (!netns)
        return false;
    if (!narrow->by_socket)
        return strcmp(netns, narrow->filter->netns) == 0;
    for (size_t i = 0; i < narrow->sockets.n; i++)
        if (strcmp(netns, narrow->sockets.list[i].netns) == 0)
            return true;
    for (size_t i = 0; i < narrow->verdict->n_causes; i++) {
        const char *other = narrow->verdict->causes[i].subject.netns;
        if (other && strcmp(netns, other) == 0)
            return true;
    }
    return false;
}

static void keep_ledger(const struct narrow *narrow) {
    struct verdict *verdict = narrow->verdict;
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (is_inside(narrow, verdict->ledger[i].netns))
            verdict->ledger[n++] = verdict->ledger[i];
        else
            ledger_entry_done(&verdict->ledger[i]);
    verdict->n_ledger = n;
}

// A setting of a namespace bears on all its sockets.
static void keep_changes(const struct narrow *narrow) {
    struct verdict *verdict = narrow->verdict;
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_changes; i++) {
        const struct subject *subject = &verdict->changes[i].subject;
        bool whole = subject->port == CELL_NULL && subject->pid == CELL_NULL;
        if (whole ? is_inside(narrow, subject->netns) : is_about(narrow, subject))
            verdict->changes[n++] = verdict->changes[i];
        else
            change_done(&verdict->changes[i]);
    }
    verdict->n_changes = n;
}

// Whether a change ended all that the answer is about: of a port that is what was compared.
static int find_last_word(const struct narrow *narrow, struct store *store) {
    static const char sql[] =
            "SELECT max(s.end_ms) FROM temp.loss_step JOIN temp.step s USING (step)"
            " WHERE datagrams > 0 AND netns = ?";
    _cleanup_(finalize) sqlite3_stmt *row = NULL;
    const struct socket_filter *filter = narrow->filter;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &row, NULL) != SQLITE_OK)
        return -EIO;
    if (filter->netns)
        sqlite3_bind_text(row, 1, filter->netns, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW)
        return -EIO;
    int64_t last_ms = sqlite3_column_int64(row, 0);
    for (size_t i = 0; i < narrow->verdict->n_changes; i++) {
        struct change *change = &narrow->verdict->changes[i];
        bool over = narrow->by_socket ? change->after_rate == 0 && filter->port != CELL_NULL &&
                                                change->subject.port == filter->port
                                      : last_ms <= change->at_ms;
        change->last_word = change->verdict == CHANGE_CURED && (over || change->last_word);
    }
    return 0;
}

// They are about the whole host.
static void drop_notes(struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_notes; i++)
        remark_done(&verdict->notes[i]);
    verdict->n_notes = 0;
}

static int64_t lost_of(const struct narrow *narrow) {
    const struct verdict *verdict = narrow->verdict;
    int64_t lost = 0, dropped = 0, explained = 0;
    for (size_t i = 0; i < verdict->n_ledger && !narrow->by_socket; i++)
        lost += verdict->ledger[i].datagrams;
    if (!narrow->by_socket)
        return lost;
    for (size_t i = 0; i < narrow->sockets.n; i++)
        if (narrow->sockets.list[i].drops != CELL_NULL)
            dropped += narrow->sockets.list[i].drops;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        bool own = !cause->no_loss && !cause->also && cause->locus;
        if (own && locus_in_socket_drops(cause->locus))
            explained += cause->lost;
        else if (own)
            lost += cause->lost;
    }
    return lost + (dropped > explained ? dropped : explained);
}

// Traffic is counted per namespace, not per socket.
static int count_traffic(struct narrow *narrow, struct store *store) {
    static const char sql[] =
            "SELECT total(udp_in_datagrams) + total(udp6_in_datagrams) + total(udplite_in_datagrams)"
            " + total(udplite6_in_datagrams), total(udp_out_datagrams) + total(udp6_out_datagrams)"
            " + total(udplite_out_datagrams) + total(udplite6_out_datagrams), count(*)"
            " FROM temp.snmp WHERE netns = ?";
    _cleanup_(finalize) sqlite3_stmt *row = NULL;
    struct verdict *verdict = narrow->verdict;
    verdict->received = verdict->sent = CELL_NULL;
    if (narrow->by_socket)
        return 0;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &row, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_text(row, 1, narrow->filter->netns, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW)
        return -EIO;
    if (sqlite3_column_int(row, 2) > 0) {
        verdict->received = sqlite3_column_int64(row, 0);
        verdict->sent = sqlite3_column_int64(row, 1);
    }
    return 0;
}

// The namespaces of the window: 0, 1: that one is not among them, or -errno.
static int check_netns(struct store *store, const char *netns) {
    static const char sql[] = "SELECT total(netns = ?), group_concat(netns, ', ') FROM temp.snmp";
    _cleanup_(finalize) sqlite3_stmt *row = NULL;
    if (!netns)
        return 0;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &row, NULL) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_text(row, 1, netns, -1, SQLITE_STATIC);
    if (sqlite3_step(row) != SQLITE_ROW)
        return -EIO;
    if (sqlite3_column_int(row, 0) > 0)
        return 0;
    const char *others = (const char *) sqlite3_column_text(row, 1);
    complain(0, "there is no network namespace %s, but %s", netns, others ? others : "none");
    return 1;
}

static int set_narrowing(struct narrow *narrow) {
    const struct socket_filter *filter = narrow->filter;
    struct narrowing *narrowing = calloc(1, sizeof(*narrowing));
    if (!narrowing)
        return -ENOMEM;
    *narrowing = (struct narrowing){
        .port = filter->port,
        .process = filter->process ? strdup(filter->process) : NULL,
        .netns = filter->netns ? strdup(filter->netns) : NULL,
        .lost_in_all = narrow->verdict->lost,
        .n_sockets = narrow->sockets.n,
    };
    narrow->verdict->narrowing = narrowing;
    return (filter->process && !narrowing->process) || (filter->netns && !narrowing->netns)
                   ? -ENOMEM
                   : 0;
}

static enum verdict_kind kind_of(const struct verdict *verdict, bool blind) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (!verdict->causes[i].no_loss)
            return VERDICT_CAUSES;
    if (blind || (verdict->lost > 0 && verdict->window.kind != WINDOW_SINCE_BOOT))
        return VERDICT_CANNOT_TELL;
    return verdict->window.kind == WINDOW_SINCE_BOOT ? VERDICT_ONE_SNAPSHOT : VERDICT_HEALTHY;
}

static int narrow_down(struct narrow *narrow, struct store *store, bool complete) {
    struct verdict *verdict = narrow->verdict;
    _cleanup_free_ char *blind = NULL;
    int r = narrow->by_socket ? narrow_find_blindness(store, &blind) : 0;
    if (r == 0)
        r = socket_list_read(store, narrow->filter, &narrow->sockets);
    if (r == 0)
        r = set_narrowing(narrow);
    if (r < 0)
        return r;
    keep_causes(narrow);
    keep_levels(narrow);
    keep_ledger(narrow);
    keep_changes(narrow);
    drop_notes(verdict);
    verdict->lost = lost_of(narrow);
    verdict->kind = kind_of(verdict, blind && narrow->sockets.n == 0);
    r = find_last_word(narrow, store);
    if (r == 0)
        r = count_traffic(narrow, store);
    if (r < 0 || !narrow->by_socket)
        return r;
    return narrow_tell_known(narrow->filter, &narrow->sockets, blind, complete, verdict->narrowing);
}

int narrow_verdict(struct store *store, const struct socket_filter *filter, bool complete,
        struct verdict *verdict) {
    struct narrow narrow = {
        .filter = filter,
        .verdict = verdict,
        .by_socket = filter->port != CELL_NULL || filter->process,
    };
    int r = check_netns(store, filter->netns);
    if (r == 0)
        r = narrow_down(&narrow, store, complete);
    socket_list_done(&narrow.sockets);
    return r;
}

int narrow_look_now(const struct socket_filter *filter, struct verdict *verdict) {
    _cleanup_(judge_live_done) struct live *live = NULL;
    _cleanup_(socket_list_done) struct socket_list sockets = { 0 };
    struct socket_filter here = *filter;
    struct window window;
    here.here = true;
    if (!verdict->narrowing || verdict->narrowing->n_sockets > 0 ||
            (filter->port == CELL_NULL && !filter->process))
        return 0;
    int r = live_new(NULL, LIVE_SINCE_BOOT, &live);
    if (r < 0)
        return r;
    live_want_all_sockets(live);
    r = live_look(live);
    if (r == 0)
        r = live_window(live, &window);
    if (r == 0)
        r = socket_list_read(live_store(live), &here, &sockets);
    return r < 0 ? r : narrow_tell_now(&sockets, verdict->narrowing);
}
