// SPDX-License-Identifier: GPL-2.0-or-later
// Checks of rule files
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"
#include "tests/rules/fixture.h"

// Each line of a good rule, by number; a test replaces one, and the problem must be found in that
// line.
static const char *const good[] = {
    "-- SPDX-License-Identifier: GPL-2.0-or-later",
    "-- rule sample",
    "-- kind cause",
    "-- explains socket-queue",
    "-- severity warning",
    "-- title The queue of {netns}",
    "-- needs snmp.udp_rcvbuf_errors mount",
    "-- param low = 10   for the test",
    "-- evidence lost datagrams {lost} of",
    "--          them",
    "-- do Do {lost} || sysctl -w x={lost} || sysctl -w x=1",
    "-- not Not {lost:raw}",
    "-- ruled-out none in {seconds}",
    "-- ref net/ipv4/udp.c",
    "SELECT netns, udp_rcvbuf_errors AS lost, 0.5 AS confidence",
    "FROM snmp",
    "WHERE udp_rcvbuf_errors > :low",
};
#define N_GOOD (sizeof(good) / sizeof(good[0]))

static const struct {
    int line;         // to be replaced
    const char *with; // NULL: left out
    const char *problem;
} mistakes[] = {
    { 1, "-- colour red", "sample.sql:1: unknown word 'colour'\n" },
    { 2, "-- rule other", "sample.sql:2: the rule is called 'other', its file 'sample.sql'\n" },
    { 2, NULL, "sample.sql:1: no '-- rule' line\n" },
    { 2, "-- rule", "sample.sql:2: 'rule' is incomplete\nsample.sql:1: no '-- rule' line\n" },
    { 3, "-- kind reason", "sample.sql:3: 'kind' cannot be 'reason'\n" },
    { 4, "-- explains moon", "sample.sql:4: the ledger has no locus 'moon'\n" },
    { 4, "-- explains -", "sample.sql:4: the ledger has no locus '-'\n" },
    { 4, "-- explains socket-queue moon", "sample.sql:4: the ledger has no locus 'moon'\n" },
    { 4, "-- explains socket-queue checksum",
            "sample.sql:15: a rule for several loci needs a column 'locus'\n" },
    { 5, "-- severity huge", "sample.sql:5: 'severity' cannot be 'huge'\n" },
    { 6, NULL, "sample.sql:1: no '-- title' line\n" },
    { 6, "-- title {nothing}", "sample.sql:6: no column for {nothing}\n" },
    { 6, "-- title {netns", "sample.sql:6: a single '{' (write '{{' for a plain one)\n" },
    { 6, "-- title {netns} }", "sample.sql:6: a single '}' (write '}}' for a plain one)\n" },
    { 7, "-- needs snmp.udp_moon", "sample.sql:7: no such table or column: snmp.udp_moon\n" },
    { 7, "-- needs moon", "sample.sql:7: no such table or column: moon\n" },
    { 8, "-- param high = 10 for the test", "sample.sql:17: no '-- param' line for :low\n" },
    { 8, "-- param low = ten for the test", "sample.sql:8: not a number: 'ten'\n" },
    { 9, "-- evidence moon datagrams {lost}", "sample.sql:9: no column 'moon'\n" },
    { 10, "--          {moon}", "sample.sql:9: no column for {moon}\n" },
    { 11, "-- do Do || sysctl -w x={moon}", "sample.sql:11: no column for {moon}\n" },
    { 11, "-- do Do || a || b {moon}", "sample.sql:11: no column for {moon}\n" },
    { 7, "-- needs snmp\n-- when EXISTS (SELECT 1 FROM moon)",
            "sample.sql:8: when: no such table: moon\n" },
    { 7, "-- needs snmp\n-- when 1 > :moon", "sample.sql:8: when: no '-- param' line for :moon\n" },
    { 7, "-- needs snmp\n-- when 1, 2", "sample.sql:8: when: not a condition\n" },
    { 7, "-- needs snmp\n-- when EXISTS (SELECT 1 FROM main.step WHERE step > 1)",
            "sample.sql:8: when: a rule may not read outside of the window: step\n" },
    { 12, "-- general yes\n-- general no", "sample.sql:13: 'general' stands twice\n" },
    { 12, "-- text A text", "sample.sql:12: a rule of kind 'cause' has no 'text'\n" },
    { 13, NULL, "sample.sql:1: no '-- ruled-out' line\n" },
    { 13, "-- ruled-out {netns}", "sample.sql:13: no column for {netns}\n" },
    { 15, "SELECT netns, udp_rcvbuf_errors AS lost",
            "sample.sql:15: a cause needs a column 'confidence'\n" },
    { 15, "SELECT netns, udp_moon AS lost, 1 AS confidence",
            "sample.sql:15: no such column: udp_moon\n" },
    { 15, "SELECT netns, \"udp_moon\" AS lost, 1 AS confidence",
            "sample.sql:15: no such column: udp_moon\n" },
    { 15, "SELECT netns, 1 AS lost, 2 AS lost, 1 AS confidence",
            "sample.sql:15: two columns 'lost'\n" },
    { 16, "FROM moon", "sample.sql:16: no such table: moon\n" },
    { 17, "WHERE udp_moon > :low", "sample.sql:17: no such column: udp_moon\n" },
    { 17, "WHERE netns > 1", "sample.sql:8: the query does not use :low\n" },
    { 17, "WHERE udp_rcvbuf_errors > ? AND 1 < :low",
            "sample.sql:15: no '-- param' line for '?'\n" },
    { 17, "WHERE (1 > :low", "sample.sql:17: incomplete input\n" },
    { 17, "WHERE 1 > :low; SELECT 1", "sample.sql:17: more than one query\n" },
    { 17, "WHERE 1 > :low; -- the end\n/* really */ ;", "" },
};

static char *text_with(int line, const char *with) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    for (size_t i = 0; i < N_GOOD; i++) {
        const char *content = (int) i + 1 == line ? with : good[i];
        if (content)
            fprintf(out, "%s\n", content);
    }
    fclose(out);
    return text;
}

START_TEST(finds_no_mistake_in_a_good_rule) {
    _cleanup_free_ char *text = text_with(0, NULL), *problems = fixture_problems(text);
    ck_assert_str_eq(problems, "");
}
END_TEST

START_TEST(finds_each_mistake_in_its_line) {
    _cleanup_free_ char *text = text_with(mistakes[_i].line, mistakes[_i].with);
    _cleanup_free_ char *problems = fixture_problems(text);
    // A missing header line moves the query up: its other problems are not looked for.
    ck_assert_str_eq(problems, mistakes[_i].problem);
}
END_TEST

START_TEST(knows_the_words_of_each_kind) {
    _cleanup_free_ char *level =
            fixture_problems("-- rule sample\n-- kind level\n-- severity info\n-- unit percent\n"
                             "-- needs mount\n-- text {mount} is {value}\n"
                             "SELECT mount, 81.5 AS value FROM mount\n");
    ck_assert_str_eq(level, "");
    _cleanup_free_ char *note =
            fixture_problems("-- rule sample\n-- kind note\n-- needs snmp\n-- text {n} headroom\n"
                             "SELECT 12 AS n\n");
    ck_assert_str_eq(note, "");
    _cleanup_free_ char *no_value =
            fixture_problems("-- rule sample\n-- kind level\n-- severity info\n-- needs mount\n"
                             "-- text x\nSELECT mount FROM mount\n");
    ck_assert_str_eq(no_value, "sample.sql:6: a level needs a column 'value'\n");
    _cleanup_free_ char *evidence =
            fixture_problems("-- rule sample\n-- kind note\n-- needs mount\n-- text x\n"
                             "-- evidence n - x\nSELECT 1 AS n\n");
    ck_assert_str_eq(evidence, "sample.sql:5: a rule of kind 'note' has no 'evidence'\n");
}
END_TEST

// What a query may not do, and how that is said.
static const struct {
    const char *query, *problem;
} forbidden[] = {
    { "DELETE FROM snmp", "a rule may only SELECT" },
    { "PRAGMA table_list", "a rule may only SELECT" },
    { "ATTACH '/tmp/x.db' AS x", "a rule may only SELECT" },
    { "CREATE TEMP TABLE x(y)", "a rule may only SELECT" },
    { "SELECT * FROM pragma_table_list", "a rule may only SELECT" },
    { "SELECT load_extension('x') AS n", "a rule may not call load_extension" },
    { "SELECT random() AS n", "a rule may not call random" },
    { "SELECT current_timestamp AS n", "a rule may not call current_timestamp" },
    { "SELECT name AS n FROM sqlite_master", "a rule may not read sqlite_master" },
    { "SELECT netns AS n FROM main.snmp", "a rule may not read outside of the window: snmp" },
    { "SELECT value AS n FROM meta", "a rule may not read outside of the window: meta" },
    { "EXPLAIN SELECT 1 AS n", "no query" },
    { "-- nothing", "no query" },
};

START_TEST(refuses_all_but_reading_the_window) {
    _cleanup_free_ char *text = NULL, *expected = NULL;
    ck_assert(asprintf(&text, "-- rule sample\n-- kind note\n-- needs snmp\n-- text x\n\n%s\n",
                      forbidden[_i].query) > 0);
    ck_assert(asprintf(&expected, ": %s\n", forbidden[_i].problem) > 0);
    _cleanup_free_ char *problems = fixture_problems(text);
    ck_assert_msg(strncmp(problems, "sample.sql:", 11) == 0 && strstr(problems, expected), "%s",
            problems);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("check");
    TCase *tcase = tcase_create("check");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, finds_no_mistake_in_a_good_rule);
    tcase_add_loop_test(
            tcase, finds_each_mistake_in_its_line, 0, sizeof(mistakes) / sizeof(mistakes[0]));
    tcase_add_test(tcase, knows_the_words_of_each_kind);
    tcase_add_loop_test(
            tcase, refuses_all_but_reading_the_window, 0, sizeof(forbidden) / sizeof(forbidden[0]));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
