// SPDX-License-Identifier: GPL-2.0-or-later
// Known sockets
//
// What a look says against the one before; which sockets are picked; how often namespaces have
// their turn.
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>

#include "collectors/socket_groups.h"
#include "collectors/socket_known.h"
#include "collectors/socket_picks.h"
#include "collectors/socket_places.h"
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
    struct socket_view view = view_of(0, 0);
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
    tcase_add_test(tcase, picks_are_found_and_sorted);
    tcase_add_test(tcase, those_that_lose_the_most_are_kept);
    tcase_add_test(tcase, groups_have_all_in_common);
    tcase_add_test(tcase, places_come_and_go_with_namespaces);
    tcase_add_test(tcase, what_costs_much_is_done_seldom);
    tcase_add_test(tcase, closed_sockets_are_forgotten);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
