// SPDX-License-Identifier: GPL-2.0-or-later
// Socket diagnosis
//
// Messages as kernels of several ages give them, made here.
#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <netlink/attr.h>
#include <netlink/msg.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/kernel_ports.h"
#include "collectors/sock_diag.h"
#include "tests/suite.h"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

static struct nl_msg *message;

static void set_up(void) {
    message = nlmsg_alloc();
}

static void tear_down(void) {
    nlmsg_free(message);
}

static const struct inet_diag_msg plain = {
    .idiag_family = AF_INET,
    .idiag_state = TCP_CLOSE,
    .id = { .idiag_cookie = { 0x89abcdef, 0x01234567 }, .idiag_if = 3 },
    .idiag_rqueue = 4608,
    .idiag_uid = 101,
    .idiag_inode = 4026531840U,
};
// rmem, rcvbuf, wmem, sndbuf, fwd_alloc, wmem_queued, optmem, backlog, drops, and what may come.
static const uint32_t memory[] = { 6912, 212992, 11, 425984, 5, 6, 7, 8, 4294967295U, 10, 11 };

static void begin(const struct inet_diag_msg *inet) {
    nlmsg_put(message, 1, 2, SOCK_DIAG_BY_FAMILY, 0, 0);
    struct inet_diag_msg copy = *inet;
    copy.id.idiag_sport = htons(514);
    copy.id.idiag_dport = htons(65535);
    if (inet->idiag_family == AF_INET) {
        inet_pton(AF_INET, "192.0.2.1", copy.id.idiag_src);
        inet_pton(AF_INET, "198.51.100.2", copy.id.idiag_dst);
        copy.id.idiag_src[1] = 0xdeadbeef; // not told
    } else {
        inet_pton(AF_INET6, "2001:db8::1", copy.id.idiag_src);
    }
    ck_assert_int_eq(nlmsg_append(message, &copy, sizeof(copy), NLMSG_ALIGNTO), 0);
}

static bool parse(struct socket_view *view) {
    return sock_diag_parse(nlmsg_hdr(message), view);
}

START_TEST(a_socket_as_this_kernel_tells_it) {
    struct socket_view view;
    begin(&plain);
    nla_put_u8(message, INET_DIAG_SHUTDOWN, 0);
    nla_put_u64(message, INET_DIAG_CGROUP_ID, UINT64_C(0x1122334455667788));
    nla_put(message, INET_DIAG_SOCKOPT, 2, "\x01\x02");
    nla_put(message, INET_DIAG_SKMEMINFO, SK_MEMINFO_VARS * 4, memory);
    ck_assert(parse(&view));
    ck_assert_uint_eq(view.cookie, UINT64_C(0x0123456789abcdef));
    ck_assert_uint_eq(view.inode, 4026531840U);
    ck_assert_uint_eq(view.family, AF_INET);
    ck_assert_uint_eq(view.port, 514);
    ck_assert_uint_eq(view.peer_port, 65535);
    ck_assert_uint_eq(view.address[0], inet_addr("192.0.2.1"));
    ck_assert_uint_eq(view.address[1], 0);
    ck_assert_uint_eq(view.peer[0], inet_addr("198.51.100.2"));
    ck_assert(!view.connected);
    ck_assert_uint_eq(view.ifindex, 3);
    ck_assert_uint_eq(view.uid, 101);
    ck_assert_uint_eq(view.queue, 4608);
    ck_assert(view.has_memory && view.has_drops);
    ck_assert_int_eq(view.rmem, 6912);
    ck_assert_uint_eq(view.rcvbuf, 212992);
    ck_assert_uint_eq(view.wmem, 11);
    ck_assert_uint_eq(view.sndbuf, 425984);
    ck_assert_uint_eq(view.drops, 4294967295U);
    ck_assert_uint_eq(view.cgroup, UINT64_C(0x1122334455667788));
}
END_TEST

START_TEST(an_ipv6_socket_with_a_peer) {
    struct inet_diag_msg inet = plain;
    struct socket_view view;
    uint32_t address[4];
    inet.idiag_family = AF_INET6;
    inet.idiag_state = TCP_ESTABLISHED;
    begin(&inet);
    ck_assert(parse(&view));
    ck_assert(view.connected && !view.has_memory && !view.has_drops);
    inet_pton(AF_INET6, "2001:db8::1", address);
    ck_assert_int_eq(memcmp(view.address, address, sizeof(address)), 0);
    ck_assert_uint_eq(view.cgroup, 0);
}
END_TEST

START_TEST(memory_of_other_kernels) {
    struct socket_view view;
    begin(&plain);
    nla_put(message, INET_DIAG_SKMEMINFO, _i, memory);
    ck_assert(parse(&view));
    ck_assert_int_eq(view.has_memory, _i >= 16);
    ck_assert_int_eq(view.has_drops, _i >= 36);
    ck_assert_uint_eq(view.drops, _i >= 36 ? 4294967295U : 0);
}
END_TEST

START_TEST(negative_memory_is_a_kernel_bug_that_is_shown) {
    struct socket_view view;
    uint32_t wrapped[SK_MEMINFO_VARS] = { (uint32_t) -4096, 212992 };
    begin(&plain);
    nla_put(message, INET_DIAG_SKMEMINFO, sizeof(wrapped), wrapped);
    ck_assert(parse(&view));
    ck_assert_int_eq(view.rmem, -4096);
}
END_TEST

START_TEST(what_is_unknown_is_passed_over) {
    struct socket_view view;
    begin(&plain);
    for (int type = 1; type < 200; type++)
        if (type != INET_DIAG_SKMEMINFO && type != INET_DIAG_CGROUP_ID)
            nla_put(message, type, type % 9, memory);
    nla_put(message, INET_DIAG_CGROUP_ID, 7, memory); // too short
    nla_put(message, INET_DIAG_SKMEMINFO, SK_MEMINFO_VARS * 4, memory);
    ck_assert(parse(&view));
    ck_assert_uint_eq(view.rcvbuf, 212992);
    ck_assert_uint_eq(view.cgroup, 0);
}
END_TEST

START_TEST(other_messages_are_none) {
    struct inet_diag_msg inet = plain;
    struct socket_view view;
    begin(&plain);
    nlmsg_hdr(message)->nlmsg_type = RTM_NEWLINK;
    ck_assert(!parse(&view));
    nlmsg_free(message);
    message = nlmsg_alloc();
    inet.idiag_family = AF_UNIX;
    begin(&inet);
    ck_assert(!parse(&view));
}
END_TEST

// Cut anywhere, in memory that ends there.
START_TEST(a_cut_message_is_none_or_says_less) {
    struct socket_view view;
    begin(&plain);
    nla_put_u64(message, INET_DIAG_CGROUP_ID, 5);
    nla_put(message, INET_DIAG_SKMEMINFO, SK_MEMINFO_VARS * 4, memory);
    uint32_t whole = nlmsg_hdr(message)->nlmsg_len;
    for (uint32_t n = NLMSG_HDRLEN; n <= whole; n++) {
        struct nlmsghdr *cut = malloc(n);
        memcpy(cut, nlmsg_hdr(message), n);
        cut->nlmsg_len = n;
        bool parsed = sock_diag_parse(cut, &view);
        ck_assert_int_eq(parsed, n >= NLMSG_LENGTH(sizeof(struct inet_diag_msg)));
        if (parsed && n < whole)
            ck_assert(!view.has_drops);
        free(cut);
    }
    ck_assert(view.has_drops);
}
END_TEST

// Attributes whose lengths lie.
START_TEST(wrong_lengths_end_the_message) {
    struct socket_view view;
    for (unsigned length = 0; length < 300; length++) {
        tear_down();
        set_up();
        begin(&plain);
        nla_put_u64(message, INET_DIAG_SKV6ONLY, 1);
        nla_put(message, INET_DIAG_SKMEMINFO, SK_MEMINFO_VARS * 4, memory);
        uint32_t whole = nlmsg_hdr(message)->nlmsg_len;
        struct nlmsghdr *copy = malloc(whole);
        memcpy(copy, nlmsg_hdr(message), whole);
        struct nlattr *first =
                (void *) ((char *) copy + NLMSG_LENGTH(sizeof(struct inet_diag_msg)));
        first->nla_len = (uint16_t) length;
        ck_assert(sock_diag_parse(copy, &view));
        free(copy);
    }
}
END_TEST

// --- ports of the kernel

static void begin_link(const char *kind) {
    struct ifinfomsg info = { .ifi_index = 5 };
    nlmsg_free(message);
    message = nlmsg_alloc();
    nlmsg_put(message, 1, 2, RTM_NEWLINK, 0, 0);
    nlmsg_append(message, &info, sizeof(info), NLMSG_ALIGNTO);
    nla_put_string(message, IFLA_IFNAME, "tunnel0");
    if (!kind)
        return;
    struct nlattr *link = nla_nest_start(message, IFLA_LINKINFO);
    nla_put_string(message, IFLA_INFO_KIND, kind);
    struct nlattr *data = nla_nest_start(message, IFLA_INFO_DATA);
    nla_put_u16(
            message, strcmp(kind, "geneve") == 0 ? IFLA_GENEVE_PORT : IFLA_VXLAN_PORT, htons(1234));
    nla_nest_end(message, data);
    nla_nest_end(message, link);
}

static void add_link(struct kernel_ports *ports, const char *kind) {
    begin_link(kind);
    ck_assert_int_eq(kernel_ports_add_message(ports, nlmsg_hdr(message)), 0);
}

START_TEST(the_port_tells_who_uses_it) {
    struct kernel_ports ports = KERNEL_PORTS_EMPTY;
    ck_assert_str_eq(kernel_ports_user(&ports, true, 4789), "vxlan");
    ck_assert_str_eq(kernel_ports_user(&ports, false, 51820), "wireguard");
    ck_assert_str_eq(kernel_ports_user(&ports, true, 514), "");
    add_link(&ports, NULL);
    add_link(&ports, "veth");
    ck_assert_uint_eq(ports.n, 0);
    add_link(&ports, "vxlan");
    ck_assert_str_eq(kernel_ports_user(&ports, true, 1234), "vxlan");
    ck_assert_str_eq(kernel_ports_user(&ports, false, 1234), ""); // another namespace's interface
    ports.n = 0;
    add_link(&ports, "geneve");
    ck_assert_str_eq(kernel_ports_user(&ports, true, 1234), "geneve");
    ck_assert_str_eq(kernel_ports_user(&ports, true, 40000), "");
    add_link(&ports, "wireguard"); // tells no port
    ck_assert_str_eq(kernel_ports_user(&ports, true, 40000), "wireguard");
    ck_assert_str_eq(kernel_ports_user(&ports, true, 1234), "geneve");
    kernel_ports_done(&ports);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("socket diagnosis");
    TCase *tcase = tcase_create("messages");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, a_socket_as_this_kernel_tells_it);
    tcase_add_test(tcase, an_ipv6_socket_with_a_peer);
    tcase_add_loop_test(tcase, memory_of_other_kernels, 0, sizeof(memory));
    tcase_add_test(tcase, negative_memory_is_a_kernel_bug_that_is_shown);
    tcase_add_test(tcase, what_is_unknown_is_passed_over);
    tcase_add_test(tcase, other_messages_are_none);
    tcase_add_test(tcase, a_cut_message_is_none_or_says_less);
    tcase_add_test(tcase, wrong_lengths_end_the_message);
    tcase_add_test(tcase, the_port_tells_who_uses_it);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
