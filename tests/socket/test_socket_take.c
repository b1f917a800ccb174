// SPDX-License-Identifier: GPL-2.0-or-later
// Taking sockets
//
// Lists that change while they are read: a socket may stand in one twice, or be missing, and the
// list may begin again.
#include <netinet/in.h>
#include <string.h>

#include "collectors/socket_state.h"
#include "tests/suite.h"

static struct collect_context context;
static struct socket_place place;
static struct netns netns = { .name = "host" };
static struct sockets sockets;

static void set_up(void) {
    context = (struct collect_context){ .now_ms = 1000000 };
    place = (struct socket_place){ .id = 1, .started = true };
    memset(&sockets, 0, sizeof(sockets));
    sockets.context = &context;
    sockets.place = &place;
    sockets.netns = &netns;
    sockets.default_rcvbuf = 212992;
}

static void tear_down(void) {
    socket_picks_done(&sockets.picks);
    key_table_done(&place.known);
    key_table_done(&sockets.groups);
}

static void begin(void) {
    ck_assert_int_eq(sockets_take(&sockets, NULL), 0);
}

static void take(uint32_t cookie, uint32_t drops) {
    struct socket_view view = { .cookie = cookie,
        .inode = cookie + 100,
        .family = AF_INET,
        .protocol = IPPROTO_UDP,
        .has_drops = true,
        .has_memory = true,
        .rcvbuf = 212992,
        .drops = drops };
    ck_assert_int_eq(sockets_take(&sockets, &view), 0);
}

static void end(void) {
    ck_assert_int_eq(sockets_take_rest(&sockets), 0);
}

// The look before: sockets 1 to 50 with 5 drops each.
static void look_before(void) {
    place.started = false;
    begin();
    for (uint32_t i = 1; i <= 50; i++)
        take(i, 5);
    end();
    place.started = true;
    socket_picks_done(&sockets.picks);
    context.now_ms += 1000;
    socket_picks_begin(&sockets.picks);
}

static const struct socket_pick *pick(uint32_t cookie) {
    for (size_t i = 0; i < sockets.picks.n; i++)
        if (sockets.picks.items[i].view.cookie == cookie)
            return &sockets.picks.items[i];
    return NULL;
}

static void check(uint32_t cookie, cell before, int64_t lost) {
    ck_assert_ptr_nonnull(pick(cookie));
    ck_assert_int_eq(pick(cookie)->drops_before, before);
    ck_assert_int_eq(pick(cookie)->lost, lost);
}

START_TEST(every_socket_is_taken) {
    look_before();
    for (uint32_t n = 0; n <= 50; n++) { // lists of all lengths
        begin();
        for (uint32_t i = 1; i <= n; i++)
            take(i, 5 + n);
        end();
        ck_assert_uint_eq(sockets.picks.n, n);
        for (uint32_t i = 1; i <= n; i++)
            ck_assert_int_eq(pick(i)->view.drops, 5 + n);
    }
}
END_TEST

START_TEST(the_list_begins_again) {
    look_before();
    begin();
    take(1, 8);
    take(2, 5);
    take(3, 6);
    end();
    take(4, 9); // was received, and not looked at yet
    begin();
    take(1, 9);
    take(2, 7);
    take(3, 6);
    take(51, 2);
    end();
    check(1, 5, 4);
    check(2, 5, 2);
    check(3, 5, 1);
    check(51, 0, 2);
    ck_assert_ptr_null(pick(4));
    begin(); // the next look
    socket_picks_begin(&sockets.picks);
    take(4, 9);
    take(1, 9);
    end();
    check(4, 5, 4);
    check(1, 9, 0);
}
END_TEST

START_TEST(a_socket_stands_in_it_twice) {
    look_before();
    begin();
    take(1, 6);
    take(2, 6);
    take(1, 7);
    end();
    check(1, 5, 1);
    ck_assert_uint_eq(place.n_seen, 52); // 50 before
    socket_picks_begin(&sockets.picks);
    begin();
    take(1, 7);
    end();
    check(1, 6, 1);
}
END_TEST

START_TEST(a_socket_is_missing_once) {
    look_before();
    begin();
    take(2, 5);
    end();
    socket_picks_begin(&sockets.picks);
    begin();
    take(1, 11);
    take(2, 5);
    end();
    check(1, 5, 6); // it is not taken for a new one
}
END_TEST

START_TEST(only_the_groups_that_are_wanted_are_counted) {
    cell members = 0, empty = 0;
    sockets.counts_groups = true;
    port_set_fill(&sockets.group_ports, false);
    begin();
    take(1, 0);
    end();
    ck_assert_uint_eq(sockets.groups.n, 0);
    port_set_add(&sockets.group_ports, 0);
    begin();
    take(1, 0);
    take(2, 0);
    end();
    ck_assert(socket_group_get(
            &sockets.groups, &(struct socket_view){ .family = AF_INET }, &members, &empty));
    ck_assert_int_eq(members, 2);
    ck_assert_int_eq(empty, 2);
    ck_assert(!port_set_has(&sockets.group_ports, 65535));
    port_set_fill(&sockets.group_ports, true);
    ck_assert(port_set_has(&sockets.group_ports, 65535));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("taking sockets");
    TCase *tcase = tcase_create("lists");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, every_socket_is_taken);
    tcase_add_test(tcase, the_list_begins_again);
    tcase_add_test(tcase, a_socket_stands_in_it_twice);
    tcase_add_test(tcase, a_socket_is_missing_once);
    tcase_add_test(tcase, only_the_groups_that_are_wanted_are_counted);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
