// SPDX-License-Identifier: GPL-2.0-or-later
// Rollup suite
//
// When minutes and hours are written, and that nothing is missing from them or counted twice.
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../suite.h"
#include "fixture.h"

#define MINUTE_MS 60000

static const char sums[] =
        "SELECT (SELECT sum(lost) FROM flow), (SELECT sum(lost) FROM flow_minute),"
        " (SELECT sum(lost) FROM flow_hour), (SELECT sum(length_ms) FROM"
        " step_minute), (SELECT sum(length_ms) FROM step_hour)";

static struct fixture fixture;
static struct store *store;

static void set_up(void) {
    fixture_make(&fixture);
    store = open_store(fixture.path, STORE_WRITE);
}

static void tear_down(void) {
    store = store_close(store);
    fixture_remove(&fixture);
}

static void second(int64_t end_ms) {
    struct step *step = new_step(end_ms, 1000);
    add_flow(step, "host", 1, 0, end_ms / 1000 % 60, "up");
    write_step(store, step);
    step_free(step);
}

static void seconds(int64_t after_ms, int n) {
    for (int i = 1; i <= n; i++)
        second(after_ms + i * 1000);
}

START_TEST(test_a_minute_is_written_when_it_is_over) {
    seconds(HOUR_MS, 59);
    expect(store, sums, "59|NULL|NULL|NULL|NULL");
    second(HOUR_MS + MINUTE_MS);
    expect(store, sums, "60|59|59|59000|59000");
    seconds(HOUR_MS + MINUTE_MS, 60);
    expect(store, sums, "120|119|119|119000|119000");
    expect(store, "SELECT lost, level, level_max FROM flow_minute", "59|59|59\n60|59|59");
}
END_TEST

START_TEST(test_a_minute_is_written_when_asked_for) {
    seconds(HOUR_MS, 10);
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, sums, "10|10|10|10000|10000");
    ck_assert_int_eq(store_roll_up(store), 0);
    // In the transaction of others, too.
    ck_assert_int_eq(store_begin(store), 0);
    seconds(HOUR_MS + 10000, 5);
    ck_assert_int_eq(store_roll_up(store), 0);
    seconds(HOUR_MS + 15000, 5);
    ck_assert_int_eq(store_commit(store), 0);
    expect(store, sums, "20|15|15|15000|15000");
    store = store_close(store);
    store = open_store(fixture.path, STORE_READ);
    expect(store, sums, "20|20|20|20000|20000");
}
END_TEST

START_TEST(test_a_rollback_takes_its_own_back) {
    seconds(HOUR_MS, 50);
    ck_assert_int_eq(store_begin(store), 0);
    seconds(HOUR_MS + 50000, 20); // which writes the minute
    expect(store, sums, "70|59|59|59000|59000");
    ck_assert_int_eq(store_rollback(store), 0);
    expect(store, sums, "50|NULL|NULL|NULL|NULL");
    seconds(HOUR_MS + 50000, 20);
    expect(store, sums, "70|59|59|59000|59000");
    ck_assert_int_eq(store_begin(store), 0);
    seconds(HOUR_MS + 70000, 5);
    ck_assert_int_eq(store_rollback(store), 0);
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, sums, "70|70|70|70000|70000");
}
END_TEST

// What is pending when the program is killed is added up when the database is opened next.
START_TEST(test_a_kill_leaves_nothing_out) {
    store = store_close(store);
    for (int i = 0; i < 3; i++) {
        pid_t pid = fork();
        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            store = open_store(fixture.path, STORE_WRITE);
            seconds(HOUR_MS + i * 100000, 100);
            _exit(0); // without closing it
        }
        int status;
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
        store = open_store(fixture.path, STORE_READ);
        ck_assert_int_lt(
                atoi(ask(store_db(store), "SELECT sum(lost) FROM flow_minute")), (i + 1) * 100);
        store = store_close(store);
        store = open_store(fixture.path, STORE_WRITE);
        char expected[64];
        int n = (i + 1) * 100;
        snprintf(expected, sizeof(expected), "%d|%d|%d|%d000|%d000", n, n, n, n, n);
        expect(store, sums, expected);
        store = store_close(store);
    }
    store = open_store(fixture.path, STORE_WRITE);
    expect(store,
            "SELECT count(*) FROM flow_minute m WHERE (lost, level, level_max, state) IS NOT"
            " (SELECT sum(lost), level, max(level), 'up' FROM (SELECT * FROM flow JOIN step USING"
            " (step) WHERE end_ms / 60000 = m.step ORDER BY step DESC))",
            "0");
}
END_TEST

START_TEST(test_minutes_before_the_newest_do_not_wait) {
    seconds(HOUR_MS, 100);
    seconds(HOUR_MS - 10 * MINUTE_MS, 3);
    expect(store, sums, "103|103|103|103000|103000");
    // And are not counted again.
    store_close(store);
    store = open_store(fixture.path, STORE_WRITE);
    expect(store, sums, "103|103|103|103000|103000");
}
END_TEST

// One that rolled up with each commit, and says nothing of how far it came.
START_TEST(test_an_older_program_has_rolled_up_all) {
    seconds(HOUR_MS, 10);
    ck_assert_int_eq(store_roll_up(store), 0);
    ck_assert_int_eq(sqlite3_exec(store_db(store), "DELETE FROM meta WHERE key = 'rolled_step'",
                             NULL, NULL, NULL),
            SQLITE_OK);
    store_close(store);
    store = open_store(fixture.path, STORE_WRITE);
    expect(store, sums, "10|10|10|10000|10000");
    seconds(HOUR_MS + 10000, 60);
    expect(store, sums, "70|59|59|59000|59000");
    // It went on for some minutes.
    ck_assert_int_eq(store_roll_up(store), 0);
    ck_assert_int_eq(
            sqlite3_exec(store_db(store), "UPDATE meta SET value = 5 WHERE key = 'rolled_step'",
                    NULL, NULL, NULL),
            SQLITE_OK);
    store_close(store);
    store = open_store(fixture.path, STORE_WRITE);
    expect(store, "SELECT max(lost) FROM flow_minute", "59");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rollup");
    TCase *tcase = tcase_create("rollup");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, test_a_minute_is_written_when_it_is_over);
    tcase_add_test(tcase, test_a_minute_is_written_when_asked_for);
    tcase_add_test(tcase, test_a_rollback_takes_its_own_back);
    tcase_add_test(tcase, test_a_kill_leaves_nothing_out);
    tcase_add_test(tcase, test_minutes_before_the_newest_do_not_wait);
    tcase_add_test(tcase, test_an_older_program_has_rolled_up_all);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
