// SPDX-License-Identifier: GPL-2.0-or-later
// Socket files
//
// net/udp and its siblings as each kernel prints them, and texts that no kernel prints.
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "collectors/proc_pairs.h"
#include "collectors/socket_view.h"
#include "core/cleanup.h"
#include "tests/suite.h"

static struct socket_view seen[64];
static size_t n_seen;
static struct parse_problem problem;

static void set_up(void) {
    n_seen = 0;
    problem = (struct parse_problem){ 0 };
}

static int visit(void *userdata, const struct socket_view *view) {
    (void) userdata;
    if (n_seen < 64)
        seen[n_seen++] = *view;
    return 0;
}

// The text in memory that ends where it does.
static void parse_n(const char *text, size_t n, uint8_t family) {
    char *copy = malloc(n ? n : 1);
    memcpy(copy, text, n);
    set_up();
    ck_assert_int_eq(parse_net_udp(copy, n, family, IPPROTO_UDP, visit, NULL, &problem), 0);
    free(copy);
}

static void parse(const char *text, uint8_t family) {
    parse_n(text, strlen(text), family);
}

static bool is_address(const uint32_t *address, uint8_t family, const char *text) {
    uint32_t expected[4] = { 0 };
    inet_pton(family, text, expected);
    return memcmp(address, expected, sizeof(expected)) == 0;
}

#define NAMES4                                                                                     \
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "  \
    "inode ref pointer drops             \n"
#define NAMES6                                                                                     \
    "  sl  local_address                         remote_address                        st "        \
    "tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"

// What 6.18 prints, and 4.18 on.
static const char udp_6_18[] = NAMES4
        "  318: 0100007F:0202 00000000:0000 07 00000000:00015180 00:00000000 00000000   101        "
        "0 4026531841 2 0000000000000000 4294967295         \n"
        "16000: 0202000A:9C40 0101A8C0:0035 01 00000300:00000000 00:00000000 00000000     0        "
        "0 23456 2 ffff888004a2c000 12           \n";

START_TEST(a_new_kernel) {
    parse(udp_6_18, AF_INET);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_eq(n_seen, 2);
    ck_assert(is_address(seen[0].address, AF_INET, "127.0.0.1"));
    ck_assert_uint_eq(seen[0].port, 514);
    ck_assert(!seen[0].connected);
    ck_assert_uint_eq(seen[0].queue, 0x15180);
    ck_assert_uint_eq(seen[0].uid, 101);
    ck_assert_uint_eq(seen[0].inode, 4026531841U);
    ck_assert_uint_eq(seen[0].drops, 4294967295U);
    ck_assert(seen[0].has_drops && !seen[0].has_memory);
    ck_assert_uint_eq(seen[0].cookie, 0);
    ck_assert_uint_eq(seen[0].family, AF_INET);
    ck_assert_uint_eq(seen[0].protocol, IPPROTO_UDP);
    ck_assert(seen[1].connected);
    ck_assert(is_address(seen[1].address, AF_INET, "10.0.2.2"));
    ck_assert(is_address(seen[1].peer, AF_INET, "192.168.1.1"));
    ck_assert_uint_eq(seen[1].peer_port, 53);
    ck_assert_uint_eq(seen[1].queue, 0);
}
END_TEST

START_TEST(drops_were_signed_in_3_10) {
    parse(NAMES4
            "   91: 00000000:0044 00000000:0000 07 00000000:00000000 00:00000000 00000000     0  "
            "      0 1384 2 ffff88003b1a4000 -2\n",
            AF_INET);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_eq(n_seen, 1);
    ck_assert_uint_eq(seen[0].drops, 4294967294U);
}
END_TEST

START_TEST(ipv6) {
    parse(NAMES6
            "  318: 00000000000000000000000000000000:0202 00000000000000000000000000000000:0000 07 "
            "00000000:00000340 00:00000000 00000000     0        0 2222 2 0000000000000000 7\n"
            "  319: 0000000000000000FFFF00000100007F:0203 B80D0120000000000000000001000000:D431 01 "
            "00000000:00000000 00:00000000 00000000     0        0 2223 2 0000000000000000 0\n",
            AF_INET6);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_eq(n_seen, 2);
    ck_assert(is_address(seen[0].address, AF_INET6, "::"));
    ck_assert_uint_eq(seen[0].queue, 832);
    ck_assert_uint_eq(seen[0].drops, 7);
    ck_assert(is_address(seen[1].address, AF_INET6, "::ffff:127.0.0.1"));
    ck_assert(is_address(seen[1].peer, AF_INET6, "2001:db8::1"));
    ck_assert_uint_eq(seen[1].peer_port, 54321);
}
END_TEST

START_TEST(columns_are_found_by_name) {
    parse("drops inode uid st new tx_queue rx_queue tr tm->when rem_address local_address more\n"
          "5 77 1000 07 x 00000000:00000010 00:00000000 00000000:0000 0100007F:0035 y z\n",
            AF_INET);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_eq(n_seen, 1);
    ck_assert_uint_eq(seen[0].drops, 5);
    ck_assert_uint_eq(seen[0].inode, 77);
    ck_assert_uint_eq(seen[0].queue, 16);
    ck_assert_uint_eq(seen[0].port, 53);
}
END_TEST

START_TEST(no_sockets) {
    parse(NAMES4, AF_INET);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_eq(n_seen, 0);
}
END_TEST

START_TEST(without_its_names_nothing_counts) {
    static const char line[] = "  318: 0100007F:0202 00000000:0000 07 00000000:00000000 "
                               "00:00000000 00000000   101        0 1 2 0 3\n";
    static const char no_drops[] = "  sl  local_address rem_address   st tx_queue rx_queue tr "
                                   "tm->when retrnsmt   uid  timeout inode\n"
                                   "  318: 0100007F:0202 00000000:0000 07 00000000:00000000 "
                                   "00:00000000 00000000   101        0 1\n";
    static const char *const texts[] = { "", "\n", no_drops, line, "\x1b[31m\xff\n" };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        parse(texts[i], AF_INET);
        ck_assert_ptr_nonnull(problem.text);
        ck_assert_uint_eq(n_seen, 0);
    }
}
END_TEST

START_TEST(a_bad_line_is_left_out) {
    static const char *const lines[] = {
        "318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0\n",
        "318: 0100007:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007G:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 zz 00000000:00000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 07 00000000-00000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 07 00000000:000000 00:00000000 00000000 101 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 -1 0 1 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 4294967296 2 0 3\n",
        "318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0 x\n",
        "318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000 101 0 1 2 0 -2147483649\n",
        "\n",
    };
    for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        char text[1024];
        snprintf(text, sizeof(text), "%s%s%s", NAMES4, lines[i], strchr(udp_6_18, '\n') + 1);
        parse(text, AF_INET);
        ck_assert_msg(problem.line == 2, "%s", lines[i]);
        ck_assert_uint_eq(n_seen, 2);
    }
    parse(udp_6_18, AF_INET6); // IPv4 addresses in a file of IPv6
    ck_assert_uint_eq(problem.line, 2);
    ck_assert_uint_eq(n_seen, 0);
}
END_TEST

// A cut between two lines cannot be told; anywhere else it is, and what is seen is right.
START_TEST(a_cut_file_gives_gaps) {
    size_t n = strlen(udp_6_18);
    for (size_t cut = 0; cut < n; cut++) {
        parse_n(udp_6_18, cut, AF_INET);
        bool between = cut > 0 && udp_6_18[cut - 1] == '\n';
        ck_assert_int_eq(problem.text == NULL, between);
        ck_assert_uint_le(n_seen, 1);
        if (n_seen == 1)
            ck_assert_uint_eq(seen[0].drops, 4294967295U);
    }
}
END_TEST

static int refuse(void *userdata, const struct socket_view *view) {
    (void) view;
    return ++*(int *) userdata == 1 ? -ENOMEM : 0;
}

START_TEST(the_visitor_may_give_up) {
    int calls = 0;
    ck_assert_int_eq(parse_net_udp(udp_6_18, strlen(udp_6_18), AF_INET, IPPROTO_UDP, refuse, &calls,
                             &problem),
            -ENOMEM);
    ck_assert_int_eq(calls, 1);
}
END_TEST

// The same sockets from this kernel's own file.
START_TEST(this_kernel) {
    _cleanup_fclose_ FILE *file = fopen("/proc/net/udp", "re");
    static char text[1 << 20];
    if (!file)
        return;
    size_t n = fread(text, 1, sizeof(text), file);
    if (n == sizeof(text))
        return;
    parse_n(text, n, AF_INET);
    ck_assert_ptr_null(problem.text);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("socket files");
    TCase *tcase = tcase_create("texts");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, a_new_kernel);
    tcase_add_test(tcase, drops_were_signed_in_3_10);
    tcase_add_test(tcase, ipv6);
    tcase_add_test(tcase, columns_are_found_by_name);
    tcase_add_test(tcase, no_sockets);
    tcase_add_test(tcase, without_its_names_nothing_counts);
    tcase_add_test(tcase, a_bad_line_is_left_out);
    tcase_add_test(tcase, a_cut_file_gives_gaps);
    tcase_add_test(tcase, the_visitor_may_give_up);
    tcase_add_test(tcase, this_kernel);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
