// SPDX-License-Identifier: GPL-2.0-or-later
// Picked sockets
//
// Which sockets are picked, which of them belong together, and where and how often they are looked at.
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "collectors/socket_groups.h"
#include "collectors/socket_known.h"
#include "collectors/socket_picks.h"
#include "collectors/socket_places.h"
#include "tests/suite.h"

static int64_t now_ms;

static void set_up(void) {
    now_ms = 70000000; // beyond 2^16 seconds
}

// --- picks

static struct socket_pick *add(struct socket_picks *picks, uint64_t key, int64_t rank) {
    struct socket_pick *pick = NULL;
    ck_assert_int_ge(socket_picks_add(picks, key, rank, &pick), 0);
    if (pick)
        pick->seen = true;
    return pick;
}

static bool is_even(const struct socket_pick *pick, void *data) {
    (void) data;
    return pick->key % 2 == 0;
}

START_TEST(picks_are_found_and_sorted) {
    struct socket_picks picks = { 0 };
    for (uint64_t key = 1; key <= 100; key++)
        add(&picks, key, (int64_t) (key * 37 % 101));
    socket_picks_sort(&picks);
    for (size_t i = 1; i < picks.n; i++)
        ck_assert_int_ge(picks.rank[picks.order[i - 1]], picks.rank[picks.order[i]]);
    socket_picks_remove_if(&picks, is_even, NULL);
    ck_assert_uint_eq(picks.n, 50);
    for (uint64_t key = 1; key <= 100; key++) {
        struct socket_pick *pick = socket_picks_find(&picks, key);
        ck_assert_int_eq(pick != NULL, key % 2 == 1);
        if (pick)
            ck_assert_uint_eq(pick->key, key);
    }
    socket_picks_done(&picks);
}
END_TEST

START_TEST(those_that_lose_the_most_are_kept) {
    struct socket_picks picks = { 0 };
    for (uint64_t key = 1; key <= SOCKET_PICKS_MAX; key++)
        add(&picks, key, 1);
    ck_assert_uint_eq(picks.n_left_out, 0);
    ck_assert_ptr_null(add(&picks, 5000, 1)); // no better than the others
    for (uint64_t key = 5001; key <= 5100; key++)
        ck_assert_ptr_nonnull(add(&picks, key, 10));
    ck_assert_uint_eq(picks.n, SOCKET_PICKS_MAX);
    ck_assert_uint_eq(picks.n_left_out, 101);
    ck_assert_int_eq(picks.left_out_lost, 101);
    for (uint64_t key = 5001; key <= 5100; key++)
        ck_assert_ptr_nonnull(socket_picks_find(&picks, key));
    // In the next look, those that were not seen yet make room first.
    socket_picks_begin(&picks);
    socket_picks_set_rank(&picks, socket_picks_find(&picks, 5001), 0);
    for (uint64_t key = 6001; key < 6000 + SOCKET_PICKS_MAX; key++)
        ck_assert_ptr_nonnull(add(&picks, key, 0));
    ck_assert_ptr_nonnull(socket_picks_find(&picks, 5001));
    ck_assert_ptr_null(socket_picks_find(&picks, 5002));
    socket_picks_done(&picks);
}
END_TEST

// --- groups

START_TEST(groups_have_all_in_common) {
    struct key_table groups = KEY_TABLE_EMPTY;
    struct socket_view view = { .cookie = 7,
        .inode = 8,
        .family = AF_INET,
        .protocol = IPPROTO_UDP,
        .has_drops = true,
        .has_memory = true,
        .rcvbuf = 212992 };
    cell members, empty;
    view.port = 53;
    ck_assert(!socket_group_get(&groups, &view, &members, &empty));
    for (uint32_t i = 0; i < 4; i++) {
        view.queue = i == 0 ? 832 : 0;
        view.cookie = 100 + i;
        ck_assert_int_eq(socket_group_count(&groups, &view), 0);
    }
    struct socket_view others[5] = { view, view, view, view, view };
    others[0].port = 54;
    others[1].uid = 1;
    others[2].ifindex = 1;
    others[3].address[0] = 1;
    others[4].connected = true;
    for (size_t i = 0; i < 5; i++)
        socket_group_count(&groups, &others[i]);
    ck_assert(socket_group_get(&groups, &view, &members, &empty));
    ck_assert_int_eq(members, 4);
    ck_assert_int_eq(empty, 3);
    for (size_t i = 0; i < 5; i++) {
        ck_assert(socket_group_get(&groups, &others[i], &members, &empty));
        ck_assert_int_eq(members, 1);
    }
    key_table_done(&groups);
}
END_TEST

// --- places

static size_t n_gone;

static void count_gone(const struct socket_place *place, void *data) {
    (void) place;
    (void) data;
    n_gone++;
}

static struct netns items[3];
static struct netns_list list = { .items = items, .n = 3 };
static struct socket_places places;

static void begin_places(void) {
    for (size_t i = 0; i < 3; i++)
        items[i].inode = 1000 + i;
    places = (struct socket_places){ 0 };
    ck_assert_int_eq(socket_places_begin(&places, &list, now_ms, count_gone, NULL), 0);
}

static void next_step(void) {
    places.started = true;
    now_ms += 1000;
    ck_assert_int_eq(socket_places_begin(&places, &list, now_ms, count_gone, NULL), 0);
}

START_TEST(places_come_and_go_with_namespaces) {
    begin_places();
    socket_places_find(&places, &list, &items[2])->visits = 5;
    key_table_add(&socket_places_find(&places, &list, &items[0])->known, 1, NULL);
    items[0] = items[2];
    list.n = 2;
    n_gone = 0;
    next_step();
    ck_assert_uint_eq(places.n, 2);
    ck_assert_uint_eq(n_gone, 1);
    ck_assert_uint_eq(socket_places_find(&places, &list, &items[0])->visits, 5);
    socket_places_done(&places);
    list.n = 3;
}
END_TEST

START_TEST(what_costs_much_is_done_seldom) {
    begin_places();
    struct socket_place *own = &places.items[0], *files = &places.items[1],
                        *other = &places.items[2];
    files->by_files = other->by_files = true;
    for (size_t i = 0; i < 3; i++) // the first look sees all
        ck_assert(socket_place_is_due(&places, &places.items[i], now_ms));
    socket_place_charge(&places, own, 90000, now_ms);
    socket_place_charge(&places, files, 30000, now_ms);
    socket_place_charge(&places, other, 1000, now_ms);
    next_step();
    for (size_t i = 0; i < 3; i++) // 9 % of a CPU, 3 %
        ck_assert(socket_place_is_due(&places, &places.items[i], now_ms));
    socket_place_charge(&places, own, 350000, now_ms);
    socket_place_charge(&places, files, 120000, now_ms);
    ck_assert(!socket_place_is_due(&places, other, now_ms)); // files have had their share
    next_step();
    ck_assert(!socket_place_is_due(&places, own, now_ms));
    ck_assert(!socket_place_is_due(&places, files, now_ms));
    ck_assert(socket_place_is_due(&places, other, now_ms));
    next_step();
    ck_assert(!socket_place_is_due(&places, own, now_ms));
    ck_assert(socket_place_is_due(&places, files, now_ms));
    next_step();
    next_step();
    ck_assert(socket_place_is_due(&places, own, now_ms));
    socket_places_done(&places);
}
END_TEST

START_TEST(closed_sockets_are_forgotten) {
    begin_places();
    struct socket_place *place = &places.items[0];
    for (uint64_t key = 1; key <= 1000; key++)
        known_socket_put(
                key_table_add(&place->known, key, NULL), (struct known_socket){ .look = 0 });
    place->visits = 1;
    place->n_seen = 500;
    place->look = 20; // a list that changes while it is read may miss some
    socket_place_sweep(place);
    ck_assert_uint_eq(place->known.n, 1000);
    for (uint64_t key = 1; key <= 500; key++)
        known_socket_put(key_table_find(&place->known, key), (struct known_socket){ .look = 40 });
    place->look = 40;
    socket_place_sweep(place);
    ck_assert_uint_eq(place->known.n, 500);
    socket_places_done(&places);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("picked sockets");
    TCase *tcase = tcase_create("sockets");
    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, picks_are_found_and_sorted);
    tcase_add_test(tcase, those_that_lose_the_most_are_kept);
    tcase_add_test(tcase, groups_have_all_in_common);
    tcase_add_test(tcase, places_come_and_go_with_namespaces);
    tcase_add_test(tcase, what_costs_much_is_done_seldom);
    tcase_add_test(tcase, closed_sockets_are_forgotten);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
