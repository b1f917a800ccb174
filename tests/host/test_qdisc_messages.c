// SPDX-License-Identifier: GPL-2.0-or-later
// Queueing discipline messages
//
// As kernels of several ages give them, and which of a tree are leaves.
#include <linux/gen_stats.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "collectors/list.h"
#include "collectors/qdisc.h"
#include "tests/host/messages.h"

static void begin_qdisc(uint32_t handle, uint32_t parent) {
    struct tcmsg tc = { .tcm_ifindex = 2, .tcm_handle = handle, .tcm_parent = parent };
    begin(&qdisc_table, RTM_NEWQDISC, &tc, sizeof(tc));
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

int main(void) {
    Suite *suite = suite_create("qdisc messages");
    TCase *tcase = tcase_create("messages");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, qdisc_statistics);
    tcase_add_loop_test(tcase, leaves, 0, sizeof(trees) / sizeof(trees[0]));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
