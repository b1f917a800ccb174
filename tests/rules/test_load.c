// SPDX-License-Identifier: GPL-2.0-or-later
// Rule folders
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "tests/rules/fixture.h"

#define RULE(name, title)                                                                          \
    "-- rule " name "\n-- kind cause\n-- explains checksum\n-- severity info\n-- title " title     \
    "\n"                                                                                           \
    "-- needs snmp\n-- ruled-out none\n-- param low = 3 for the test\n"                            \
    "SELECT 1 AS lost, 0.5 AS confidence WHERE 1 > :low\n"

static const struct rule_source builtin[] = {
    { "first", RULE("first", "built in") },
    { "second", RULE("second", "built in") },
};

static char *folder, *problems;

static struct rule_set *load(void) {
    struct rule_source sources[] = { builtin[0], fixture_ledger, builtin[1] };
    struct rule_set *set;
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    ck_assert_int_eq(
            rule_set_new(sources, 3, true, folder, fixture_tables, n_fixture_tables, out, &set), 0);
    fclose(out);
    return set;
}

static struct rule_info info(const struct rule_set *set, const char *id) {
    struct rule_info found = { 0 };
    for (size_t i = 0; i < rules_count(set); i++) {
        struct rule_info next;
        rules_info(set, i, &next);
        if (strcmp(next.id, id) == 0)
            found = next;
    }
    return found;
}

static void write_text(const char *name, const char *text) {
    fixture_write(folder, name, text, strlen(text));
}

static void link_to(const char *target, const char *name) {
    _cleanup_free_ char *path = NULL;
    ck_assert(asprintf(&path, "%s/%s", folder, name) > 0);
    ck_assert_int_eq(symlink(target, path), 0);
}

static void set_up(void) {
    folder = fixture_folder();
}

static void tear_down(void) {
    fixture_folder_free(folder);
    free(problems);
    problems = NULL;
}

START_TEST(has_the_built_in_rules_without_a_folder) {
    _cleanup_free_ char *path = NULL;
    struct rule_set *set;
    ck_assert(asprintf(&path, "%s/absent", folder) > 0);
    struct rule_source sources[] = { builtin[1], builtin[0], fixture_ledger };
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(rule_set_new(sources, 3, i, i ? path : NULL, fixture_tables,
                                 n_fixture_tables, stderr, &set),
                0);
        struct rule_info first;
        rules_info(set, 0, &first);
        ck_assert_str_eq(first.id, "first"); // by name
        ck_assert_str_eq(first.origin, "built in");
        ck_assert_str_eq(first.text, builtin[0].text);
        ck_assert_str_eq(first.kind, "cause");
        ck_assert_str_eq(first.locus, "checksum");
        ck_assert_str_eq(first.severity, "info");
        ck_assert_uint_eq(rules_count(set), 2);
        rules_free(set);
    }
}
END_TEST

START_TEST(replaces_adds_and_masks) {
    write_text("first.sql", RULE("first", "replaced"));
    write_text("third.sql", RULE("third", "added"));
    link_to("/dev/null", "second.sql");
    link_to("/dev/null", "absent.sql");
    write_text("README", "no rule");
    write_text(".hidden.sql", "no rule");
    struct rule_set *set = load();
    ck_assert_str_eq(problems, "");
    ck_assert_uint_eq(rules_count(set), 3);
    ck_assert_str_eq(info(set, "first").title, "replaced");
    ck_assert_ptr_nonnull(strstr(info(set, "first").origin, "/first.sql"));
    ck_assert_str_eq(info(set, "third").title, "added");
    ck_assert(info(set, "second").masked);
    ck_assert(!info(set, "first").masked);
    ck_assert_ptr_nonnull(strstr(info(set, "second").origin, "/second.sql"));
    rules_free(set);
}
END_TEST

START_TEST(keeps_the_built_in_rule_where_its_replacement_is_wrong) {
    write_text("first.sql", RULE("first", "{moon}"));
    struct rule_set *set = load();
    ck_assert_ptr_nonnull(strstr(problems, "/first.sql:5: no column for {moon}\n"));
    ck_assert_str_eq(info(set, "first").title, "built in");
    ck_assert_str_eq(info(set, "first").origin, "built in");
    rules_free(set);
}
END_TEST

// What is no text of a rule.
static void expect_problem(const char *text) {
    struct rule_set *set = load();
    ck_assert_msg(strstr(problems, text) != NULL, "%s", problems);
    ck_assert_uint_eq(rules_count(set), 2);
    rules_free(set);
}

START_TEST(refuses_a_folder) {
    _cleanup_free_ char *path = NULL;
    ck_assert(asprintf(&path, "%s/odd.sql", folder) > 0);
    ck_assert_int_eq(mkdir(path, 0700), 0);
    expect_problem("/odd.sql: not a regular file\n");
}
END_TEST

START_TEST(refuses_a_pipe_without_waiting) {
    _cleanup_free_ char *path = NULL;
    ck_assert(asprintf(&path, "%s/odd.sql", folder) > 0);
    ck_assert_int_eq(mkfifo(path, 0700), 0);
    expect_problem("/odd.sql: not a regular file\n");
}
END_TEST

START_TEST(refuses_a_device) {
    link_to("/dev/zero", "odd.sql");
    expect_problem("/odd.sql: not a regular file\n");
}
END_TEST

START_TEST(refuses_a_dangling_link) {
    link_to("/nonexistent/rule.sql", "odd.sql");
    expect_problem("/odd.sql: No such file or directory\n");
}
END_TEST

START_TEST(refuses_what_is_too_big) {
    size_t n = RULE_MAX_BYTES + 1;
    _cleanup_free_ char *text = malloc(n);
    memset(text, '-', n);
    fixture_write(folder, "odd.sql", text, n);
    expect_problem("/odd.sql: larger than 256 KiB\n");
}
END_TEST

START_TEST(refuses_an_empty_file) {
    write_text("odd.sql", "");
    expect_problem("/odd.sql: empty");
}
END_TEST

START_TEST(refuses_a_nul_byte) {
    fixture_write(folder, "odd.sql", "-- rule odd\n\0x", 14);
    expect_problem("/odd.sql:2: a NUL byte\n");
}
END_TEST

START_TEST(refuses_what_is_not_utf8) {
    write_text("odd.sql", "-- rule odd\n-- kind cause\n-- title caf\xe9\n");
    expect_problem("/odd.sql:3: not valid UTF-8\n");
}
END_TEST

START_TEST(refuses_a_name_that_is_no_id) {
    write_text("Odd name.sql", RULE("odd", "x"));
    expect_problem("/Odd name.sql: not the name of a rule");
}
END_TEST

START_TEST(refuses_another_ledger) {
    write_text("ledger.sql", fixture_ledger.text);
    expect_problem("/ledger.sql: the ledger is built in\n");
}
END_TEST

START_TEST(refuses_other_views) {
    write_text("views.sql", "-- view any\nSELECT 1 AS one\n");
    expect_problem("/views.sql: the views are built in\n");
}
END_TEST

START_TEST(escapes_names_in_problems) {
    write_text("\x1b[31m.sql", "x");
    expect_problem("/\\x1b[31m.sql: not the name of a rule");
}
END_TEST

START_TEST(reads_lines_that_end_as_on_windows) {
    write_text("third.sql",
            "-- rule third\r\n-- kind note\r\n-- needs snmp\r\n-- text x\r\n\r\nSELECT 1 AS n\r\n");
    struct rule_set *set = load();
    ck_assert_str_eq(problems, "");
    ck_assert_str_eq(info(set, "third").title, "x");
    rules_free(set);
}
END_TEST

START_TEST(survives_every_cut_of_a_rule) {
    const char *text = builtin[0].text;
    for (size_t n = 1; n < strlen(text); n++) {
        _cleanup_free_ char *cut = strndup(text, n);
        free(fixture_problems(cut));
    }
}
END_TEST

START_TEST(gives_parameters_other_values) {
    struct rule_set *set = load();
    ck_assert_int_eq(rules_set_param(set, "first", "low", 7.5), 0);
    ck_assert_int_eq(rules_set_param(set, "first", "high", 7), -ENOENT);
    ck_assert_int_eq(rules_set_param(set, "absent", "low", 7), -ENOENT);
    rules_free(set);
}
END_TEST

START_TEST(names_the_counters_of_the_ledger) {
    const struct rules_counter *counters;
    struct rule_set *set = load();
    ck_assert_uint_eq(rules_counters(set, &counters), 6); // not those that are only shown
    ck_assert_str_eq(counters[1].locus, "backlog");
    ck_assert_str_eq(counters[1].table, "softnet");
    ck_assert_str_eq(counters[1].column, "drop");
    rules_free(set);
}
END_TEST

int main(void) {
    const TTest *const tests[] = {
        has_the_built_in_rules_without_a_folder,
        replaces_adds_and_masks,
        keeps_the_built_in_rule_where_its_replacement_is_wrong,
        refuses_a_folder,
        refuses_a_pipe_without_waiting,
        refuses_a_device,
        refuses_a_dangling_link,
        refuses_what_is_too_big,
        refuses_an_empty_file,
        refuses_a_nul_byte,
        refuses_what_is_not_utf8,
        refuses_a_name_that_is_no_id,
        refuses_another_ledger,
        refuses_other_views,
        escapes_names_in_problems,
        reads_lines_that_end_as_on_windows,
        survives_every_cut_of_a_rule,
        gives_parameters_other_values,
        names_the_counters_of_the_ledger,
    };
    Suite *suite = suite_create("load");
    TCase *tcase = tcase_create("load");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    for (size_t i = 0; i < sizeof(tests) / sizeof(tests[0]); i++)
        tcase_add_test(tcase, tests[i]);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
