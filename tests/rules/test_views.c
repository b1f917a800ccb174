// SPDX-License-Identifier: GPL-2.0-or-later
// Shared views
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"
#include "tests/rules/fixture.h"

#define N(array) (sizeof(array) / sizeof(array[0]))

static const struct rule_source two_views = { "views",
    "-- SPDX-License-Identifier: GPL-2.0-or-later\n-- # what this is; and more\n\n"
    "-- view lossy\nSELECT netns, datagrams FROM ledger WHERE locus = 'socket-queue';\n"
    "-- # builds on the first\n"
    "-- view most\nSELECT netns, MAX(datagrams) AS most FROM lossy\n" };
static const struct rule_source asking = { "asking",
    "-- rule asking\n-- kind note\n-- needs snmp\n-- text {netns} lost {most} of {rows}\n"
    "SELECT netns, most, (SELECT COUNT(*) FROM lossy) AS rows FROM most WHERE most > 0\n" };

#define LOSS                                                                                       \
    "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors)"                           \
    " VALUES (1, 'host', 5, 10), (2, 'box', 5, 30);"

START_TEST(rules_ask_them_like_tables) {
    const struct rule_source rules[] = { asking, two_views };
    struct verdict *v = fixture_judge(LOSS, rules, N(rules));
    ck_assert_str_eq(fixture_remark(v->notes, v->n_notes, "asking"), "box lost 30 of 2");
    verdict_free(v);
}
END_TEST

// Made anew for each judgement, also where another level of the history changes what they ask.
START_TEST(have_nothing_left_from_the_judgement_before) {
    const struct rule_source sources[] = { fixture_ledger, two_views, asking };
    struct rule_set *set;
    struct store *store;
    struct window window;
    char *error;
    ck_assert_int_eq(rule_set_new(sources, N(sources), true, NULL, fixture_tables, n_fixture_tables,
                             stderr, &set),
            0);
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, fixture_tables, n_fixture_tables, &store, &error), 0);
    ck_assert_int_eq(
            sqlite3_exec(store_db(store),
                    "INSERT INTO main.step(step, end_ms, length_ms, flags) VALUES (1, 1000, 1000, 0), (2, 2000, 1000, 0);"
                    "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors) VALUES (1, 'host', 5, 7), (2, 'host', 5, 0);",
                    NULL, NULL, NULL),
            SQLITE_OK);
    for (int i = 0; i < 4; i++) {
        struct verdict *v;
        bool lossy = i % 2 == 0;
        ck_assert_int_eq(
                window_open(store, WINDOW_LIVE, lossy ? 0 : 1000, lossy ? 1000 : 2000, &window), 0);
        ck_assert_int_eq(rules_judge(set, store, &window, "host", "kernel", &v), 0);
        const char *note = fixture_remark(v->notes, v->n_notes, "asking");
        ck_assert_msg(lossy ? note && strcmp(note, "host lost 7 of 1") == 0 : !note, "%s", note);
        verdict_free(v);
    }
    rules_free(set);
    store_close(store);
}
END_TEST

// A view whose condition does not hold is asked like one without rows, and filled when it does.
static const struct rule_source conditional_views = { "views",
    "-- view lossy\n-- when EXISTS (SELECT 1 FROM ledger)\n-- columns netns datagrams\n"
    "SELECT netns, datagrams FROM ledger WHERE locus = 'socket-queue';\n"
    "-- view most\nSELECT netns, MAX(datagrams) AS most FROM lossy\n" };
static const struct rule_source counting = { "asking",
    "-- rule asking\n-- kind note\n-- needs snmp\n-- text {rows} rows, most {most}\n"
    "SELECT (SELECT COUNT(*) FROM lossy) AS rows, COALESCE(most, 0) AS most FROM most\n" };

START_TEST(have_no_rows_without_their_condition) {
    const struct rule_source sources[] = { fixture_ledger, conditional_views, counting };
    struct rule_set *set;
    struct store *store;
    struct window window;
    char *error;
    ck_assert_int_eq(rule_set_new(sources, N(sources), true, NULL, fixture_tables, n_fixture_tables,
                             stderr, &set),
            0);
    ck_assert_int_eq(
            store_open(NULL, STORE_MEMORY, fixture_tables, n_fixture_tables, &store, &error), 0);
    ck_assert_int_eq(
            sqlite3_exec(store_db(store),
                    "INSERT INTO main.step(step, end_ms, length_ms, flags) VALUES (1, 1000, 1000, 0), (2, 2000, 1000, 0);"
                    "INSERT INTO snmp(step, netns, udp_in_datagrams, udp_rcvbuf_errors) VALUES (1, 'host', 5, 7), (2, 'host', 5, 0);",
                    NULL, NULL, NULL),
            SQLITE_OK);
    for (int i = 0; i < 6; i++) {
        static const bool lossy[] = { false, false, true, false, true, false };
        struct verdict *v;
        ck_assert_int_eq(window_open(store, WINDOW_LIVE, lossy[i] ? 0 : 1000,
                                 lossy[i] ? 1000 : 2000, &window),
                0);
        ck_assert_int_eq(rules_judge(set, store, &window, "host", "kernel", &v), 0);
        ck_assert_uint_eq(v->n_not_judged, 0);
        ck_assert_str_eq(fixture_remark(v->notes, v->n_notes, "asking"),
                lossy[i] ? "1 rows, most 7" : "0 rows, most 0");
        verdict_free(v);
    }
    rules_free(set);
    store_close(store);
}
END_TEST

START_TEST(are_named_for_those_who_copy_them) {
    const struct rule_source sources[] = { two_views, fixture_ledger };
    struct rule_set *set;
    ck_assert_int_eq(rule_set_new(sources, N(sources), false, NULL, fixture_tables,
                             n_fixture_tables, stderr, &set),
            0);
    static const char *const names[] = { "ledger", "loss_step", "lossy", "most" };
    for (size_t i = 0; i < N(names); i++)
        ck_assert_str_eq(rules_made_table(set, i), names[i]);
    ck_assert_ptr_null(rules_made_table(set, N(names)));
    rules_free(set);
}
END_TEST

static const struct {
    const char *text, *problem;
} mistakes[] = {
    { "-- view a\nSELECT moon FROM snmp\n", "views.sql (built in):2: a: no such column: moon\n" },
    { "-- view a\nSELECT 1 AS x;\n\n-- view b\nSELECT x FROM c\n",
            "views.sql (built in):5: b: no such table: c\n" },
    { "-- view a\nDELETE FROM snmp\n", "views.sql (built in):2: a: a rule may only SELECT\n" },
    { "-- view a\nSELECT * FROM main.snmp\n",
            "views.sql (built in):2: a: a rule may not read outside of the window: snmp\n" },
    { "-- view\nSELECT 1\n", "" }, // no section at all
    { "-- view a\n-- when EXISTS (SELECT 1 FROM moon)\n-- columns x\nSELECT 1 AS x\n",
            "views.sql (built in):4: a: when: no such table: moon\n" },
    { "-- view a\n-- when 1\nSELECT 1 AS x\n",
            "views.sql (built in):3: a: with 'when', its 'columns' are to be told\n" },
    { "-- view a\n-- when 1\n-- columns x y\nSELECT 1 AS x\n",
            "views.sql (built in):4: a: its columns are others than told\n" },
    { "-- view a\n-- when 1\n-- columns x\nSELECT 1 AS x, 2 AS y\n",
            "views.sql (built in):4: a: its columns are others than told\n" },
    { "-- view a\n-- moon b\nSELECT 1 AS x\n", "views.sql (built in):2: unknown word 'moon'\n" },
};

START_TEST(tell_their_mistakes) {
    const struct rule_source sources[] = { fixture_ledger, { "views", mistakes[_i].text } };
    struct rule_set *set;
    _cleanup_free_ char *problems = NULL;
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    ck_assert_int_eq(rule_set_new(sources, N(sources), true, NULL, fixture_tables, n_fixture_tables,
                             out, &set),
            0);
    fclose(out);
    ck_assert_str_eq(problems, mistakes[_i].problem);
    rules_free(set);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("views");
    TCase *tcase = tcase_create("views");
    tcase_add_test(tcase, rules_ask_them_like_tables);
    tcase_add_test(tcase, have_nothing_left_from_the_judgement_before);
    tcase_add_test(tcase, have_no_rows_without_their_condition);
    tcase_add_test(tcase, are_named_for_those_who_copy_them);
    tcase_add_loop_test(tcase, tell_their_mistakes, 0, N(mistakes));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
