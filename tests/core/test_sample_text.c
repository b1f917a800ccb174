// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as text
#include <errno.h>
#include <string.h>

#include "core/sample_text.h"
#include "tests/suite.h"

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "", NULL },
    { "drops", COLUMN_COUNTER, "datagrams", "", NULL },
    { "level", COLUMN_GAUGE, "bytes", "", NULL },
    { "word", COLUMN_TEXT, "", "", NULL },
};
static const struct table filled = { "filled", "", "", "", columns, 4, 1 };
static const struct table idle = { "idle", "", "", "", columns, 4, 1 };
static const struct table *const tables[] = { &filled, &idle };
enum { NETNS, DROPS, LEVEL, WORD };

static struct sample *sample;

static void set_up(void) {
    sample = sample_new(tables, 2);
    sample->wall_ms = INT64_C(1764471001000);
    sample->boottime_ms = 7000;
    sample->monotonic_ms = 6000;
    sample->outcome[0].state = OUTCOME_OK;
    sample->outcome[1].state = OUTCOME_NOT_DUE;
}

static void tear_down(void) {
    sample_free(sample);
}

static void add_row(const char *netns, int64_t drops, int64_t level, const char *word) {
    struct rows *rows = &sample->rows[0];
    cell name = rows_put_text(rows, netns, strlen(netns));
    cell said = word ? rows_put_text(rows, word, strlen(word)) : CELL_NULL;
    memcpy(rows_add(rows), (cell[]){ name, drops, level, said }, 4 * sizeof(cell));
}

static char *written(sample_text_alias *alias) {
    char *text;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    ck_assert_int_eq(sample_text_write(sample, alias, NULL, out), 0);
    fclose(out);
    return text;
}

static int read_text(const char *format, unsigned *ret_line) {
    char *text = strdup(format);
    int r = sample_text_read(sample, text, ret_line);
    free(text);
    return r;
}

START_TEST(what_was_written_is_read) {
    unsigned line;
    add_row("a\tb\\N\n\r\\", INT64_C(1) << 60, -5, "");
    rows_before(&sample->rows[0])[DROPS] = 17;
    add_row("\\N", CELL_NULL, 0, NULL);
    outcome_set(&sample->outcome[0], OUTCOME_DENIED, "some\tof it");
    char *text = written(NULL);
    struct sample *first = sample;
    sample = sample_new(tables, 2);
    ck_assert_int_eq(read_text(text, &line), 0);
    const struct rows *rows = &sample->rows[0];
    ck_assert_int_eq(rows->n, 2);
    ck_assert_str_eq(rows_text(rows, rows_at(rows, 0)[NETNS]), "a\tb\\N\n\r\\");
    ck_assert_int_eq(rows_at(rows, 0)[DROPS], INT64_C(1) << 60);
    ck_assert_int_eq(rows_at(rows, 0)[LEVEL], -5);
    ck_assert_int_ne(rows_at(rows, 0)[WORD], CELL_NULL);
    ck_assert_int_eq(rows_before_at(rows, 0)[DROPS], 17);
    ck_assert_int_eq(rows_at(rows, 1)[WORD], CELL_NULL);
    ck_assert_int_eq(rows_at(rows, 1)[DROPS], CELL_NULL);
    ck_assert_str_eq(rows_text(rows, rows_at(rows, 1)[NETNS]), "\\N");
    ck_assert_int_eq(sample->outcome[0].state, OUTCOME_DENIED);
    ck_assert_str_eq(sample->outcome[0].reason, "some\tof it");
    ck_assert_int_eq(sample->outcome[1].state, OUTCOME_NOT_DUE);
    ck_assert_int_eq(sample->wall_ms, INT64_C(1764471001000));
    ck_assert_int_eq(sample->monotonic_ms, 6000);
    char *again = written(NULL);
    ck_assert_str_eq(text, again);
    free(again);
    free(text);
    sample_free(first);
}
END_TEST

#define HEAD "sample\t1\t1000\t900\t800\n"
#define COLUMNS "table\tfilled\tok\t\ncolumns\tdrops\tnetns\n"

START_TEST(columns_and_tables_of_others_are_left_out) {
    unsigned line;
    ck_assert_int_eq(read_text(HEAD "table\tother\tok\t\ncolumns\tx\nrow\t5\nbefore\t4\n"
                                    "table\tfilled\tok\t\ncolumns\tx\tdrops\tnetns\n"
                                    "row\tword\t12\thost\nend\n",
                             &line),
            0);
    ck_assert_int_eq(sample->rows[0].n, 1);
    ck_assert_int_eq(rows_at(&sample->rows[0], 0)[DROPS], 12);
    ck_assert_int_eq(rows_at(&sample->rows[0], 0)[LEVEL], CELL_NULL);
}
END_TEST

static const struct {
    const char *text;
    int r;
    unsigned line;
} bad[] = {
    { "", -EINVAL, 0 },
    { "hello\n", -EINVAL, 1 },
    { "sample\t2\t1000\t900\t800\nend\n", -EPROTONOSUPPORT, 1 },
    { "sample\t1\t1000\t900\n", -EINVAL, 1 },
    { "sample\t1\t-1000\t900\t800\nend\n", -EINVAL, 1 },
    { HEAD, -EINVAL, 1 },                                  // cut before its end
    { HEAD COLUMNS "row\t5\tho", -EINVAL, 4 },             // cut in a line
    { HEAD COLUMNS "row\t5\nend\n", -EINVAL, 4 },          // too few words
    { HEAD COLUMNS "row\t5\thost\t6\nend\n", -EINVAL, 4 }, // too many
    { HEAD COLUMNS "row\tmany\thost\nend\n", -EINVAL, 4 }, // no number
    { HEAD COLUMNS "row\t-5\thost\nend\n", -EINVAL, 4 },   // a counter below 0
    { HEAD COLUMNS "row\t9223372036854775807\thost\nend\n", -EINVAL, 4 },
    { HEAD COLUMNS "before\t5\thost\nend\n", -EINVAL, 4 }, // of no row
    { HEAD "row\t5\nend\n", -EINVAL, 2 },                  // of no table
    { HEAD "columns\tdrops\nend\n", -EINVAL, 2 },
    { HEAD "table\tfilled\tfine\t\nend\n", -EINVAL, 2 }, // no such outcome
    { HEAD "table\tfilled\nend\n", -EINVAL, 2 },
    { HEAD "words\nend\n", -EINVAL, 2 },
};

START_TEST(damage_is_told_with_its_line) {
    unsigned line = 99;
    ck_assert_int_eq(read_text(bad[_i].text, &line), bad[_i].r);
    ck_assert_uint_eq(line == 99 ? 0 : line, bad[_i].line);
}
END_TEST

static const char *shout(
        void *data, const struct table *table, const struct column *column, const char *text) {
    return strcmp(column->name, "word") == 0 ? "HIDDEN" : text;
}

START_TEST(texts_can_be_replaced) {
    add_row("host", 1, 2, "192.0.2.1");
    char *text = written(shout);
    ck_assert_ptr_null(strstr(text, "192.0.2.1"));
    ck_assert_ptr_nonnull(strstr(text, "row\thost\t1\t2\tHIDDEN\n"));
    free(text);
}
END_TEST

int main(void) {
    TCase *cases = tcase_create("sample_text");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, what_was_written_is_read);
    tcase_add_test(cases, columns_and_tables_of_others_are_left_out);
    tcase_add_loop_test(cases, damage_is_told_with_its_line, 0, sizeof(bad) / sizeof(bad[0]));
    tcase_add_test(cases, texts_can_be_replaced);
    Suite *suite = suite_create("sample_text");
    suite_add_tcase(suite, cases);
    return suite_main(suite);
}
