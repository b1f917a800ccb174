// SPDX-License-Identifier: GPL-2.0-or-later
// Named values
#include <stdio.h>
#include <string.h>

#include "collectors/proc_pairs.h"
#include "tests/suite.h"

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "", NULL },
    { "udp_in_errors", COLUMN_COUNTER, "", "", "UdpInErrors" },
    { "udp_no_ports", COLUMN_COUNTER, "", "", "UdpNoPorts" },
    { "frag_memory", COLUMN_GAUGE, "", "", "FRAG memory" },
};
static const struct table table = { "t", "", "", "", columns, 4, 1 };
static struct field_index *names;
static cell row[4];
static struct parse_problem problem;

static void parse(parse_function *parser, const char *text) {
    for (size_t i = 0; i < 4; i++)
        row[i] = CELL_NULL;
    problem = (struct parse_problem){ 0 };
    parser(text, strlen(text), names, row, &problem);
}

static void set_up(void) {
    names = field_index_new(&table);
    ck_assert_ptr_nonnull(names);
}

static void tear_down(void) {
    names = field_index_free(names);
}

static bool number(const char *text, enum column_kind kind, cell *ret) {
    return parse_number(text, strlen(text), kind, ret);
}

START_TEST(numbers_in_range) {
    cell value = 0;
    ck_assert(number("0", COLUMN_COUNTER, &value));
    ck_assert_int_eq(value, 0);
    ck_assert(number("9223372036854775807", COLUMN_GAUGE, &value));
    ck_assert_int_eq(value, INT64_MAX);
    static const char *const bad[] = { "", "-", "+1", " 1", "1 ", "0x10", "1e3", "12a",
        "9223372036854775808", "18446744073709551615", "18446744073709551616",
        "99999999999999999999999", "-2147483649", "-9223372036854775808" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        ck_assert_msg(!number(bad[i], COLUMN_COUNTER, &value), "%s", bad[i]);
}
END_TEST

START_TEST(negative_counters_are_32_bit) {
    cell value = 0;
    ck_assert(number("-1", COLUMN_COUNTER, &value));
    ck_assert_int_eq(value, UINT32_MAX);
    ck_assert(number("-2147483648", COLUMN_COUNTER, &value));
    ck_assert_int_eq(value, INT64_C(1) << 31);
    ck_assert(!number("-1", COLUMN_GAUGE, &value));
}
END_TEST

START_TEST(fields_are_found_by_their_whole_name) {
    ck_assert_int_eq(field_index_find(names, "Udp", 3, "NoPorts", 7), 2);
    ck_assert_int_eq(field_index_find(names, "", 0, "UdpNoPorts", 10), 2);
    ck_assert_int_eq(field_index_find(names, "FRAG", 4, "memory", 6), 3);
    ck_assert_int_eq(field_index_find(names, "Udp", 3, "NoPort", 6), -1);
    ck_assert_int_eq(field_index_find(names, "Udp", 3, "NoPortsX", 8), -1);
    ck_assert_int_eq(field_index_find(names, "Udp", 3, "NoPorts\0xyz", 11), -1);
    ck_assert_int_eq(field_index_find(names, "", 0, "", 0), -1);
}
END_TEST

START_TEST(pairs_go_by_name) {
    parse(parse_proc_pairs, "Tcp: MaxConn\nTcp: -1\nUdp: NoPorts New InErrors\nUdp: 7 8 9\n");
    ck_assert_ptr_null(problem.text);
    ck_assert_int_eq(row[2], 7);
    ck_assert_int_eq(row[1], 9);
    ck_assert_int_eq(row[3], CELL_NULL);
}
END_TEST

START_TEST(pairs_that_are_not_certain) {
    static const struct {
        const char *text;
        size_t line;
    } cases[] = {
        { "Udp: NoPorts InErrors\nUdp: 7\n", 2 },
        { "Udp: NoPorts\nUdp: 7 8\n", 2 },
        { "Udp: NoPorts InErrors\nUdp: 7 8", 2 },
        { "Udp: NoPorts InErrors\n", 1 },
        { "Udp: NoPorts InErrors\nTcp: 1\n", 2 },
        { "\nUdp: NoPorts", 1 },
        { "Udp NoPorts\nUdp 1\n", 1 },
        { "Udp: NoPorts\nUdp: 0x7\n", 2 },
        { "Udp: NoPorts\nUdp: 99999999999999999999\n", 2 },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        parse(parse_proc_pairs, cases[i].text);
        ck_assert_msg(problem.text && problem.line == cases[i].line, "%s", cases[i].text);
        ck_assert_int_eq(row[1], CELL_NULL);
        ck_assert_int_eq(row[2], CELL_NULL);
    }
}
END_TEST

// What a line of names means is remembered; it must not outlive the line.
START_TEST(pairs_whose_names_change) {
    for (int look = 0; look < 3; look++) {
        parse(parse_proc_pairs, "Tcp: MaxConn\nTcp: -1\nUdp: NoPorts New InErrors\nUdp: 7 8 9\n");
        ck_assert_ptr_null(problem.text);
        ck_assert(row[2] == 7 && row[1] == 9);
        parse(parse_proc_pairs, "Udp: InErrors New NoPorts\nUdp: 7 8 9\n"); // as long as before
        ck_assert_ptr_null(problem.text);
        ck_assert(row[1] == 7 && row[2] == 9);
        parse(parse_proc_pairs, "  Udp:  NoPorts\nTcp: A B\nTcp: 1 2\nUdp: NoPorts\n Udp: 4\n");
        ck_assert_uint_eq(problem.line, 2);
        ck_assert(row[1] == CELL_NULL && row[2] == 4);
        parse(parse_proc_pairs, "  Udp:  NoPorts  InErrors \nUdp: 3 5\n");
        ck_assert_ptr_null(problem.text);
        ck_assert(row[2] == 3 && row[1] == 5);
        parse(parse_proc_pairs, "Udp: NoPorts New InErrors\nUdp: 7 8\n");
        ck_assert_uint_eq(problem.line, 2);
        ck_assert(row[1] == CELL_NULL && row[2] == CELL_NULL);
        parse(parse_proc_pairs, "Udp:\nUdp:\n");
        ck_assert_ptr_null(problem.text);
        parse(parse_proc_pairs, "Udp:\nUdp: 1\n");
        ck_assert_uint_eq(problem.line, 2);
    }
}
END_TEST

START_TEST(pairs_of_many_prefixes) {
    char text[4096];
    for (int look = 0; look < 3; look++) {
        size_t n = 0;
        for (int i = 0; i < 40; i++)
            n += (size_t) snprintf(
                    text + n, sizeof(text) - n, "P%d: NoPorts\nP%d: %d\n", i, i, look);
        snprintf(text + n, sizeof(text) - n, "Udp: NoPorts\nUdp: %d\nUdp: A\nUdp: 1\n", look);
        parse(parse_proc_pairs, text);
        ck_assert_ptr_null(problem.text);
        ck_assert_int_eq(row[2], look);
    }
}
END_TEST

START_TEST(a_bad_pair_spares_the_others) {
    parse(parse_proc_pairs, "Udp: NoPorts InErrors\nTcp: A\nTcp: 1\nUdp: InErrors\nUdp: 3\n");
    ck_assert_uint_eq(problem.line, 2);
    ck_assert_int_eq(row[1], 3);
    ck_assert_int_eq(row[2], CELL_NULL);
}
END_TEST

START_TEST(lines_whose_names_change) {
    static const char long_name[] = "A_name_that_is_longer_than_those_that_are_remembered 1\n";
    char text[256];
    for (int look = 0; look < 3; look++) {
        parse(parse_proc_lines, "Other 5\nUdpNoPorts 12\nUdpInErrors 13\n");
        ck_assert(!problem.text && row[2] == 12 && row[1] == 13);
        parse(parse_proc_lines, "Other 5\nUdpInErrors 12\nUdpNoPorts: 13\n");
        ck_assert(!problem.text && row[1] == 12 && row[2] == 13);
        parse(parse_proc_lines, "Other 5\nUdpNoPortsX 12\nUdpInErrorsX\t13\nUdpNoPorts 1\n");
        ck_assert(!problem.text && row[1] == CELL_NULL && row[2] == 1);
        parse(parse_proc_lines, "UdpInErrors 3\nOther 4\n"); // another file
        ck_assert(!problem.text && row[1] == 3 && row[2] == CELL_NULL);
        parse(parse_proc_lines, "UdpNoPorts 3\n UdpInErrors 4\n"); // and one more
        ck_assert(!problem.text && row[2] == 3 && row[1] == 4);
        parse(parse_proc_lines, "UdpNoPorts\nUdpInErrors 4\n");
        ck_assert(problem.line == 1 && row[2] == CELL_NULL && row[1] == 4);
        parse(parse_proc_lines, "\nUdpInErrors 4\n");
        ck_assert(problem.line == 1 && row[1] == 4);
        parse(parse_proc_lines, "");
        ck_assert_ptr_null(problem.text);
        snprintf(text, sizeof(text), "%sUdpNoPorts 8\n%sUdpInErrors 9", long_name, long_name);
        parse(parse_proc_lines, text);
        ck_assert(problem.line == 4 && row[2] == 8 && row[1] == CELL_NULL);
    }
}
END_TEST

START_TEST(lines_without_end) {
    char text[16384];
    size_t n = 0;
    for (int i = 0; i < 1000; i++)
        n += (size_t) snprintf(text + n, sizeof(text) - n, "n%d %d\n", i, i);
    snprintf(text + n, sizeof(text) - n, "UdpInErrors 7\n");
    for (int look = 0; look < 2; look++) {
        parse(parse_proc_lines, text);
        ck_assert(!problem.text && row[1] == 7);
    }
}
END_TEST

START_TEST(lines_go_by_name) {
    parse(parse_proc_lines,
            "UdpNoPorts                    \t12\nOther: 5 kB\nUdpInErrors: 13 kB\n");
    ck_assert_ptr_null(problem.text);
    ck_assert_int_eq(row[2], 12);
    ck_assert_int_eq(row[1], 13);
    parse(parse_proc_lines, "UdpNoPorts 12\nUdpInErrors 1");
    ck_assert_uint_eq(problem.line, 2);
    ck_assert_int_eq(row[2], 12);
    ck_assert_int_eq(row[1], CELL_NULL);
    parse(parse_proc_lines, "UdpNoPorts\n");
    ck_assert_uint_eq(problem.line, 1);
}
END_TEST

START_TEST(groups_go_by_name) {
    parse(parse_proc_groups, "sockets: used 9\nFRAG: inuse 3 memory 600\n");
    ck_assert_ptr_null(problem.text);
    ck_assert_int_eq(row[3], 600);
    parse(parse_proc_groups, "FRAG: inuse 3 memory\n");
    ck_assert_uint_eq(problem.line, 1);
    ck_assert_int_eq(row[3], CELL_NULL);
    parse(parse_proc_groups, "FRAG: inuse 3 memory -5\n");
    ck_assert_ptr_nonnull(problem.text);
    ck_assert_int_eq(row[3], CELL_NULL);
}
END_TEST

START_TEST(garbage_is_no_number) {
    char text[512];
    unsigned seed = 1;
    for (int round = 0; round < 2000; round++) {
        for (size_t i = 0; i < sizeof(text); i++)
            text[i] = "Udp: NoPorts\n\t0129-\xff\0"[(seed = seed * 1103515245 + 12345) >> 16 & 15];
        parse_function *const parsers[] = { parse_proc_pairs, parse_proc_lines, parse_proc_groups };
        for (size_t p = 0; p < 3; p++) {
            problem = (struct parse_problem){ 0 };
            parsers[p](text, sizeof(text), names, row, &problem);
        }
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("named values");
    TCase *tcase = tcase_create("parsers");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, numbers_in_range);
    tcase_add_test(tcase, negative_counters_are_32_bit);
    tcase_add_test(tcase, fields_are_found_by_their_whole_name);
    tcase_add_test(tcase, pairs_go_by_name);
    tcase_add_test(tcase, pairs_that_are_not_certain);
    tcase_add_test(tcase, pairs_whose_names_change);
    tcase_add_test(tcase, pairs_of_many_prefixes);
    tcase_add_test(tcase, a_bad_pair_spares_the_others);
    tcase_add_test(tcase, lines_go_by_name);
    tcase_add_test(tcase, lines_whose_names_change);
    tcase_add_test(tcase, lines_without_end);
    tcase_add_test(tcase, groups_go_by_name);
    tcase_add_test(tcase, garbage_is_no_number);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
