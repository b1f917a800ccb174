// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines
#include "collectors/qdisc.h"

#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/link_names.h"
#include "collectors/list.h"
#include "collectors/rtnl.h"

static const struct column columns[N_QDISC_COLUMNS] = {
    [QDISC_NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [QDISC_INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", "tcm_ifindex" },
    [QDISC_HANDLE] = { "handle", COLUMN_KEY_TEXT, "",
            "handle, as tc shows it: 8001:", "tcm_handle" },
    [QDISC_PARENT] = { "parent", COLUMN_KEY_TEXT, "", "root, or the class it hangs on: 1:10",
            "tcm_parent" },
    [QDISC_KIND] = { "kind", COLUMN_TEXT, "", "fq_codel, tbf, mq, clsact, ...", "TCA_KIND" },
    [QDISC_LEAF] = { "leaf", COLUMN_GAUGE, "",
            "1: no other discipline hangs on it; only leaves may be summed", NULL },
    [QDISC_BYTES] = { "bytes", COLUMN_COUNTER, "bytes", "bytes that passed", "bytes" },
    [QDISC_PACKETS] = { "packets", COLUMN_COUNTER, "packets", "packets that passed", "packets" },
    [QDISC_DROPS] = { "drops", COLUMN_COUNTER, "packets", "packets dropped", "drops" },
    [QDISC_OVERLIMITS] = { "overlimits", COLUMN_COUNTER, "events",
            "times a packet had to wait for a rate limit", "overlimits" },
    [QDISC_REQUEUES] = { "requeues", COLUMN_COUNTER, "events",
            "packets put back since the device was busy; no loss", "requeues" },
    [QDISC_BACKLOG] = { "backlog_bytes", COLUMN_GAUGE, "bytes", "bytes queued now", "backlog" },
    [QDISC_QLEN] = { "qlen", COLUMN_GAUGE, "packets", "packets queued now", "qlen" },
};

const struct table qdisc_table = {
    .name = "qdisc",
    .help = "queueing disciplines of the interfaces",
    .per = "network namespace, interface, handle and parent",
    .source = "rtnetlink RTM_GETQDISC",
    .columns = columns,
    .n_columns = N_QDISC_COLUMNS,
    .n_keys = 4,
};

static char *put_hex(char *at, uint32_t value) {
    static const char digits[] = "0123456789abcdef";
    int shift = 12;
    while (shift > 0 && value >> shift == 0)
        shift -= 4;
    for (; shift >= 0; shift -= 4)
        *at++ = digits[value >> shift & 15];
    return at;
}

// As tc shows them: 8001: is the discipline, 1:10 a class of it.
static cell put_handle(struct rows *rows, uint32_t handle) {
    char text[16], *end = put_hex(text, TC_H_MAJ(handle) >> 16);
    *end++ = ':';
    if (TC_H_MIN(handle))
        end = put_hex(end, TC_H_MIN(handle));
    return rows_put_text(rows, text, (size_t) (end - text));
}

static cell put_parent(struct rows *rows, uint32_t parent) {
    return parent == TC_H_ROOT ? rows_put_text(rows, "root", 4) : put_handle(rows, parent);
}

// Copies the beginning of a struct that newer kernels made longer; false: it is too short.
static bool get(const struct nlattr *attribute, void *value, size_t size) {
    if (!attribute || (size_t) nla_len(attribute) < size)
        return false;
    memcpy(value, nla_data(attribute), size);
    return true;
}

static void get_queue(const struct nlattr *attribute, cell *row) {
    struct gnet_stats_queue queue;
    if (!get(attribute, &queue, sizeof(queue)))
        return;
    row[QDISC_DROPS] = queue.drops;
    row[QDISC_OVERLIMITS] = queue.overlimits;
    row[QDISC_REQUEUES] = queue.requeues;
    row[QDISC_BACKLOG] = queue.backlog;
    row[QDISC_QLEN] = queue.qlen;
}

// TCA_STATS_PKT64 is there when the number of packets does not fit 32 bits (5.5 and later).
static void get_basic(struct nlattr **a, cell *row) {
    struct {
        uint64_t bytes;
        uint32_t packets;
    } __attribute__((packed)) basic;
    uint64_t packets;
    if (!get(a[TCA_STATS_BASIC], &basic, sizeof(basic)))
        return;
    bool wide = get(a[TCA_STATS_PKT64], &packets, sizeof(packets));
    row[QDISC_BYTES] = (cell) (basic.bytes & INT64_MAX);
    row[QDISC_PACKETS] = wide ? (cell) (packets & INT64_MAX) : (cell) basic.packets;
}

// Before 2.6.10, and beside the newer one ever since.
static void get_old(const struct nlattr *attribute, cell *row) {
    struct tc_stats old;
    if (!get(attribute, &old, offsetof(struct tc_stats, backlog) + sizeof(old.backlog)))
        return;
    row[QDISC_BYTES] = (cell) (old.bytes & INT64_MAX);
    row[QDISC_PACKETS] = old.packets;
    row[QDISC_DROPS] = old.drops;
    row[QDISC_OVERLIMITS] = old.overlimits;
    row[QDISC_BACKLOG] = old.backlog;
    row[QDISC_QLEN] = old.qlen;
}

static void get_statistics(struct nlattr **a, cell *row) {
    struct nlattr *nested[TCA_STATS_MAX + 1];
    if (!a[TCA_STATS2] || nla_parse_nested(nested, TCA_STATS_MAX, a[TCA_STATS2], NULL) < 0) {
        get_old(a[TCA_STATS], row);
        return;
    }
    get_basic(nested, row);
    get_queue(nested[TCA_STATS_QUEUE], row);
}

static bool is_multiqueue(const char *kind) {
    return strcmp(kind, "mq") == 0 || strcmp(kind, "mqprio") == 0 || strcmp(kind, "taprio") == 0;
}

int qdisc_add_message(struct nlmsghdr *message, const char *netns, const char *interface,
        struct rows *rows, struct qdisc_place *ret) {
    struct nlattr *a[TCA_MAX + 1];
    if (message->nlmsg_type != RTM_NEWQDISC ||
            nlmsg_parse(message, sizeof(struct tcmsg), a, TCA_MAX, NULL) < 0 || !a[TCA_KIND])
        return 1;
    const struct tcmsg *tc = nlmsg_data(message);
    cell *row = rows_add(rows);
    if (!row)
        return -ENOMEM;
    row[QDISC_NETNS] = rows_put_text(rows, netns, strlen(netns));
    row[QDISC_INTERFACE] = rows_put_text(rows, interface, strlen(interface));
    row[QDISC_HANDLE] = put_handle(rows, tc->tcm_handle);
    row[QDISC_PARENT] = put_parent(rows, tc->tcm_parent);
    row[QDISC_KIND] = rows_put_text(rows, nla_data(a[TCA_KIND]), (size_t) nla_len(a[TCA_KIND]));
    get_statistics(a, row);
    *ret = (struct qdisc_place){ tc->tcm_ifindex, tc->tcm_handle, tc->tcm_parent,
        is_multiqueue(rows_text(rows, row[QDISC_KIND])) };
    return row[QDISC_PARENT] == CELL_NULL ? -ENOMEM : 0;
}

struct qdiscs {
    struct rtnl rtnl;
    const char *netns; // in this look
    struct rows *rows;
    struct link_names names;
    struct qdisc_place *places;
    size_t capacity;
    struct qdisc_marks marks;
};

static int start(struct collect_context *context, void **ret_state) {
    struct qdiscs *qdiscs = calloc(1, sizeof(*qdiscs));
    if (!qdiscs)
        return -ENOMEM;
    qdiscs->names = LINK_NAMES_EMPTY;
    *ret_state = qdiscs;
    return 0;
}

static void stop(void *state) {
    struct qdiscs *qdiscs = state;
    rtnl_close(&qdiscs->rtnl);
    link_names_done(&qdiscs->names);
    free(qdiscs->places);
    free(qdiscs);
}

static int make_room(struct qdiscs *qdiscs) {
    if (qdiscs->rows->n < qdiscs->capacity)
        return 0;
    size_t capacity = qdiscs->capacity ? qdiscs->capacity * 2 : 16;
    struct qdisc_place *places = reallocarray(qdiscs->places, capacity, sizeof(*places));
    if (!places)
        return -ENOMEM;
    qdiscs->places = places;
    qdiscs->capacity = capacity;
    return 0;
}

// noqueue is what virtual devices have instead of a discipline: nothing is ever queued, dropped or
// counted.
static bool is_counted(const struct nlattr *kind) {
    static const char none[] = "noqueue";
    return kind && ((size_t) nla_len(kind) != sizeof(none) ||
                           memcmp(nla_data(kind), none, sizeof(none)) != 0);
}

static int visit(void *userdata, struct nlmsghdr *message) {
    struct qdiscs *qdiscs = userdata;
    if (!message) {
        rows_clear(qdiscs->rows);
        return 0;
    }
    if (!nlmsg_valid_hdr(message, sizeof(struct tcmsg)))
        return 0;
    if (!is_counted(nlmsg_find_attr(message, sizeof(struct tcmsg), TCA_KIND)))
        return 0;
    const struct tcmsg *tc = nlmsg_data(message);
    const char *name = link_names_find(&qdiscs->names, tc->tcm_ifindex);
    int r = name ? make_room(qdiscs) : 0;
    if (!name || r < 0)
        return r;
    struct qdisc_place place;
    size_t n = qdiscs->rows->n;
    r = qdisc_add_message(message, qdiscs->netns, name, qdiscs->rows, &place);
    if (r == 0)
        qdiscs->places[n] = place;
    return r < 0 ? r : 0;
}

// Hidden disciplines are listed only if asked for (4.12 and later).
struct request {
    struct nlmsghdr header;
    struct tcmsg tc;
    struct nlattr invisible;
};
_Static_assert(
        sizeof(struct request) == sizeof(struct nlmsghdr) + sizeof(struct tcmsg) + 4, "packed");

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    if (!context->source->live && !rtnl_has_file(context->source, "qdisc")) {
        outcome_set(outcome, OUTCOME_ABSENT, "no netlink answers in this directory");
        return;
    }
    struct qdiscs *qdiscs = state;
    struct request request = {
        .header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETQDISC },
        .invisible = { .nla_len = NLA_HDRLEN, .nla_type = TCA_DUMP_INVISIBLE },
    };
    qdiscs->netns = rtnl_netns_name(context);
    qdiscs->rows = rows;
    int r = link_names_begin(&qdiscs->names, &qdiscs->rtnl, context->source);
    if (r < 0) {
        rtnl_report(&qdiscs->rtnl, outcome, "interfaces", r);
        return;
    }
    r = rtnl_list(&qdiscs->rtnl, context->source, "qdisc", &request.header, visit, qdiscs);
    if (r < 0) {
        rows_clear(rows);
        rtnl_report(&qdiscs->rtnl, outcome, "queueing disciplines", r);
    }
    qdisc_find_leaves(rows, qdiscs->places, &qdiscs->marks);
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "no interface here has a queueing discipline");
}

const struct collector qdisc_collector = { &qdisc_table, LANE_FAST, start, collect, stop };
