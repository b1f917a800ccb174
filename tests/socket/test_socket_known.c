// SPDX-License-Identifier: GPL-2.0-or-later
// Known sockets
//
// What a look says against the one before.
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "collectors/socket_known.h"
#include "tests/suite.h"

#define LIMIT 212992
#define DEFAULT_LIMIT 100000
static int64_t now_ms;
static struct known_socket known;

static void set_up(void) {
    now_ms = 70000000; // beyond 2^16 seconds
    known = (struct known_socket){ 0 };
}

static struct socket_view view_of(uint32_t drops, int32_t rmem) {
    return (struct socket_view){ .cookie = 7,
        .inode = 8,
        .family = AF_INET,
        .protocol = IPPROTO_UDP,
        .has_drops = true,
        .has_memory = true,
        .drops = drops,
        .rmem = rmem,
        .rcvbuf = LIMIT };
}

static struct socket_news look(enum socket_past past, uint32_t drops, int32_t rmem) {
    struct socket_view view = view_of(drops, rmem);
    now_ms += 1000;
    return socket_judge(&view, past, DEFAULT_LIMIT, now_ms, &known);
}

START_TEST(nothing_happens_to_most) {
    struct socket_news news = look(SOCKET_UNKNOWN, 0, 0);
    ck_assert(!news.listed);
    for (int i = 0; i < 200; i++) {
        news = look(SOCKET_KNOWN, 0, i * 500);
        ck_assert(!news.listed);
    }
}
END_TEST

START_TEST(drops_of_the_past_are_a_baseline) {
    struct socket_news news = look(SOCKET_UNKNOWN, 100, 0);
    ck_assert(news.listed); // in the first look alone
    ck_assert_int_eq(news.drops_before, CELL_NULL);
    ck_assert_int_eq(news.lost, 0);
    ck_assert(!look(SOCKET_KNOWN, 100, 0).listed);
    news = look(SOCKET_KNOWN, 104, 0);
    ck_assert(news.listed);
    ck_assert_int_eq(news.drops_before, 100);
    ck_assert_int_eq(news.lost, 4);
}
END_TEST

START_TEST(a_new_socket_began_at_nothing) {
    struct socket_news news = look(SOCKET_NEW, 12, 0);
    ck_assert(news.listed);
    ck_assert_int_eq(news.drops_before, 0);
    ck_assert_int_eq(news.lost, 12);
    known = (struct known_socket){ 0 };
    ck_assert(!look(SOCKET_NEW, 0, 0).listed);
}
END_TEST

START_TEST(drops_wrap_at_2_to_the_32) {
    look(SOCKET_UNKNOWN, UINT32_MAX - 2, 0);
    struct socket_news news = look(SOCKET_KNOWN, 3, 0);
    ck_assert_int_eq(news.drops_before, UINT32_MAX - 2);
    ck_assert_int_eq(news.lost, 6);
}
END_TEST

START_TEST(drops_that_went_back_are_another_socket) {
    look(SOCKET_UNKNOWN, 1000, 0);
    struct socket_news news = look(SOCKET_KNOWN, 5, 0);
    ck_assert_int_eq(news.drops_before, 0);
    ck_assert_int_eq(news.lost, 5);
}
END_TEST

START_TEST(it_is_listed_for_a_minute) {
    look(SOCKET_UNKNOWN, 0, 0);
    ck_assert(look(SOCKET_KNOWN, 1, 0).listed);
    for (int s = 1; s < SOCKET_LISTED_S; s++)
        ck_assert_msg(look(SOCKET_KNOWN, 1, 0).listed, "after %d s", s);
    ck_assert(!look(SOCKET_KNOWN, 1, 0).listed);
    // Also where the clock's seconds pass 2^16.
    for (int i = 0; i < 70000; i++) {
        bool lost = i % 100 == 0;
        bool listed = look(SOCKET_KNOWN, known.drops + lost, 0).listed;
        ck_assert_msg(listed == (i % 100 < SOCKET_LISTED_S), "%d", i);
    }
}
END_TEST

START_TEST(a_queue_is_near_when_it_grows_above_the_half) {
    look(SOCKET_UNKNOWN, 0, LIMIT / 100 * 60);
    known.until_s = 0;
    ck_assert(!look(SOCKET_KNOWN, 0, LIMIT / 100 * 60).listed); // it stays
    ck_assert(!look(SOCKET_KNOWN, 0, LIMIT / 100 * 40).listed);
    ck_assert(look(SOCKET_KNOWN, 0, LIMIT / 100 * 55).listed);
    known.until_s = 0;
    ck_assert(!look(SOCKET_KNOWN, 0, LIMIT / 100 * 52).listed); // it shrinks
    ck_assert(look(SOCKET_KNOWN, 0, LIMIT / 100 * 95).listed);
    known.until_s = 0;
    ck_assert(look(SOCKET_KNOWN, 0, LIMIT / 100 * 95).listed); // full, and stays so
}
END_TEST

START_TEST(a_queue_is_large_whatever_the_buffer) {
    struct socket_view view = view_of(0, 1 << 20);
    view.rcvbuf = 64 << 20;
    view.queue = (1 << 20) - 1;
    ck_assert(!socket_judge(&view, SOCKET_KNOWN, DEFAULT_LIMIT, now_ms, &known).listed);
    view.queue = 1 << 20;
    ck_assert(socket_judge(&view, SOCKET_KNOWN, DEFAULT_LIMIT, now_ms, &known).listed);
}
END_TEST

START_TEST(shares) {
    struct socket_view view = view_of(0, LIMIT);
    ck_assert_uint_eq(socket_share(&view, 0), 100);
    view.rmem = LIMIT * 2;
    ck_assert_uint_eq(socket_share(&view, 0), 200);
    view.rmem = INT32_MAX;
    ck_assert_uint_eq(socket_share(&view, 0), SOCKET_SHARE_MAX);
    view.rmem = -1;
    ck_assert_uint_eq(socket_share(&view, 0), SOCKET_SHARE_MAX);
    view.rmem = 0;
    view.rcvbuf = 0;
    ck_assert_uint_eq(socket_share(&view, 0), 0);
    view.has_memory = false;
    view.queue = 50000;
    ck_assert_uint_eq(socket_share(&view, DEFAULT_LIMIT), 50);
    view.queue = UINT32_MAX;
    ck_assert_uint_eq(socket_share(&view, DEFAULT_LIMIT), SOCKET_SHARE_MAX);
    ck_assert_uint_eq(socket_share(&view, 0), SOCKET_SHARE_MAX);
}
END_TEST

static bool is_full(uint32_t used, uint32_t limit, bool lost) {
    struct socket_view view = view_of(0, (int32_t) used);
    view.rcvbuf = limit;
    view.queue = used;
    bool full = socket_is_full(&view, 0, lost);
    view.has_memory = false; // the same from a file
    ck_assert_int_eq(socket_is_full(&view, limit, lost), full);
    return full;
}

START_TEST(full_buffers) {
    ck_assert(is_full(90000, 100000, false) && !is_full(89999, 100000, false));
    ck_assert(is_full(51000, 100000, true) && !is_full(50000, 100000, true));
    ck_assert(is_full(3328, 4096, false)); // four small datagrams, and no room for a fifth
    ck_assert(!is_full(2496, 4096, false));
    ck_assert(!is_full(0, 0, true));
}
END_TEST

START_TEST(no_two_sockets_have_one_key) {
    struct socket_view a = view_of(0, 0), b = a;
    b.cookie++;
    ck_assert_uint_ne(socket_key(&a), socket_key(&b));
    b = a;
    b.inode++; // a kernel whose cookies are addresses, used again
    ck_assert_uint_ne(socket_key(&a), socket_key(&b));
    a.cookie = 0;
    a.port = 513;
    a.inode = 1000;
    b = a;
    ck_assert_uint_eq(socket_key(&a), socket_key(&b));
    b.port++;
    ck_assert_uint_ne(socket_key(&a), socket_key(&b));
    b = a;
    b.address[3] = 1;
    ck_assert_uint_ne(socket_key(&a), socket_key(&b));
    b = a;
    b.family = AF_INET6;
    ck_assert_uint_ne(socket_key(&a), socket_key(&b));
    b = a;
    b.drops = b.queue = 5;
    ck_assert_uint_eq(socket_key(&a), socket_key(&b));
    a = (struct socket_view){ 0 };
    ck_assert_uint_ne(socket_key(&a), 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("known sockets");
    TCase *tcase = tcase_create("sockets");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, nothing_happens_to_most);
    tcase_add_test(tcase, drops_of_the_past_are_a_baseline);
    tcase_add_test(tcase, a_new_socket_began_at_nothing);
    tcase_add_test(tcase, drops_wrap_at_2_to_the_32);
    tcase_add_test(tcase, drops_that_went_back_are_another_socket);
    tcase_add_test(tcase, it_is_listed_for_a_minute);
    tcase_add_test(tcase, a_queue_is_near_when_it_grows_above_the_half);
    tcase_add_test(tcase, a_queue_is_large_whatever_the_buffer);
    tcase_add_test(tcase, shares);
    tcase_add_test(tcase, full_buffers);
    tcase_add_test(tcase, no_two_sockets_have_one_key);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
