// SPDX-License-Identifier: GPL-2.0-or-later
// Store suite
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "fixture.h"

static struct fixture fixture;

static void set_up(void) {
    fixture_make(&fixture);
}

static void tear_down(void) {
    fixture_remove(&fixture);
}

START_TEST(test_a_step_is_stored_as_it_was) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    struct step *step = new_step(HOUR_MS + 1500, 1000);
    step->flags = STEP_GAP;
    add_flow(step, "host", 12431, 0, -7, "up");
    add_flow(step, "it's \"a\" box", CELL_NULL, INT64_C(1) << 40, CELL_NULL, NULL);
    add_part(step, "cpu", 3, 9);
    write_step(store, step);
    step_free(step);
    expect(store, "SELECT * FROM step", "1|1800000001500|1000|1");
    expect(store, "SELECT * FROM flow",
            "1|host|4026531840|12431|0|-7|up\n"
            "1|it's \"a\" box|4026531840|NULL|1099511627776|NULL|NULL");
    expect(store, "SELECT * FROM part", "1|cpu|3|9");
    expect(store, "SELECT * FROM part_last", "1|cpu|3|5000");
    store_close(store);
    // What is read is what was written, by another connection.
    store = open_store(fixture.path, STORE_READ);
    expect(store, "SELECT count(*), sum(lost) FROM flow", "2|12431");
    ck_assert_int_eq(store_begin(store), -EROFS);
    store_close(store);
}
END_TEST

START_TEST(test_minutes_and_hours_are_exact_sums) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    // Two hours and a bit, begun in the middle of a minute.
    write_seconds(store, HOUR_MS + 30500, 2 * 3600 + 95);
    expect(store, "SELECT sum(lost), max(level_max) FROM flow_minute", "7295|7295");
    expect(store, "SELECT sum(lost), max(level_max) FROM flow_hour", "7295|7295");
    expect(store,
            "SELECT count(*) FROM flow_minute m WHERE lost <> (SELECT sum(lost) FROM flow JOIN step"
            " USING (step) WHERE end_ms / 60000 = m.step)",
            "0");
    expect(store,
            "SELECT m.step - 30000000, lost, level, level_max, state, length_ms, gap_ms FROM"
            " flow_minute m JOIN step_minute USING (step) LIMIT 2",
            "0|29|29|29|up|29000|0\n1|60|89|89|up|60000|0");
    expect(store, "SELECT step, lost, level FROM flow_hour",
            "500000|3569|3569\n500001|3600|7169\n500002|126|7295");
    store_close(store);
}
END_TEST

START_TEST(test_unknown_growth_adds_nothing) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    static const cell lost[] = { CELL_NULL, 5, CELL_NULL, 7 };
    static const cell level[] = { 9, CELL_NULL, 4, CELL_NULL };
    for (int i = 0; i < 4; i++) {
        struct step *step = new_step(HOUR_MS + 1000 * i, 1000);
        add_flow(step, "host", lost[i], CELL_NULL, level[i], "up");
        write_step(store, step); // each in a transaction of its own
        step_free(step);
    }
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, "SELECT lost, \"drop\", level, level_max FROM flow_minute", "12|NULL|NULL|9");
    expect(store, "SELECT lost, \"drop\", level, level_max FROM flow_hour", "12|NULL|NULL|9");
    store_close(store);
}
END_TEST

START_TEST(test_the_clock_is_set_back) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 600);
    write_seconds(store, HOUR_MS, 600);
    expect(store, "SELECT count(*), sum(lost) FROM flow", "1200|1200");
    expect(store, "SELECT count(*), sum(lost) FROM flow_minute", "11|1200");
    expect(store, "SELECT length_ms FROM step_minute LIMIT 1 OFFSET 1", "120000");
    store_close(store);
    // And before 1970.
    store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, -90000, 100);
    expect(store, "SELECT step, lost FROM flow_minute LIMIT 3", "-2|29\n-1|60\n0|11");
    expect(store, "SELECT step, lost FROM flow_hour LIMIT 2", "-1|89\n0|11");
    store_close(store);
}
END_TEST

START_TEST(test_a_rollback_leaves_nothing) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 3);
    ck_assert_int_eq(store_begin(store), 0);
    struct step *step = new_step(HOUR_MS + 60000, 1000);
    add_flow(step, "other", 1, 1, 1, "up");
    step->outcome[PART].state = OUTCOME_ABSENT;
    write_step(store, step);
    ck_assert_int_eq(store_rollback(store), 0);
    ck_assert_int_eq(store_rollback(store), 0);
    static const char all[] = "SELECT (SELECT count(*) FROM step), (SELECT count(*) FROM flow),"
                              " (SELECT sum(lost) FROM flow_minute), (SELECT count(*) FROM"
                              " flow_last), (SELECT state FROM outcome WHERE table_name = 'part')";
    expect(store, all, "3|3|3|1|ok");
    write_step(store, step);
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, all, "4|4|4|2|absent");
    expect(store, "SELECT max(step) FROM step", "4");
    step_free(step);
    store_close(store);
}
END_TEST

START_TEST(test_a_repeated_object_costs_no_step) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    struct step *step = new_step(HOUR_MS, 1000);
    add_part(step, "cpu", 0, 1);
    add_part(step, "cpu", 0, 2);
    add_part(step, NULL, CELL_NULL, 3);
    write_step(store, step);
    step_free(step);
    expect(store, "SELECT name, number, count FROM part", "|0|3\ncpu|0|2");
    store_close(store);
}
END_TEST

START_TEST(test_outcomes_are_written_when_they_change) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    static const char all[] = "SELECT table_name, state, reason, cost_us, at_ms - 1800000000000"
                              " FROM outcome";
    for (int i = 0; i < 120; i++) {
        struct step *step = new_step(HOUR_MS + 1000 * (i + 1), 1000);
        step->outcome[FLOW].cost_us = 100 + i;
        step->outcome[PART].state = i % 10 ? OUTCOME_NOT_DUE : OUTCOME_OK;
        if (i == 30)
            outcome_set(&step->outcome[PART], OUTCOME_DENIED, "needs %s", "CAP_NET_ADMIN");
        if (i > 30)
            step->outcome[PART].state = OUTCOME_NOT_DUE;
        write_step(store, step);
        step_free(step);
        if (i == 40)
            expect(store, all, "flow|ok||100|1000\npart|denied|needs CAP_NET_ADMIN|0|31000");
    }
    expect(store, all, "flow|ok||160|61000\npart|denied|needs CAP_NET_ADMIN|0|31000");
    store_close(store);
}
END_TEST

START_TEST(test_last_values_are_those_of_present_objects) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    struct rows rows;
    int64_t wall_ms = 1, boottime_ms = 1;
    rows_init(&rows, &flow_table);
    ck_assert_int_eq(store_last_time(store, &wall_ms, &boottime_ms), 0);
    ck_assert_int_eq(wall_ms, 0);
    ck_assert_int_eq(store_last(store, FLOW, &rows), 0);
    ck_assert_uint_eq(rows.n, 0);
    struct step *step = new_step(HOUR_MS, 1000);
    add_flow(step, "gone", 1, 1, 1, "up");
    add_flow(step, "host", 1, CELL_NULL, 1, "up");
    rows_at(&step->total[FLOW], 1)[3] = CELL_NULL;
    write_step(store, step);
    step_free(step);
    write_seconds(store, HOUR_MS, 200);
    store_close(store);

    store = open_store(fixture.path, STORE_WRITE);
    ck_assert_int_eq(store_last(store, FLOW, &rows), 0);
    ck_assert_uint_eq(rows.n, 1);
    cell *row = rows_at(&rows, 0);
    ck_assert_str_eq(rows_text(&rows, row[0]), "host");
    ck_assert_int_eq(row[1], 4026531840);
    ck_assert_int_eq(row[2], 1000);
    ck_assert_int_eq(row[4], 200);
    ck_assert_str_eq(rows_text(&rows, row[5]), "up");
    ck_assert_int_eq(store_last_time(store, &wall_ms, &boottime_ms), 0);
    ck_assert_int_eq(wall_ms, HOUR_MS + 200000);
    ck_assert_int_eq(boottime_ms, 7200000 + 200000);
    rows_done(&rows);
    store_close(store);
}
END_TEST

START_TEST(test_meta) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    char value[16] = "as before";
    ck_assert_int_eq(store_get_meta(store, "host", value, sizeof(value)), 1);
    ck_assert_str_eq(value, "as before");
    ck_assert_int_eq(store_set_meta(store, "host", "a"), 0);
    ck_assert_int_eq(store_set_meta(store, "host", "a name that is cut"), 0);
    ck_assert_int_eq(store_get_meta(store, "host", value, sizeof(value)), 0);
    ck_assert_str_eq(value, "a name that is ");
    store_close(store);
}
END_TEST

START_TEST(test_memory_keeps_steps_only) {
    struct store *store = open_store(NULL, STORE_MEMORY);
    write_seconds(store, HOUR_MS, 4000);
    expect(store, "SELECT count(*), sum(lost) FROM flow", "4000|4000");
    expect(store, "SELECT count(*) FROM sqlite_schema WHERE name = 'flow_minute'", "0");
    struct retention retention = { 60, 60, 60, 8 << 20 };
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(store_maintain(store, &retention, HOUR_MS + 4000000), 0);
    expect(store, "SELECT count(*), min(step) FROM flow", "181|3820");
    store_close(store);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("store");
    TCase *tcase = tcase_create("store");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, test_a_step_is_stored_as_it_was);
    tcase_add_test(tcase, test_minutes_and_hours_are_exact_sums);
    tcase_add_test(tcase, test_unknown_growth_adds_nothing);
    tcase_add_test(tcase, test_the_clock_is_set_back);
    tcase_add_test(tcase, test_a_rollback_leaves_nothing);
    tcase_add_test(tcase, test_a_repeated_object_costs_no_step);
    tcase_add_test(tcase, test_outcomes_are_written_when_they_change);
    tcase_add_test(tcase, test_last_values_are_those_of_present_objects);
    tcase_add_test(tcase, test_meta);
    tcase_add_test(tcase, test_memory_keeps_steps_only);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
