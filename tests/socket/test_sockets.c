// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets of a directory
#include <string.h>

#include "collectors/list.h"
#include "core/growth.h"
#include "tests/socket/files.h"

START_TEST(one_look_shows_who_ever_lost) {
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 0 }, { 123, 79, 200000, 0 });
    look();
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_str_eq(rig.outcome.reason, "");
    ck_assert_uint_eq(rig.rows.n, 2); // that of port 123 is near the default buffer
    ck_assert_str_eq(text(514, SOCKET_NETNS), "host");
    ck_assert_int_eq(value(514, SOCKET_COOKIE), 0);
    ck_assert_int_eq(value(514, SOCKET_INODE), 77);
    ck_assert_str_eq(text(514, SOCKET_PROTOCOL), "udp");
    ck_assert_int_eq(value(514, SOCKET_FAMILY), 4);
    ck_assert_str_eq(text(514, SOCKET_ADDRESS), "127.0.0.1");
    ck_assert_str_eq(text(514, SOCKET_PEER_ADDRESS), "");
    ck_assert_int_eq(value(514, SOCKET_INTERFACE), CELL_NULL);
    ck_assert_int_eq(value(514, SOCKET_UID), 101);
    ck_assert_int_eq(value(514, SOCKET_CONNECTED), 0);
    ck_assert_int_eq(value(514, SOCKET_RCVBUF), CELL_NULL);
    ck_assert_int_eq(value(514, SOCKET_RMEM), CELL_NULL);
    ck_assert_int_eq(value(123, SOCKET_QUEUE), 200000);
    ck_assert_int_eq(value(514, SOCKET_DROPS), 5);
    ck_assert_int_eq(before(514, SOCKET_DROPS), CELL_NULL);
    ck_assert_int_eq(value(514, SOCKET_LOOKS), 0);
    ck_assert_int_eq(value(514, SOCKET_REUSEPORT_MEMBERS), 1);
    ck_assert_int_eq(value(514, SOCKET_HAS_FILTER), CELL_NULL);
    ck_assert_str_eq(text(514, SOCKET_OWNER_STATE), "unknown");
    ck_assert(!rig.watch.lossy);
}
END_TEST

START_TEST(later_looks_show_who_loses) {
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 3 });
    look();
    WRITE("proc/net/udp", { 514, 77, 832, 9 }, { 53, 78, 0, 3 }, { 99, 80, 0, 2 });
    look();
    ck_assert_uint_eq(rig.rows.n, 2);
    ck_assert_int_eq(value(514, SOCKET_DROPS), 9);
    ck_assert_int_eq(before(514, SOCKET_DROPS), 5);
    ck_assert_int_eq(before(99, SOCKET_DROPS), 0);
    ck_assert_int_eq(row_of(514), 0); // it lost the most
    ck_assert_int_eq(value(514, SOCKET_LOOKS), 1);
    ck_assert_int_eq(value(514, SOCKET_LOOKS_FULL), 1);
    ck_assert_int_eq(value(99, SOCKET_LOOKS_EMPTY), 1);
    ck_assert_int_eq(value(514, SOCKET_QUEUE_PEAK), 832);
    ck_assert(rig.watch.lossy);
    ck_assert_uint_eq(rig.watch.n_sockets, 2);
    ck_assert(
            rig.watch.sockets[0].lossy && rig.watch.sockets[0].dense && rig.watch.sockets[0].full);
    ck_assert_int_eq(rig.watch.sockets[0].lost, 4);
    ck_assert_uint_eq(rig.watch.sockets[0].port, 514);

    WRITE("proc/net/udp", { 514, 77, 0, 9 }, { 53, 78, 0, 3 });
    look();
    ck_assert_uint_eq(rig.rows.n, 1); // that of port 99 is closed
    ck_assert_int_eq(before(514, SOCKET_DROPS), 9);
    ck_assert(!rig.watch.sockets[0].lossy && rig.watch.sockets[0].dense);
    for (int i = 0; i < 8; i++)
        look();
    ck_assert(rig.watch.lossy);
    look();
    ck_assert(!rig.watch.lossy);
    cell looks = value(514, SOCKET_LOOKS);
    ck_assert_int_eq(looks, 10);
    look();
    ck_assert_int_eq(value(514, SOCKET_LOOKS), looks); // no news: no row is written for it
    rig.context.now_ms += 60000;
    look();
    ck_assert_uint_eq(rig.rows.n, 0);
    ck_assert_uint_eq(rig.watch.n_sockets, 0);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
}
END_TEST

START_TEST(an_inode_that_is_used_again_is_another_socket) {
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 6 });
    look();
    WRITE("proc/net/udp", { 515, 77, 0, 7 }, { 53, 78, 0, 2 });
    look();
    ck_assert_int_eq(before(515, SOCKET_DROPS), 0);
    ck_assert_int_eq(before(53, SOCKET_DROPS), 0);
    ck_assert_int_eq(row_of(514), -1);
}
END_TEST

static cell grown(const struct step *step, unsigned port) {
    const struct rows *rows = &step->growth[0];
    for (size_t i = 0; i < rows->n; i++)
        if (rows_at(rows, i)[SOCKET_PORT] == (cell) port)
            return rows_at(rows, i)[SOCKET_DROPS];
    return -1;
}

static void grow(struct growth *growth, struct sample *sample, struct step *step) {
    look();
    struct rows empty = sample->rows[0];
    sample->rows[0] = rig.rows;
    sample->boottime_ms = sample->monotonic_ms = rig.context.now_ms;
    sample->wall_ms = rig.context.now_ms + INT64_C(1764471001000);
    ck_assert_int_eq(growth_step(growth, sample, step), 0);
    sample->rows[0] = empty;
}

// The drops of each socket are counted once, also where its rows come and go.
START_TEST(growth_is_exact) {
    const struct table *const tables[] = { &socket_table };
    struct growth *growth = growth_new(tables, 1);
    struct sample *sample = sample_new(tables, 1);
    struct step *step = step_new(tables, 1);
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 100 });
    grow(growth, sample, step);
    ck_assert_int_eq(grown(step, 514), CELL_NULL);
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 101 }, { 99, 80, 0, 4 });
    grow(growth, sample, step);
    ck_assert_int_eq(grown(step, 514), -1);
    ck_assert_int_eq(grown(step, 53), 1);
    ck_assert_int_eq(grown(step, 99), 4);
    rig.context.now_ms += 90000; // 53 leaves
    grow(growth, sample, step);
    ck_assert_uint_eq(step->growth[0].n, 0);
    WRITE("proc/net/udp", { 514, 77, 0, 6 }, { 53, 78, 0, 103 }, { 99, 80, 0, 4 });
    grow(growth, sample, step);
    ck_assert_int_eq(grown(step, 514), 1);
    ck_assert_int_eq(grown(step, 53), 2);
    for (int hours = 0; hours < 3; hours++) {
        rig.context.now_ms += 3600000;
        grow(growth, sample, step);
    }
    WRITE("proc/net/udp", { 514, 77, 0, 16 }, { 53, 78, 0, 104 });
    grow(growth, sample, step);
    ck_assert_int_eq(grown(step, 514), 10);
    ck_assert_int_eq(grown(step, 53), 1);
    // The looks began again with the row.
    const struct rows *rows = &step->growth[0];
    for (size_t i = 0; i < rows->n; i++)
        ck_assert_int_eq(rows_at(rows, i)[SOCKET_LOOKS], 1);
    growth_free(growth);
    sample_free(sample);
    step_free(step);
}
END_TEST

START_TEST(the_files_of_ipv6_and_udp_lite_count_too) {
    static const char udp6[] =
            "  sl  local_address                         remote_address                        st "
            "tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode ref pointer drops\n"
            "  318: 00000000000000000000000000000000:1F90 B80D0120000000000000000001000000:D431 01 "
            "00000000:00000340 00:00000000 00000000     0        0 2222 2 0000000000000000 7\n";
    WRITE("proc/net/udp", { 53, 78, 0, 0 });
    WRITE("proc/net/udplite", { 55, 79, 0, 1 });
    rig_write(&rig, "proc/net/udp6", udp6, sizeof(udp6) - 1);
    look();
    ck_assert_uint_eq(rig.rows.n, 2);
    ck_assert_str_eq(text(55, SOCKET_PROTOCOL), "udplite");
    ck_assert_str_eq(text(8080, SOCKET_PROTOCOL), "udp");
    ck_assert_int_eq(value(8080, SOCKET_FAMILY), 6);
    ck_assert_str_eq(text(8080, SOCKET_ADDRESS), "::");
    ck_assert_str_eq(text(8080, SOCKET_PEER_ADDRESS), "2001:db8::1");
    ck_assert_int_eq(value(8080, SOCKET_PEER_PORT), 0xd431);
    ck_assert_int_eq(value(8080, SOCKET_CONNECTED), 1);
}
END_TEST

START_TEST(groups_share_an_address) {
    WRITE("proc/net/udp", { 53, 70, 832, 9 }, { 53, 71, 0, 0 }, { 53, 72, 0, 0 }, { 54, 73, 0, 1 });
    look();
    ck_assert_int_eq(value(53, SOCKET_REUSEPORT_MEMBERS), 3);
    ck_assert_int_eq(value(53, SOCKET_REUSEPORT_EMPTY), 2);
    ck_assert_int_eq(value(54, SOCKET_REUSEPORT_MEMBERS), 1);
}
END_TEST

START_TEST(other_namespaces_have_their_own) {
    WRITE("proc/1/net/udp", { 514, 77, 0, 5 });
    WRITE("proc/42/net/udp", { 514, 79, 0, 6 });
    rig_link(&rig, "proc/1/ns/net", "net:[4026531840]");
    rig_link(&rig, "proc/42/ns/net", "net:[4026532000]");
    rig_write(&rig, "proc/42/comm", "a\033[31mb\nc\n", 10);
    look();
    ck_assert_uint_eq(rig.rows.n, 2);
    ck_assert_str_eq(
            rows_text(&rig.rows, rows_at(&rig.rows, 0)[SOCKET_NETNS]), "a\033[31mb\nc[42]");
    ck_assert_str_eq(rows_text(&rig.rows, rows_at(&rig.rows, 1)[SOCKET_NETNS]), "host");
    rig_remove(&rig, "proc/42");
    look();
    WRITE("proc/1/net/udp", { 514, 77, 0, 8 });
    look();
    ck_assert_uint_eq(rig.rows.n, 1);
    ck_assert_int_eq(before(514, SOCKET_DROPS), 5);
}
END_TEST

START_TEST(a_broken_file_is_told_and_the_rest_kept) {
    static const char broken[] = NAMES
            "  318: 0100007F:0202 00000000:0000 07 00000000:00000000 00:00000000 00000000   101  "
            "      0 77 2 0000000000000000 5         \n  319: 0100007F:0203 000";
    rig_write(&rig, "proc/net/udp", broken, sizeof(broken) - 1);
    look();
    ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
    ck_assert_str_eq(rig.outcome.reason, "/proc/net/udp:3: a socket was expected");
    ck_assert_uint_eq(rig.rows.n, 1);
    rig_write(&rig, "proc/net/udp", "", 0);
    look();
    ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
    ck_assert_uint_eq(rig.rows.n, 0);
}
END_TEST

START_TEST(what_is_not_there_is_absent) {
    look();
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    ck_assert_uint_eq(rig.rows.n, 0);
    ck_assert_int_ne(rig.outcome.reason[0], '\0');
}
END_TEST

// The program came back: whether that helped is seen only if its new socket is.
START_TEST(who_takes_over_a_lossy_port_is_listed) {
    WRITE("proc/net/udp", { 514, 900, 0, 0 }, { 53, 901, 0, 0 });
    look();
    WRITE("proc/net/udp", { 514, 900, 0, 70 }, { 53, 901, 0, 0 });
    look();
    ck_assert_uint_eq(rig.rows.n, 1);
    WRITE("proc/net/udp", { 53, 901, 0, 0 });
    look();
    ck_assert_uint_eq(rig.rows.n, 0);
    WRITE("proc/net/udp", { 514, 950, 0, 0 }, { 53, 902, 0, 0 });
    look();
    ck_assert_uint_eq(rig.rows.n, 1);
    ck_assert_int_eq(rows_at(&rig.rows, 0)[SOCKET_INODE], 950);
    for (int i = 0; i < 59; i++)
        look();
    ck_assert_uint_eq(rig.rows.n, 1);
    look();
    ck_assert_uint_eq(rig.rows.n, 0);
}
END_TEST

// All are wanted: the idle ones too.
START_TEST(every_socket_is_listed_where_it_is_asked_for) {
    rig.context.all_sockets = true;
    WRITE("proc/net/udp", { 514, 900, 0, 0 }, { 53, 901, 0, 0 });
    look();
    look();
    ck_assert_uint_eq(rig.rows.n, 2);
}
END_TEST

START_TEST(at_most_so_many_are_listed) {
    enum { N = 3000 };
    static struct socket_line lines[N];
    for (unsigned i = 0; i < N; i++)
        lines[i] = (struct socket_line){ i + 1, i + 1000, 0, 1 };
    write_udp("proc/net/udp", lines, N);
    look();
    for (unsigned i = 0; i < N; i++)
        lines[i].drops += i % 7;
    write_udp("proc/net/udp", lines, N);
    look();
    ck_assert_uint_eq(rig.rows.n, 1024);
    // 428 sockets lost 6, 428 lost 5; of those that lost 4 some had no room.
    for (unsigned i = 0; i < N; i++)
        if (i % 7 >= 5)
            ck_assert_int_ge(row_of(i + 1), 0);
        else if (i % 7 < 4)
            ck_assert_int_eq(row_of(i + 1), -1);
    ck_assert_msg(strstr(rig.outcome.reason, "1024 sockets are listed: left out are"), "%s", rig.outcome.reason);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
}
END_TEST

// --- dense looks

static void peek(void) {
    socket_collector.peek(&rig.context, rig.state);
}

START_TEST(dense_looks_see_what_lies_between) {
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 0 });
    look();
    peek(); // nothing loses
    WRITE("proc/net/udp", { 514, 77, 0, 6 }, { 53, 78, 0, 0 });
    look();
    ck_assert_int_eq(value(514, SOCKET_LOOKS), 1);
    WRITE("proc/net/udp", { 514, 77, 90000, 7 }, { 53, 78, 90000, 3 });
    peek();
    WRITE("proc/net/udp", { 514, 77, 70000, 7 }, { 53, 78, 0, 3 });
    peek();
    WRITE("proc/net/udp", { 514, 77, 0, 7 }, { 53, 78, 0, 3 });
    peek();
    look();
    ck_assert_int_eq(value(514, SOCKET_LOOKS), 5);
    ck_assert_int_eq(before(514, SOCKET_LOOKS), 1);
    ck_assert_int_eq(value(514, SOCKET_LOOKS_EMPTY), 3);
    ck_assert_int_eq(value(514, SOCKET_LOOKS_FULL), 1);
    ck_assert_int_eq(value(514, SOCKET_QUEUE_PEAK), 90000);
    ck_assert_int_eq(value(53, SOCKET_LOOKS), 1); // it lost nothing until now
    look();
    ck_assert_int_eq(value(514, SOCKET_QUEUE_PEAK), 0);
    rig_remove(&rig, "proc/net");
    peek();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("sockets of a directory");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, one_look_shows_who_ever_lost);
    tcase_add_test(tcase, later_looks_show_who_loses);
    tcase_add_test(tcase, an_inode_that_is_used_again_is_another_socket);
    tcase_add_test(tcase, growth_is_exact);
    tcase_add_test(tcase, the_files_of_ipv6_and_udp_lite_count_too);
    tcase_add_test(tcase, groups_share_an_address);
    tcase_add_test(tcase, other_namespaces_have_their_own);
    tcase_add_test(tcase, a_broken_file_is_told_and_the_rest_kept);
    tcase_add_test(tcase, what_is_not_there_is_absent);
    tcase_add_test(tcase, at_most_so_many_are_listed);
    tcase_add_test(tcase, who_takes_over_a_lossy_port_is_listed);
    tcase_add_test(tcase, every_socket_is_listed_where_it_is_asked_for);
    tcase_add_test(tcase, dense_looks_see_what_lies_between);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
