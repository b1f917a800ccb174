// SPDX-License-Identifier: GPL-2.0-or-later
// Turns of namespaces
#include <stdio.h>
#include <string.h>

#include "collectors/list.h"
#include "tests/collectors/rig.h"

enum { N_OTHERS = 20, FIRST_PID = 100, STEP_MS = 1000 };

static struct rig rig;
static int64_t now_ms;

static void write_file(int pid, const char *file, const char *text) {
    char path[64];
    snprintf(path, sizeof(path), "proc/%d/net/%s", pid, file);
    rig_write(&rig, path, text, strlen(text));
}

static void add_namespace(int pid) {
    char path[64], target[32];
    snprintf(path, sizeof(path), "proc/%d/ns/net", pid);
    snprintf(target, sizeof(target), "net:[%d]", 4000 + pid);
    rig_link(&rig, path, target);
    write_file(pid, "snmp", "Udp: InDatagrams NoPorts\nUdp: 5 6\n");
    write_file(pid, "sockstat", "UDP: inuse 3 mem 1\n");
}

static void start(const struct collector *collector) {
    now_ms = 1000000;
    rig_start_empty(&rig, collector);
    add_namespace(1);
    for (int i = 0; i < N_OTHERS; i++)
        add_namespace(FIRST_PID + i);
}

// Each namespace seems to cost a millisecond.
static void look(bool all) {
    struct netns_turns *turns = &rig.netns.turns[NETNS_COUNTERS];
    turns->spent_us = (int64_t) turns->n_due * 1000;
    now_ms += STEP_MS;
    ck_assert_int_eq(netns_list_discover(&rig.netns), 0);
    netns_turns_begin(&rig.netns, NETNS_COUNTERS, now_ms, all);
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_str_eq(rows_text(&rig.rows, rows_at(&rig.rows, 0)[0]), "host");
}

static int pid_of(size_t row) {
    int column = table_column(rig.collector->table, "netns_pid");
    return (int) rows_at(&rig.rows, row)[column];
}

START_TEST(all_are_read_where_they_fit) {
    start(&snmp_collector);
    for (int i = 0; i < 5; i++) {
        look(false);
        ck_assert_uint_eq(rig.rows.n, 1 + N_OTHERS);
        ck_assert_str_eq(rig.outcome.reason, "");
    }
    rig_stop(&rig);
}
END_TEST

START_TEST(else_each_is_read_in_turn) {
    unsigned reads[N_OTHERS] = { 0 };
    start(&snmp_collector);
    rig.netns.turns[NETNS_COUNTERS].budget_us = 6500; // seven, begun ones included
    look(false);
    ck_assert_uint_eq(rig.rows.n, 1 + N_OTHERS); // all are new
    for (int i = 0; i < 20; i++) {
        look(false);
        ck_assert_uint_eq(rig.rows.n, 1 + 7);
        ck_assert(strstr(rig.outcome.reason, "20 namespaces: each is read every 3 looks"));
        for (size_t row = 1; row < rig.rows.n; row++)
            reads[pid_of(row) - FIRST_PID]++;
    }
    for (int i = 0; i < N_OTHERS; i++) // 7 each
        ck_assert(reads[i] >= 6 && reads[i] <= 8);
    look(true);
    ck_assert_uint_eq(rig.rows.n, 1 + N_OTHERS);
    ck_assert_str_eq(rig.outcome.reason, "");
    rig_stop(&rig);
}
END_TEST

START_TEST(those_that_lose_come_first) {
    char text[96];
    start(&snmp_collector);
    rig.netns.turns[NETNS_COUNTERS].budget_us = 3500;
    look(false);
    for (int i = 0, seen = 0; i < 30; i++) {
        snprintf(text, sizeof(text), "Udp: InDatagrams InErrors\nUdp: 5 %d\n", i + 1);
        write_file(FIRST_PID + 4, "snmp", text);
        look(false);
        ck_assert_uint_eq(rig.rows.n, 1 + 4);
        bool read = false;
        for (size_t row = 1; row < rig.rows.n; row++)
            read |= pid_of(row) == FIRST_PID + 4;
        ck_assert(read || !seen); // once its loss was seen
        seen |= read;
        ck_assert(seen || i < N_OTHERS / 4);
    }
    rig_stop(&rig);
}
END_TEST

START_TEST(a_round_takes_no_longer_than_it_may) {
    int64_t read_ms[N_OTHERS] = { 0 };
    start(&snmp_collector);
    rig.netns.turns[NETNS_COUNTERS].budget_us = 0;
    for (int i = 0; i < 200; i++) {
        look(false);
        for (size_t row = 1; row < rig.rows.n; row++)
            read_ms[pid_of(row) - FIRST_PID] = now_ms;
        for (int k = 0; k < N_OTHERS; k++)
            ck_assert_int_le(now_ms - read_ms[k], NETNS_ROUND_MS);
    }
    rig_stop(&rig);
}
END_TEST

START_TEST(namespaces_may_come_and_go) {
    start(&snmp_collector);
    rig.netns.turns[NETNS_COUNTERS].budget_us = 2500;
    look(false);
    for (int i = 0; i < 30; i++) {
        char path[64];
        snprintf(path, sizeof(path), "proc/%d", FIRST_PID + i);
        rig_remove(&rig, path);
        add_namespace(FIRST_PID + N_OTHERS + i);
        look(false);
        ck_assert_int_eq(pid_of(rig.rows.n - 1), FIRST_PID + N_OTHERS + i); // the new one
        ck_assert_uint_le(rig.rows.n, 1 + 3);
    }
    rig_stop(&rig);
}
END_TEST

START_TEST(sockets_in_use_are_kept) {
    start(&sockstat_collector);
    rig.netns.turns[NETNS_COUNTERS].budget_us = 2500;
    for (int i = 0; i < 4; i++)
        look(false);
    ck_assert_uint_eq(rig.rows.n, 1 + 3);
    for (size_t i = 0; i < rig.netns.n; i++)
        ck_assert_int_eq(rig.netns.items[i].in_use[NETNS_UDP], 3);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("turns of namespaces");
    TCase *tcase = tcase_create("turns");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, all_are_read_where_they_fit);
    tcase_add_test(tcase, else_each_is_read_in_turn);
    tcase_add_test(tcase, those_that_lose_come_first);
    tcase_add_test(tcase, a_round_takes_no_longer_than_it_may);
    tcase_add_test(tcase, namespaces_may_come_and_go);
    tcase_add_test(tcase, sockets_in_use_are_kept);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
