// SPDX-License-Identifier: GPL-2.0-or-later
// Link messages
//
// As kernels of several ages give them.
#include <linux/if_link.h>
#include <linux/ip.h>
#include <linux/rtnetlink.h>

#include "collectors/link.h"
#include "collectors/list.h"
#include "tests/host/messages.h"

static void begin_link(const char *name, int ifindex) {
    struct ifinfomsg info = { .ifi_index = ifindex };
    begin(&link_table, RTM_NEWLINK, &info, sizeof(info));
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

int main(void) {
    Suite *suite = suite_create("link messages");
    TCase *tcase = tcase_create("messages");
    tcase_add_checked_fixture(tcase, NULL, teardown);
    tcase_add_test(tcase, link_statistics_of_each_age);
    tcase_add_test(tcase, link_attributes);
    tcase_add_test(tcase, link_without_attributes);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
