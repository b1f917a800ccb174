// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink dumps
//
// Answers as kernels of several ages give them, made here; and the socket against this kernel.
#include <errno.h>
#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <netlink/msg.h>
#include <unistd.h>

#include "collectors/link.h"
#include "collectors/list.h"
#include "collectors/qdisc.h"
#include "collectors/rtnl.h"
#include "tests/host/rows.h"

#define SEQUENCE 77

static struct rows rows;
static struct nl_msg *message;

static void setup(void) {
    message = nlmsg_alloc_size(16384);
}

static void teardown(void) {
    nlmsg_free(message);
    rows_done(&rows);
}

// Begins a message of that type; attributes are added to it with nla_put_*().
static void begin(int type, const void *header, size_t n) {
    nlmsg_free(message);
    message = nlmsg_alloc_size(16384);
    nlmsg_put(message, 1, SEQUENCE, type, 0, 0);
    if (n > 0)
        ck_assert_int_eq(nlmsg_append(message, (void *) header, n, NLMSG_ALIGNTO), 0);
}

// --- the answer as a whole

struct seen {
    size_t n;
    int r; // what the visitor returns
};

static int count(void *userdata, struct nlmsghdr *entry) {
    struct seen *seen = userdata;
    seen->n++;
    return seen->r;
}

struct part {
    int type, flags;
    unsigned sequence;
    int error; // of DONE and ERROR; 1: none at all
};

static size_t put_parts(char *buffer, const struct part *parts) {
    size_t n = 0;
    for (; parts->type; parts++) {
        struct nlmsghdr *header = (struct nlmsghdr *) (buffer + n);
        bool error = parts->error != 1 && parts->type < NLMSG_MIN_TYPE;
        *header = (struct nlmsghdr){ .nlmsg_len = NLMSG_HDRLEN + (error ? 4 : 0),
            .nlmsg_type = (uint16_t) parts->type,
            .nlmsg_flags = (uint16_t) parts->flags,
            .nlmsg_seq = parts->sequence };
        memcpy(buffer + n + NLMSG_HDRLEN, &parts->error, 4);
        n += NLMSG_ALIGN(header->nlmsg_len);
    }
    return n;
}

#define ENTRY                                                                                      \
    { RTM_NEWLINK, NLM_F_MULTI, SEQUENCE, 1 }
static const struct {
    const char *title;
    struct part parts[6];
    int returned;
    size_t entries;
} answers[] = {
    { "to be continued", { ENTRY, ENTRY }, RTNL_MORE, 2 },
    { "done", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE, 1 },
    { "done, as old kernels say it", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 1 } }, RTNL_DONE, 1 },
    { "changed, said at the end", { ENTRY, { NLMSG_DONE, NLM_F_DUMP_INTR, SEQUENCE, 0 } },
            RTNL_CHANGED, 1 },
    { "changed, said on an entry",
            { { RTM_NEWLINK, NLM_F_DUMP_INTR, SEQUENCE, 1 }, { NLMSG_DONE, 0, SEQUENCE, 0 } },
            RTNL_CHANGED, 1 },
    { "refused", { { NLMSG_ERROR, 0, SEQUENCE, -EPERM } }, -EPERM, 0 },
    { "broke off", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, -ENOMEM } }, -ENOMEM, 1 },
    { "acknowledged instead of answered", { { NLMSG_ERROR, 0, SEQUENCE, 0 } }, -EPROTO, 0 },
    { "of an earlier request", { { NLMSG_DONE, 0, SEQUENCE - 1, 0 }, ENTRY }, RTNL_MORE, 1 },
    { "an error of an earlier request",
            { { NLMSG_ERROR, 0, SEQUENCE - 1, -EIO }, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE,
            0 },
    { "nothing is to be done", { { NLMSG_NOOP, 0, SEQUENCE, 1 }, { NLMSG_DONE, 0, SEQUENCE, 0 } },
            RTNL_DONE, 0 },
};

START_TEST(answer) {
    char buffer[512];
    struct seen seen = { 0 };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    size_t n = put_parts(buffer, answers[_i].parts);
    int r = rtnl_feed(&state, buffer, n, count, &seen);
    ck_assert_msg(r == answers[_i].returned, "%s: %d", answers[_i].title, r);
    ck_assert_msg(seen.n == answers[_i].entries, "%s: %zu entries", answers[_i].title, seen.n);
}
END_TEST

START_TEST(answer_in_parts) {
    char buffer[512];
    struct seen seen = { 0 };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    static const struct part first[] = { { RTM_NEWLINK, NLM_F_DUMP_INTR, SEQUENCE, 1 }, { 0 } };
    static const struct part last[] = { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    ck_assert_int_eq(rtnl_feed(&state, buffer, put_parts(buffer, first), count, &seen), RTNL_MORE);
    ck_assert_int_eq(
            rtnl_feed(&state, buffer, put_parts(buffer, last), count, &seen), RTNL_CHANGED);
    ck_assert_uint_eq(seen.n, 2);
}
END_TEST

START_TEST(answer_cut_anywhere) {
    char buffer[512];
    static const struct part parts[] = { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    size_t n = put_parts(buffer, parts);
    for (size_t i = 0; i < n; i++) {
        struct seen seen = { 0 };
        struct rtnl_answer state = { .sequence = SEQUENCE };
        ck_assert_int_eq(rtnl_feed(&state, buffer, i, count, &seen), RTNL_MORE);
        ck_assert_uint_le(seen.n, 2);
    }
    struct seen refuse = { .r = -ENOMEM };
    struct rtnl_answer state = { .sequence = SEQUENCE };
    ck_assert_int_eq(rtnl_feed(&state, buffer, n, count, &refuse), -ENOMEM);
    ck_assert_uint_eq(refuse.n, 1);
}
END_TEST

// --- answers that were kept

static const struct {
    const char *title;
    struct part parts[6];
    int returned;
    const char *problem;
    size_t entries;
} kept[] = {
    { "as it came", { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 } }, RTNL_DONE, NULL, 2 },
    { "refused", { { NLMSG_ERROR, 0, SEQUENCE, -ENOENT } }, -ENOENT, NULL, 0 },
    { "changed", { ENTRY, { NLMSG_DONE, NLM_F_DUMP_INTR, SEQUENCE, 0 } }, RTNL_CHANGED, NULL, 1 },
    { "nothing", { { 0 } }, -EBADMSG, "empty", 0 },
    { "without an end", { ENTRY, ENTRY }, -EBADMSG, "cut between", 0 },
    { "two of them", { ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, ENTRY }, -EBADMSG, "behind", 0 },
    { "mixed", { ENTRY, { NLMSG_DONE, 0, SEQUENCE + 1, 0 } }, -EBADMSG, "different", 0 },
};

START_TEST(kept_answer) {
    _Alignas(struct nlmsghdr) char buffer[512];
    const char *problem = "";
    struct seen seen = { 0 };
    size_t n = put_parts(buffer, kept[_i].parts);
    int r = rtnl_feed_whole(buffer, n, count, &seen, &problem);
    ck_assert_msg(r == kept[_i].returned, "%s: %d", kept[_i].title, r);
    ck_assert_msg(seen.n == kept[_i].entries, "%s: %zu entries", kept[_i].title, seen.n);
    ck_assert_msg(!kept[_i].problem == !*problem && strstr(problem, kept[_i].problem ?: ""),
            "%s: %s", kept[_i].title, problem);
}
END_TEST

START_TEST(kept_answer_cut_anywhere) {
    _Alignas(struct nlmsghdr) char buffer[512];
    static const struct part parts[] = { ENTRY, ENTRY, { NLMSG_DONE, 0, SEQUENCE, 0 }, { 0 } };
    size_t n = put_parts(buffer, parts);
    for (size_t i = 0; i < n; i++) {
        const char *problem = NULL;
        struct seen seen = { 0 };
        char *cut = malloc(i > 0 ? i : 1); // memory that ends there
        memcpy(cut, buffer, i);
        ck_assert_int_eq(rtnl_feed_whole(cut, i, count, &seen, &problem), -EBADMSG);
        ck_assert_ptr_nonnull(problem);
        ck_assert_uint_eq(seen.n, 0);
        free(cut);
    }
}
END_TEST

// --- against this kernel

static struct {
    struct nlmsghdr header;
    struct ifinfomsg info;
} links = { .header = { .nlmsg_len = sizeof(links), .nlmsg_type = RTM_GETLINK } };

static int count_again(void *userdata, struct nlmsghdr *entry) {
    struct seen *seen = userdata;
    seen->n = entry ? seen->n + 1 : 0;
    return 0;
}

START_TEST(too_long_for_the_buffer) {
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    size_t n = seen.n;
    ck_assert_uint_ge(n, 1);
    rtnl.size = 64; // as if the kernel had made a longer datagram than ever before
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(seen.n, n);
    ck_assert_uint_gt(rtnl.size, 64);
    rtnl_close(&rtnl);
}
END_TEST

struct heard {
    size_t begun, n;
    _Alignas(struct nlmsghdr) char bytes[1 << 20];
};

static void hear(void *data, const char *dump, const void *datagram, size_t n) {
    struct heard *heard = data;
    ck_assert_str_eq(dump, "link");
    if (!datagram) {
        heard->begun++;
        heard->n = 0;
        return;
    }
    ck_assert_uint_le(heard->n + n, sizeof(heard->bytes));
    memcpy(heard->bytes + heard->n, datagram, n);
    heard->n += n;
}

// A dump that begins again is heard from its beginning; nothing is heard of a list without a name.
START_TEST(answers_are_heard_as_they_come) {
    static struct heard heard;
    const struct source_tap tap = { hear, &heard };
    struct source source = { .live = true, .tap = &tap };
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 }, again = { 0 };
    const char *problem = "";
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(heard.begun, 0);
    rtnl.size = 64;
    ck_assert_int_eq(rtnl_list(&rtnl, &source, "link", &links.header, count_again, &seen), 0);
    ck_assert_uint_ge(heard.begun, 2);
    ck_assert_int_eq(rtnl_feed_whole(heard.bytes, heard.n, count, &again, &problem), RTNL_DONE);
    ck_assert_uint_eq(again.n, seen.n);
    size_t begun = heard.begun;
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_uint_eq(heard.begun, begun);
    rtnl_close(&rtnl);
}
END_TEST

START_TEST(a_socket_that_broke) {
    struct rtnl rtnl = RTNL_CLOSED;
    struct seen seen = { 0 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    size_t n = seen.n;
    int fd = nl_socket_get_fd(rtnl.socket);
    int other = socket(AF_UNIX, SOCK_DGRAM, 0);
    dup2(other, fd);
    ck_assert_int_lt(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0);
    ck_assert_int_eq(rtnl_dump(&rtnl, &links.header, count_again, &seen), 0); // a new one
    ck_assert_uint_eq(seen.n, n);
    struct nlmsghdr unknown = { .nlmsg_len = sizeof(unknown), .nlmsg_type = RTM_BASE + 1023 };
    ck_assert_int_eq(rtnl_dump(&rtnl, &unknown, count_again, &seen), -EOPNOTSUPP);
    rtnl_close(&rtnl);
}
END_TEST

// --- links

static void begin_link(const char *name, int ifindex) {
    struct ifinfomsg info = { .ifi_index = ifindex };
    rows_done(&rows);
    rows_init(&rows, &link_table);
    begin(RTM_NEWLINK, &info, sizeof(info));
    if (name)
        nla_put_string(message, IFLA_IFNAME, name);
}

static int add_link(void) {
    return link_add_message(nlmsg_hdr(message), "host", &rows);
}

static void put_statistics(size_t n) {
    uint64_t statistics[64];
    for (size_t i = 0; i < 64; i++)
        statistics[i] = 100 + i;
    statistics[1] = UINT64_MAX; // tx_packets: no such number
    nla_put(message, IFLA_STATS64, (int) n, statistics);
}

START_TEST(link_statistics_of_each_age) {
    static const struct {
        size_t bytes;
        cell nohandler, otherhost;
    } ages[] = { { 23 * 8, CELL_NULL, CELL_NULL }, { 24 * 8, 123, CELL_NULL }, { 25 * 8, 123, 124 },
        { 30 * 8, 123, 124 }, { 25 * 8 - 1, 123, CELL_NULL } };
    for (size_t i = 0; i < sizeof(ages) / sizeof(ages[0]); i++) {
        begin_link("eth0", 2);
        put_statistics(ages[i].bytes);
        ck_assert_int_eq(add_link(), 0);
        ck_assert_cell(&rows, 0, "rx_packets", 100);
        ck_assert_cell(&rows, 0, "tx_packets", CELL_NULL);
        ck_assert_cell(&rows, 0, "rx_dropped", 106);
        ck_assert_cell(&rows, 0, "multicast", 108);
        ck_assert_cell(&rows, 0, "rx_fifo_errors", 114);
        ck_assert_cell(&rows, 0, "rx_missed_errors", 115);
        ck_assert_cell(&rows, 0, "tx_compressed", 122);
        ck_assert_cell(&rows, 0, "rx_nohandler", ages[i].nohandler);
        ck_assert_cell(&rows, 0, "rx_otherhost_dropped", ages[i].otherhost);
    }
}
END_TEST

START_TEST(link_attributes) {
    uint32_t conf[32] = { [IPV4_DEVCONF_RP_FILTER - 1] = 2 };
    begin_link("veth0", 7);
    nla_put_u8(message, IFLA_OPERSTATE, 6);
    nla_put_u32(message, IFLA_MTU, 1400);
    nla_put_u32(message, IFLA_TXQLEN, 1000);
    nla_put_u32(message, IFLA_MASTER, 3);
    struct nlattr *nest = nla_nest_start(message, IFLA_LINKINFO);
    nla_put_string(message, IFLA_INFO_KIND, "veth");
    nla_nest_end(message, nest);
    nest = nla_nest_start(message, IFLA_XDP);
    nla_put_u8(message, IFLA_XDP_ATTACHED, XDP_ATTACHED_SKB);
    nla_nest_end(message, nest);
    nest = nla_nest_start(message, IFLA_AF_SPEC);
    struct nlattr *inet = nla_nest_start(message, AF_INET);
    nla_put(message, IFLA_INET_CONF, sizeof(conf), conf);
    nla_nest_end(message, inet);
    nla_nest_end(message, nest);
    ck_assert_int_eq(add_link(), 0);
    ck_assert_text(&rows, 0, "netns", "host");
    ck_assert_text(&rows, 0, "interface", "veth0");
    ck_assert_text(&rows, 0, "operstate", "up");
    ck_assert_text(&rows, 0, "kind", "veth");
    ck_assert_cell(&rows, 0, "ifindex", 7);
    ck_assert_cell(&rows, 0, "mtu_bytes", 1400);
    ck_assert_cell(&rows, 0, "tx_queue_length", 1000);
    ck_assert_cell(&rows, 0, "master_ifindex", 3);
    ck_assert_cell(&rows, 0, "xdp_attached", 1);
    ck_assert_cell(&rows, 0, "rp_filter", 2);
}
END_TEST

START_TEST(link_without_attributes) {
    uint32_t conf[4] = { 0 };
    begin_link("eth0", 2);
    nla_put_u8(message, IFLA_OPERSTATE, 99); // of a later kernel
    nla_put(message, IFLA_MTU, 2, conf);     // too short
    struct nlattr *nest = nla_nest_start(message, IFLA_AF_SPEC);
    struct nlattr *inet = nla_nest_start(message, AF_INET);
    nla_put(message, IFLA_INET_CONF, sizeof(conf), conf); // too short for rp_filter
    nla_nest_end(message, inet);
    nla_nest_end(message, nest);
    ck_assert_int_eq(add_link(), 0);
    ck_assert_text(&rows, 0, "operstate", "unknown");
    ck_assert_text(&rows, 0, "kind", "");
    ck_assert_cell(&rows, 0, "mtu_bytes", CELL_NULL);
    ck_assert_cell(&rows, 0, "master_ifindex", 0);
    ck_assert_cell(&rows, 0, "rp_filter", CELL_NULL);
    ck_assert_cell(&rows, 0, "rx_packets", CELL_NULL);
    begin_link(NULL, 2);
    ck_assert_int_eq(add_link(), 0);
    ck_assert_uint_eq(rows.n, 0);
    struct nlmsghdr stub = { .nlmsg_len = sizeof(stub), .nlmsg_type = RTM_NEWLINK };
    ck_assert_int_eq(link_add_message(&stub, "host", &rows), 0);
    ck_assert_uint_eq(rows.n, 0);
}
END_TEST

// --- queueing disciplines

static void begin_qdisc(uint32_t handle, uint32_t parent) {
    struct tcmsg tc = { .tcm_ifindex = 2, .tcm_handle = handle, .tcm_parent = parent };
    rows_done(&rows);
    rows_init(&rows, &qdisc_table);
    begin(RTM_NEWQDISC, &tc, sizeof(tc));
    nla_put_string(message, TCA_KIND, "tbf");
}

static void add_qdisc(void) {
    struct qdisc_place place;
    ck_assert_int_eq(qdisc_add_message(nlmsg_hdr(message), "host", "eth0", &rows, &place), 0);
    ck_assert_uint_eq(rows.n, 1);
}

START_TEST(qdisc_statistics) {
    struct gnet_stats_queue queue = {
        .qlen = 1, .backlog = 2, .drops = 3, .requeues = 4, .overlimits = 5
    };
    struct gnet_stats_basic basic = { .bytes = 1ull << 40, .packets = 7 };
    struct tc_stats old = {
        .bytes = 10, .packets = 11, .drops = 12, .overlimits = 13, .qlen = 14, .backlog = 15
    };
    begin_qdisc(0x80010000, TC_H_ROOT);
    nla_put(message, TCA_STATS, sizeof(old), &old);
    struct nlattr *nest = nla_nest_start(message, TCA_STATS2);
    nla_put(message, TCA_STATS_BASIC, 12, &basic); // without the padding
    nla_put(message, TCA_STATS_QUEUE, sizeof(queue), &queue);
    nla_nest_end(message, nest);
    add_qdisc();
    ck_assert_text(&rows, 0, "interface", "eth0");
    ck_assert_text(&rows, 0, "handle", "8001:");
    ck_assert_text(&rows, 0, "parent", "root");
    ck_assert_text(&rows, 0, "kind", "tbf");
    ck_assert_cell(&rows, 0, "bytes", 1ll << 40);
    ck_assert_cell(&rows, 0, "packets", 7);
    ck_assert_cell(&rows, 0, "drops", 3);
    ck_assert_cell(&rows, 0, "overlimits", 5);
    ck_assert_cell(&rows, 0, "requeues", 4);
    ck_assert_cell(&rows, 0, "backlog_bytes", 2);
    ck_assert_cell(&rows, 0, "qlen", 1);

    begin_qdisc(0x10000, TC_H_ROOT); // more packets than 32 bits hold
    nest = nla_nest_start(message, TCA_STATS2);
    nla_put(message, TCA_STATS_BASIC, sizeof(basic), &basic);
    nla_put_u64(message, TCA_STATS_PKT64, 5000000007);
    nla_nest_end(message, nest);
    add_qdisc();
    ck_assert_cell(&rows, 0, "packets", 5000000007);
    ck_assert_cell(&rows, 0, "drops", CELL_NULL);

    begin_qdisc(0, 0x0001000a);
    nla_put(message, TCA_STATS, sizeof(old), &old);
    add_qdisc();
    ck_assert_text(&rows, 0, "handle", "0:");
    ck_assert_text(&rows, 0, "parent", "1:a");
    ck_assert_cell(&rows, 0, "bytes", 10);
    ck_assert_cell(&rows, 0, "drops", 12);
    ck_assert_cell(&rows, 0, "requeues", CELL_NULL);

    begin_qdisc(0xffff0000, TC_H_CLSACT);
    nla_put(message, TCA_STATS, 8, &old); // too short
    add_qdisc();
    ck_assert_text(&rows, 0, "handle", "ffff:");
    ck_assert_text(&rows, 0, "parent", "ffff:fff1");
    ck_assert_cell(&rows, 0, "drops", CELL_NULL);
}
END_TEST

#define ROOT TC_H_ROOT
static const struct {
    const char *title;
    struct qdisc_place places[8];
    const char *leaves; // of each yes, no, or out
} trees[] = {
    { "alone", { { 1, 0x80010000, ROOT } }, "y" },
    { "mq of the kernel's making", { { 1, 0, ROOT, true }, { 1, 0, 2 }, { 1, 0, 1 } }, "nyy" },
    { "mq with a handle", { { 1, 0x10000, ROOT, true }, { 1, 0, 0x10002 }, { 1, 0, 0x10001 } },
            "nyy" },
    { "tbf and its hidden bfifo", { { 1, 0x80010000, ROOT }, { 1, 0, 0x80010001 } }, "yo" },
    { "htb with hidden ones only", { { 1, 0x10000, ROOT }, { 1, 0, 0x10001 }, { 1, 0, 0x10002 } },
            "yoo" },
    { "htb with a hidden one beside another",
            { { 1, 0x10000, ROOT }, { 1, 0, 0x10001 }, { 1, 0x200000, 0x10002 } }, "nyy" },
    { "mq with a tbf at a queue, which has a hidden one",
            { { 1, 0x10000, ROOT, true }, { 1, 0, 0x10002 }, { 1, 0x200000, 0x10001 },
                    { 1, 0, 0x200001 } },
            "nyyo" },
    { "classes of classes",
            { { 1, 0x10000, ROOT }, { 1, 0x100000, 0x1000a }, { 1, 0x200000, 0x10014 },
                    { 1, 0x300000, 0x200001 } },
            "nyny" },
    { "ingress beside a root", { { 1, 0x10000, ROOT }, { 1, 0xffff0000, TC_H_INGRESS } }, "yy" },
    { "interfaces with the same handles",
            { { 1, 0x10000, ROOT }, { 2, 0x10000, ROOT }, { 2, 0x20000, 0x10001 },
                    { 3, 0x10000, ROOT }, { 3, 0, 0x10001 } },
            "ynyyo" },
    { "nothing", { { 0 } }, "" },
};

START_TEST(leaves) {
    static struct qdisc_marks marks, unmarked;
    struct qdisc_place places[8];
    size_t n = strlen(trees[_i].leaves), row = 0;
    rows_done(&rows);
    rows_init(&rows, &qdisc_table);
    memcpy(places, trees[_i].places, sizeof(places));
    for (size_t i = 0; i < n; i++)
        rows_add(&rows)[table_column(&qdisc_table, "qlen")] = (cell) i;
    qdisc_find_leaves(&rows, places, &marks);
    for (size_t i = 0; i < n; i++) {
        if (trees[_i].leaves[i] == 'o')
            continue;
        ck_assert_cell(&rows, row, "qlen", i);
        ck_assert_msg(cell_of(&rows, row, "leaf") == (trees[_i].leaves[i] == 'y'), "%s: %zu",
                trees[_i].title, i);
        row++;
    }
    ck_assert_uint_eq(rows.n, row);
    ck_assert_mem_eq(&marks, &unmarked, sizeof(marks));
}
END_TEST

#define N(array) ((int) (sizeof(array) / sizeof((array)[0])))

int main(void) {
    Suite *suite = suite_create("rtnetlink");
    TCase *tcase = tcase_create("messages");
    rows_init(&rows, &link_table);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_loop_test(tcase, answer, 0, N(answers));
    tcase_add_test(tcase, answer_in_parts);
    tcase_add_test(tcase, answer_cut_anywhere);
    tcase_add_loop_test(tcase, kept_answer, 0, N(kept));
    tcase_add_test(tcase, kept_answer_cut_anywhere);
    tcase_add_test(tcase, too_long_for_the_buffer);
    tcase_add_test(tcase, answers_are_heard_as_they_come);
    tcase_add_test(tcase, a_socket_that_broke);
    tcase_add_test(tcase, link_statistics_of_each_age);
    tcase_add_test(tcase, link_attributes);
    tcase_add_test(tcase, link_without_attributes);
    tcase_add_test(tcase, qdisc_statistics);
    tcase_add_loop_test(tcase, leaves, 0, N(trees));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
