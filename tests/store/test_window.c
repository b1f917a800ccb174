// SPDX-License-Identifier: GPL-2.0-or-later
// Window suite
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../suite.h"
#include "fixture.h"

#define MINUTE_MS 60000

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

static struct window look(int64_t start_ms, int64_t end_ms) {
    struct window window = { 0 };
    int r = window_open(store, WINDOW_HISTORY, start_ms, end_ms, &window);
    ck_assert_msg(r == 0, "window_open: %d %s", r, r < 0 ? store_error(store) : "");
    return window;
}

static void step_with(int64_t end_ms, int64_t length_ms, unsigned flags, cell lost, cell level) {
    struct step *step = new_step(end_ms, length_ms);
    step->flags = flags;
    add_flow(step, "host", lost, lost, level, "up");
    write_step(store, step);
    step_free(step);
}

// Growth of three objects, one of which is often silent, over nearly four hours.
static void write_random(int n) {
    static const char *const states[] = { "up", "down", "dormant" };
    unsigned random = 1;
    for (int i = 1; i <= n; i++) {
        if (i % 5 == 1)
            ck_assert_int_eq(store_begin(store), 0);
        struct step *step = new_step(HOUR_MS + 1234 + i * 1000, 1000);
        for (int object = 0; object < 3; object++) {
            random = random * 1664525 + 1013904223;
            if (object == 2 && i % 59 != 0)
                continue;
            add_flow(step, object ? object == 1 ? "pod" : "quiet" : "host", random >> 20,
                    random >> 28 ? random >> 25 : CELL_NULL, (int) (random >> 16) - 30000,
                    states[(random >> 10) % 3]);
        }
        write_step(store, step);
        step_free(step);
        if (i == n)
            ck_assert_int_eq(store_roll_up(store), 0);
        if (i % 5 == 0 || i == n)
            ck_assert_int_eq(store_commit(store), 0);
    }
}

// The same from the stored steps alone, in the plainest words.
static void expect_sums(int64_t start_ms, int64_t end_ms) {
    char sql[1024], expected[2048];
    snprintf(sql, sizeof(sql),
            "SELECT netns, sum(lost), sum(\"drop\"), max(level), (SELECT level || ' ' || state FROM"
            " main.flow f JOIN main.step USING (step) WHERE f.netns = g.netns AND end_ms > %ld AND"
            " end_ms <= %ld ORDER BY step DESC LIMIT 1) FROM main.flow g JOIN main.step USING (step)"
            " WHERE end_ms > %ld AND end_ms <= %ld GROUP BY netns",
            (long) start_ms, (long) end_ms, (long) start_ms, (long) end_ms);
    strcpy(expected, ask(store_db(store), sql));
    expect(store,
            "SELECT netns, lost, \"drop\", level_max, level || ' ' || state FROM temp.flow"
            " WHERE netns IN (SELECT netns FROM flow_step)",
            expected);
    strcpy(expected, ask(store_db(store), "SELECT sum(lost), max(level_max) FROM temp.flow"));
    expect(store, "SELECT sum(lost), max(level_max) FROM flow_step", expected);
}

START_TEST(test_sums_are_those_of_the_steps) {
    write_random(13000);
    static const struct {
        int64_t start_s, end_s, steps;
    } windows[] = {
        { 0, 60, 58 },
        { 10, 11, 1 },
        { 100, 700, 600 },
        { 59, 3659, 3600 },
        { 3600, 7200, 3600 },
        { 3541, 7141, 3600 },
        { 9401, 13001, 3600 },
        { 12990, 99999, 12 },
    };
    for (size_t i = 0; i < sizeof(windows) / sizeof(windows[0]); i++) {
        int64_t start_ms = HOUR_MS + windows[i].start_s * 1000;
        int64_t end_ms = HOUR_MS + windows[i].end_s * 1000;
        struct window window = look(start_ms, end_ms);
        ck_assert_int_eq(window.steps, windows[i].steps);
        ck_assert(window.seconds == (double) window.steps);
        ck_assert_int_eq(window.gap_ms, 0);
        expect_sums(start_ms, end_ms);
    }
    // Whole minutes: the sums are taken from hours where these lie within.
    struct window window = look(HOUR_MS, HOUR_MS + 13000 * 1000);
    ck_assert_int_eq(window.steps, 217);
    expect_sums(HOUR_MS, HOUR_MS + 217 * MINUTE_MS);
    window = look(HOUR_MS + 55 * MINUTE_MS, HOUR_MS + 185 * MINUTE_MS);
    ck_assert_int_eq(window.steps, 130);
    ck_assert_int_eq(window.start_ms, HOUR_MS + 55 * MINUTE_MS - 1000 + 234);
    ck_assert_int_eq(window.end_ms, HOUR_MS + 185 * MINUTE_MS - 1000 + 234);
    expect_sums(HOUR_MS + 55 * MINUTE_MS, HOUR_MS + 185 * MINUTE_MS);
    // Minutes that are cut are in it whole.
    window = look(HOUR_MS + 55 * MINUTE_MS + 59999, HOUR_MS + 184 * MINUTE_MS + 1);
    ck_assert_int_eq(window.steps, 130);
}
END_TEST

START_TEST(test_days_are_seen_by_the_hour) {
    for (int i = 0; i < 3 * 24; i++) {
        int64_t begin_ms = HOUR_MS + i * INT64_C(3600000);
        write_seconds(store, begin_ms, 20);
        write_seconds(store, begin_ms + 1800000, 20);
    }
    struct window window = look(0, INT64_MAX);
    ck_assert_int_eq(window.steps, 72);
    expect(store, "SELECT lost, level, level_max FROM temp.flow", "2880|20|20");
    expect(store, "SELECT count(*), sum(lost), min(seconds) FROM flow_step", "72|2880|40.0");
    window = look(HOUR_MS + 3600000, HOUR_MS + 27 * INT64_C(3600000));
    ck_assert_int_eq(window.steps, 52);
    expect(store, "SELECT lost FROM temp.flow", "1040");
    expect(store, "SELECT count(*), sum(lost), sum(seconds) FROM flow_step", "52|1040|1040.0");
    // The rest was not observed.
    ck_assert_int_eq(window.gap_ms, window.end_ms - window.start_ms - 1040000);
}
END_TEST

START_TEST(test_what_is_forgotten_is_seen_by_the_minute) {
    write_seconds(store, HOUR_MS, 3000);
    struct retention retention = RETENTION_DEFAULT;
    retention.steps_s = 600;
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(store_maintain(store, &retention, HOUR_MS + 3000000), 0);
    expect(store, "SELECT count(*) FROM main.flow", "601");
    ck_assert_int_eq(look(HOUR_MS + 2500000, HOUR_MS + 3000000).steps, 500);
    ck_assert_int_eq(look(HOUR_MS + 900000, HOUR_MS + 1200000).steps, 5);
    expect(store, "SELECT lost FROM temp.flow", "300");
    expect(store, "SELECT count(*), sum(lost), max(level_max) FROM flow_step", "5|300|1199");
    retention.minutes_s = 600;
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(store_maintain(store, &retention, HOUR_MS + 3000000), 0);
    ck_assert_int_eq(look(HOUR_MS + 900000, HOUR_MS + 1200000).steps, 1);
    expect(store, "SELECT lost FROM temp.flow", "3000");
}
END_TEST

START_TEST(test_silent_objects_are_present) {
    struct step *step = new_step(HOUR_MS, 1000);
    add_flow(step, "gone", 8, 8, 8, "up");
    write_step(store, step);
    step_free(step);
    step = new_step(HOUR_MS + 100000, 100000);
    add_flow(step, "quiet", 9, CELL_NULL, 5, "down");
    add_flow(step, "new", 7, CELL_NULL, 5, "down");
    rows_at(&step->growth[FLOW], 1)[2] = CELL_NULL; // its first look
    write_step(store, step);
    step_free(step);
    write_seconds(store, HOUR_MS + 150000, 10);
    look(HOUR_MS + 150000, HOUR_MS + 160000);
    expect(store, "SELECT netns, lost, \"drop\", level, level_max, state FROM temp.flow",
            "host|10|0|10|10|up\nnew|0|0|5|5|down\nquiet|0|0|5|5|down");
    expect(store, "SELECT count(*), count(DISTINCT netns) FROM flow_step", "10|1");
    // By the minute, too: its steps are gone but for the newest.
    ck_assert_int_eq(store_maintain(store, &(struct retention){ 1, 86400, 86400, 8 << 20 },
                             HOUR_MS + 9999999),
            0);
    look(HOUR_MS + 120000, HOUR_MS + 160000);
    expect(store, "SELECT netns, lost FROM temp.flow", "gone|0\nhost|10\nnew|0\nquiet|0");
}
END_TEST

START_TEST(test_totals_are_those_of_the_newest_look) {
    struct step *step = new_step(HOUR_MS, 1000);
    add_flow(step, "gone", 8, 8, 8, "up");
    write_step(store, step);
    step_free(step);
    write_seconds(store, HOUR_MS, 300);
    look(HOUR_MS - 1000, HOUR_MS + 1000);
    expect(store, "SELECT netns, lost FROM temp.flow", "gone|8\nhost|1");
    expect(store, "SELECT netns, lost, \"drop\", level FROM flow_total", "host|1000|2000|300");
}
END_TEST

START_TEST(test_a_first_look_is_no_step) {
    struct window window;
    step_with(HOUR_MS, 0, STEP_BASELINE, CELL_NULL, 3);
    ck_assert_int_eq(window_open(store, WINDOW_LIVE, 0, INT64_MAX, &window), 1);
    struct step *step = new_step(HOUR_MS + 1000, 1000);
    write_step(store, step); // no news
    step_free(step);
    ck_assert_int_eq(window_open(store, WINDOW_LIVE, 0, INT64_MAX, &window), 0);
    ck_assert_int_eq(window.steps, 1);
    ck_assert(window.seconds == 1.0);
    expect(store, "SELECT netns, lost, level, level_max FROM temp.flow", "host|0|3|3");
    expect(store, "SELECT count(*) FROM flow_step", "0");
    expect(store, "SELECT kind, steps, seconds FROM window", "live|1|1.0");
    // One in between, of a daemon that knew nothing from before.
    step_with(HOUR_MS + 2000, 0, STEP_BASELINE, CELL_NULL, 4);
    step_with(HOUR_MS + 3000, 1000, 0, 2, 5);
    window = look(HOUR_MS, HOUR_MS + 3000);
    ck_assert_int_eq(window.steps, 2);
    expect(store, "SELECT count(*), sum(lost) FROM flow_step", "1|2");
    expect(store, "SELECT lost, level_max FROM temp.flow", "2|5");
}
END_TEST

START_TEST(test_gaps_are_told) {
    step_with(HOUR_MS + 1000, 1000, 0, 1, 1);
    step_with(HOUR_MS + 31000, 30000, STEP_GAP, 100, 1);
    step_with(HOUR_MS + 32000, 1000, 0, 1, 1);
    step_with(HOUR_MS + 40000, 1000, 0, 1, 1);               // seven seconds are missing
    step_with(HOUR_MS + 50000, 10000, STEP_SUSPENDED, 1, 1); // nothing can have happened
    step_with(HOUR_MS + 80000, 1000, STEP_TIME_JUMP, 1, 1);  // nothing is missing
    step_with(HOUR_MS + 81003, 1000, 0, 1, 1);               // a rounded clock
    struct window window = look(HOUR_MS, HOUR_MS + 90000);
    ck_assert_int_eq(window.steps, 7);
    ck_assert_int_eq(window.gap_ms, 30000 + 7000);
    expect(store, "SELECT gap_ms, seconds FROM window", "37000|45.0");
    // A gap that began before the window.
    window = look(HOUR_MS + 20000, HOUR_MS + 32000);
    ck_assert_int_eq(window.steps, 2);
    ck_assert_int_eq(window.start_ms, HOUR_MS + 1000);
    ck_assert_int_eq(window.gap_ms, 30000);
    expect(store, "SELECT lost FROM temp.flow", "101");
}
END_TEST

START_TEST(test_the_clock_is_set_back_within) {
    write_seconds(store, HOUR_MS, 600);
    write_seconds(store, HOUR_MS + 300000, 600);
    // Wall clock 400 to 700 s: the end of the first part and the middle of the second.
    struct window window = look(HOUR_MS + 400000, HOUR_MS + 700000);
    ck_assert_int_eq(window.steps, 500);
    expect(store, "SELECT lost FROM temp.flow", "500");
    expect(store, "SELECT count(*), sum(lost) FROM flow_step", "500|500");
    expect(store, "SELECT count(*) FROM step", "500");
    window = look(HOUR_MS, HOUR_MS + 900000);
    ck_assert_int_eq(window.steps, 1200);
    expect(store, "SELECT lost FROM temp.flow", "1200");
    expect(store, "SELECT count(*) FROM flow_step", "1200");
}
END_TEST

START_TEST(test_one_look_since_boot) {
    store_close(store);
    store = open_store(NULL, STORE_MEMORY);
    step_with(HOUR_MS, INT64_C(86400000) * 40, STEP_SINCE_BOOT, 9, 1);
    struct window window = { 0 };
    ck_assert_int_eq(window_open(store, WINDOW_SINCE_BOOT, 0, INT64_MAX, &window), 0);
    ck_assert_int_eq(window.steps, 1);
    ck_assert_int_eq(window.start_ms, HOUR_MS - INT64_C(86400000) * 40);
    expect(store, "SELECT kind, seconds FROM window", "since-boot|3456000.0");
    expect(store, "SELECT step, start_ms, end_ms, seconds, flags FROM step",
            "1|1796544000000|1800000000000|3456000.0|16");
    expect(store, "SELECT lost FROM flow", "9");
    expect(store, "SELECT seconds, lost FROM flow_step", "3456000.0|9");
}
END_TEST

START_TEST(test_no_step) {
    struct window window;
    ck_assert_int_eq(window_open(store, WINDOW_HISTORY, 0, INT64_MAX, &window), 1);
    write_seconds(store, HOUR_MS, 10);
    ck_assert_int_eq(window_open(store, WINDOW_HISTORY, 0, HOUR_MS, &window), 1);
    ck_assert_int_eq(window_open(store, WINDOW_HISTORY, HOUR_MS + 10000, INT64_MAX, &window), 1);
    ck_assert_int_eq(window_open(store, WINDOW_HISTORY, INT64_MAX, 0, &window), 1);
    ck_assert_int_eq(look(HOUR_MS + 9999, INT64_MAX).steps, 1);
}
END_TEST

START_TEST(test_steps_not_yet_committed_are_seen) {
    ck_assert_int_eq(store_begin(store), 0);
    for (int i = 0; i < 200; i++)
        step_with(HOUR_MS + i * 1000, 1000, 0, 1, i);
    look(HOUR_MS - 1000, HOUR_MS + 200000);
    expect(store, "SELECT lost, level FROM temp.flow", "200|199");
    step_with(HOUR_MS + 200000, 1000, 0, 1, 200);
    ck_assert_int_eq(store_roll_up(store), 0);
    ck_assert_int_eq(store_commit(store), 0);
    expect(store, "SELECT sum(lost) FROM flow_minute", "201");
    expect(store, "SELECT lost FROM flow_hour", "201");
}
END_TEST

// A reader in the middle of a window sees one state, whatever is written meanwhile.
START_TEST(test_prepared_queries_stay_valid) {
    write_seconds(store, HOUR_MS, 100);
    look(HOUR_MS, HOUR_MS + 50000);
    sqlite3_stmt *statement = NULL;
    sqlite3_prepare_v2(store_db(store),
            "SELECT (SELECT lost FROM flow), (SELECT sum(lost) FROM flow_step)", -1, &statement,
            NULL);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(statement, 0), 50);
    sqlite3_reset(statement);
    look(HOUR_MS, HOUR_MS + 70000);
    ck_assert_int_eq(sqlite3_step(statement), SQLITE_ROW);
    ck_assert_int_eq(sqlite3_column_int(statement, 0), 70);
    ck_assert_int_eq(sqlite3_column_int(statement, 1), 70);
    ck_assert_int_eq(sqlite3_stmt_status(statement, SQLITE_STMTSTATUS_REPREPARE, 0), 0);
    sqlite3_finalize(statement);
}
END_TEST

START_TEST(test_step_views_are_merged_into_queries) {
    static const char *const queries[] = {
        "SELECT sum(lost) FROM flow_step",
        "SELECT count(*), sum(f.lost) FROM step LEFT JOIN flow_step f USING (step)",
        "SELECT sum(f.lost) FROM flow_step f JOIN flow_step g USING (step, netns) WHERE g.level > 3",
    };
    write_seconds(store, HOUR_MS, 100);
    look(HOUR_MS, HOUR_MS + 100000);
    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        char sql[256];
        snprintf(sql, sizeof(sql), "EXPLAIN QUERY PLAN %s", queries[i]);
        const char *plan = ask(store_db(store), sql);
        ck_assert_msg(!strstr(plan, "MATERIALIZE") && !strstr(plan, "CO-ROUTINE") &&
                              strstr(plan, "SEARCH t USING PRIMARY KEY"),
                "%s", plan);
    }
}
END_TEST

// The printed SQL makes the same window in plain SQLite.
START_TEST(test_printed_sql_makes_the_window) {
    static const char all[] = "SELECT * FROM temp.flow UNION ALL SELECT step, NULL, lost, \"drop\","
                              " level, state, seconds FROM flow_step";
    static const char rest[] = "SELECT * FROM window JOIN step JOIN flow_total";
    write_random(8000);
    for (int i = 0; i < 3; i++) {
        struct window window = look(HOUR_MS + 7000000, HOUR_MS + 7020000 + i * INT64_C(4000000));
        if (i == 2)
            window = look(HOUR_MS + 1000, HOUR_MS + INT64_C(8000000));
        char *text = NULL, expected[2][4096];
        size_t length;
        FILE *out = open_memstream(&text, &length);
        ck_assert_int_eq(window_print_sql(store, &window, out), 0);
        fclose(out);
        sqlite3 *db = NULL;
        char *error = NULL;
        ck_assert_int_eq(sqlite3_open_v2(fixture.path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
        ck_assert_msg(sqlite3_exec(db, text, NULL, NULL, &error) == SQLITE_OK, "%s", error);
        char limited[2][256];
        snprintf(limited[0], sizeof(limited[0]), "SELECT * FROM (%s) LIMIT 40", all);
        snprintf(limited[1], sizeof(limited[1]), "SELECT * FROM (%s) LIMIT 20", rest);
        for (int q = 0; q < 2; q++) {
            strcpy(expected[q], ask(store_db(store), limited[q]));
            ck_assert_uint_gt(strlen(expected[q]), 100);
            ck_assert_str_eq(ask(db, limited[q]), expected[q]);
        }
        sqlite3_close(db);
        free(text);
        window.start_ms++;
        ck_assert_int_lt(window_print_sql(store, &window, stderr), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("window");
    TCase *tcase = tcase_create("window");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_sums_are_those_of_the_steps);
    tcase_add_test(tcase, test_days_are_seen_by_the_hour);
    tcase_add_test(tcase, test_what_is_forgotten_is_seen_by_the_minute);
    tcase_add_test(tcase, test_silent_objects_are_present);
    tcase_add_test(tcase, test_totals_are_those_of_the_newest_look);
    tcase_add_test(tcase, test_a_first_look_is_no_step);
    tcase_add_test(tcase, test_gaps_are_told);
    tcase_add_test(tcase, test_the_clock_is_set_back_within);
    tcase_add_test(tcase, test_one_look_since_boot);
    tcase_add_test(tcase, test_no_step);
    tcase_add_test(tcase, test_steps_not_yet_committed_are_seen);
    tcase_add_test(tcase, test_prepared_queries_stay_valid);
    tcase_add_test(tcase, test_step_views_are_merged_into_queries);
    tcase_add_test(tcase, test_printed_sql_makes_the_window);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
