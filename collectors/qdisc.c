// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing disciplines
#include "collectors/qdisc.h"

#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/list.h"
#include "collectors/rtnl.h"

enum {
    NETNS,
    INTERFACE,
    HANDLE,
    PARENT,
    KIND,
    LEAF,
    BYTES,
    PACKETS,
    DROPS,
    OVERLIMITS,
    REQUEUES,
    BACKLOG,
    QLEN,
    N_COLUMNS
};

static const struct column columns[N_COLUMNS] = {
    [NETNS] = { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    [INTERFACE] = { "interface", COLUMN_KEY_TEXT, "", "interface name", "tcm_ifindex" },
    [HANDLE] = { "handle", COLUMN_KEY_TEXT, "", "handle, as tc shows it: 8001:", "tcm_handle" },
    [PARENT] = { "parent", COLUMN_KEY_TEXT, "", "root, or the class it hangs on: 1:10",
            "tcm_parent" },
    [KIND] = { "kind", COLUMN_TEXT, "", "fq_codel, tbf, mq, clsact, ...", "TCA_KIND" },
    [LEAF] = { "leaf", COLUMN_GAUGE, "",
            "1: no other discipline hangs on it; only leaves may be summed", NULL },
    [BYTES] = { "bytes", COLUMN_COUNTER, "bytes", "bytes that passed", "bytes" },
    [PACKETS] = { "packets", COLUMN_COUNTER, "packets", "packets that passed", "packets" },
    [DROPS] = { "drops", COLUMN_COUNTER, "packets", "packets dropped", "drops" },
    [OVERLIMITS] = { "overlimits", COLUMN_COUNTER, "events",
            "times a packet had to wait for a rate limit", "overlimits" },
    [REQUEUES] = { "requeues", COLUMN_COUNTER, "events",
            "packets put back since the device was busy; no loss", "requeues" },
    [BACKLOG] = { "backlog_bytes", COLUMN_GAUGE, "bytes", "bytes queued now", "backlog" },
    [QLEN] = { "qlen", COLUMN_GAUGE, "packets", "packets queued now", "qlen" },
};

const struct table qdisc_table = {
    .name = "qdisc",
    .help = "queueing disciplines of the interfaces",
    .per = "network namespace, interface, handle and parent",
    .source = "rtnetlink RTM_GETQDISC",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 4,
};

// As tc shows them: 8001: is the discipline, 1:10 a class of it.
static cell put_handle(struct rows *rows, uint32_t handle) {
    char text[16];
    int n = snprintf(text, sizeof(text), TC_H_MIN(handle) ? "%x:%x" : "%x:", TC_H_MAJ(handle) >> 16,
            TC_H_MIN(handle));
    return rows_put_text(rows, text, (size_t) n);
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
    row[DROPS] = queue.drops;
    row[OVERLIMITS] = queue.overlimits;
    row[REQUEUES] = queue.requeues;
    row[BACKLOG] = queue.backlog;
    row[QLEN] = queue.qlen;
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
    row[BYTES] = (cell) (basic.bytes & INT64_MAX);
    row[PACKETS] = wide ? (cell) (packets & INT64_MAX) : (cell) basic.packets;
}

// Before 2.6.10, and beside the newer one ever since.
static void get_old(const struct nlattr *attribute, cell *row) {
    struct tc_stats old;
    if (!get(attribute, &old, offsetof(struct tc_stats, backlog) + sizeof(old.backlog)))
        return;
    row[BYTES] = (cell) (old.bytes & INT64_MAX);
    row[PACKETS] = old.packets;
    row[DROPS] = old.drops;
    row[OVERLIMITS] = old.overlimits;
    row[BACKLOG] = old.backlog;
    row[QLEN] = old.qlen;
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
    row[NETNS] = rows_put_text(rows, netns, strlen(netns));
    row[INTERFACE] = rows_put_text(rows, interface, strlen(interface));
    row[HANDLE] = put_handle(rows, tc->tcm_handle);
    row[PARENT] = put_parent(rows, tc->tcm_parent);
    row[KIND] = rows_put_text(rows, nla_data(a[TCA_KIND]), (size_t) nla_len(a[TCA_KIND]));
    get_statistics(a, row);
    *ret = (struct qdisc_place){ tc->tcm_ifindex, tc->tcm_handle, tc->tcm_parent,
        is_multiqueue(rows_text(rows, row[KIND])) };
    return row[PARENT] == CELL_NULL ? -ENOMEM : 0;
}

static uint32_t major_of(uint32_t handle) {
    return TC_H_MAJ(handle) >> 16;
}

static bool has_mark(const uint8_t *marks, uint32_t major) {
    return marks[major / 8] >> major % 8 & 1;
}

static void set_mark(uint8_t *marks, uint32_t major) {
    marks[major / 8] |= (uint8_t) (1u << major % 8);
}

// A parent is the class 1:10 of the discipline 1:.
static bool is_on_class(const struct qdisc_place *place) {
    return place->parent != TC_H_ROOT && place->parent != TC_H_INGRESS;
}

// Disciplines of the kernel's making have the handle 0, those of the queues of a device are shown.
static bool is_hidden(const struct qdisc_place *place, const struct qdisc_marks *marks) {
    return major_of(place->handle) == 0 && is_on_class(place) &&
           !has_mark(marks->multiqueue, major_of(place->parent));
}

// Of those with the handle 0 only the root has classes: mq with a queue each.
static bool is_leaf(const struct qdisc_place *place, const struct qdisc_marks *marks) {
    if (major_of(place->handle) == 0 && is_on_class(place))
        return true;
    return !has_mark(marks->parent, major_of(place->handle));
}

static void set_marks(const struct qdisc_place *places, size_t n, struct qdisc_marks *marks) {
    for (size_t i = 0; i < n; i++)
        if (places[i].multiqueue)
            set_mark(marks->multiqueue, major_of(places[i].handle));
    for (size_t i = 0; i < n; i++)
        if (is_on_class(&places[i]) && !is_hidden(&places[i], marks))
            set_mark(marks->parent, major_of(places[i].parent));
}

static void clear_marks(const struct qdisc_place *places, size_t n, struct qdisc_marks *marks) {
    for (size_t i = 0; i < n; i++) {
        marks->multiqueue[major_of(places[i].handle) / 8] = 0;
        marks->parent[major_of(places[i].parent) / 8] = 0;
    }
}

void qdisc_find_leaves(struct rows *rows, struct qdisc_place *places, struct qdisc_marks *marks) {
    size_t kept = 0, width = rows->table->n_columns;
    for (size_t begin = 0, end; begin < rows->n; begin = end) {
        for (end = begin; end < rows->n && places[end].ifindex == places[begin].ifindex;)
            end++;
        set_marks(&places[begin], end - begin, marks);
        for (size_t i = begin; i < end; i++) {
            bool repeats = is_hidden(&places[i], marks) &&
                           !has_mark(marks->parent, major_of(places[i].parent));
            if (repeats)
                continue;
            cell *row = rows_at(rows, kept++);
            memmove(row, rows_at(rows, i), width * sizeof(*row));
            row[LEAF] = is_leaf(&places[i], marks);
        }
        clear_marks(&places[begin], end - begin, marks);
    }
    rows->n = kept;
}

struct qdiscs {
    struct rtnl rtnl;
    const char *netns; // in this look
    struct rows *rows;
    int names;         // socket to ask for interface names
    struct ifreq name; // the last one asked for
    struct qdisc_place *places;
    size_t capacity;
    struct qdisc_marks marks;
};

static int start(struct collect_context *context, void **ret_state) {
    struct qdiscs *qdiscs = calloc(1, sizeof(*qdiscs));
    if (!qdiscs)
        return -ENOMEM;
    qdiscs->names = -1;
    *ret_state = qdiscs;
    return 0;
}

static void stop(void *state) {
    struct qdiscs *qdiscs = state;
    rtnl_close(&qdiscs->rtnl);
    if (qdiscs->names >= 0)
        close(qdiscs->names);
    free(qdiscs->places);
    free(qdiscs);
}

// Asked anew in each look, as an interface may be renamed. NULL: it is gone.
static const char *find_name(struct qdiscs *qdiscs, int ifindex) {
    if (qdiscs->name.ifr_ifindex == ifindex)
        return qdiscs->name.ifr_name;
    if (qdiscs->names < 0)
        qdiscs->names = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq ask = { .ifr_ifindex = ifindex };
    if (ioctl(qdiscs->names, SIOCGIFNAME, &ask) < 0)
        return NULL;
    qdiscs->name = ask;
    return qdiscs->name.ifr_name;
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

static int visit(void *userdata, struct nlmsghdr *message) {
    struct qdiscs *qdiscs = userdata;
    if (!message) {
        rows_clear(qdiscs->rows);
        qdiscs->name.ifr_ifindex = 0;
        return 0;
    }
    if (!nlmsg_valid_hdr(message, sizeof(struct tcmsg)))
        return 0;
    const struct tcmsg *tc = nlmsg_data(message);
    const char *name = find_name(qdiscs, tc->tcm_ifindex);
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
    if (!context->source->live) {
        outcome_set(outcome, OUTCOME_ABSENT, "a directory holds no netlink answers");
        return;
    }
    struct qdiscs *qdiscs = state;
    struct request request = {
        .header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETQDISC },
        .invisible = { .nla_len = NLA_HDRLEN, .nla_type = TCA_DUMP_INVISIBLE },
    };
    qdiscs->netns = rtnl_netns_name(context);
    qdiscs->rows = rows;
    int r = rtnl_dump(&qdiscs->rtnl, &request.header, visit, qdiscs);
    if (r < 0) {
        rows_clear(rows);
        rtnl_report(outcome, "queueing disciplines", r);
    }
    qdisc_find_leaves(rows, qdiscs->places, &qdiscs->marks);
}

const struct collector qdisc_collector = { &qdisc_table, LANE_FAST, start, collect, stop };
