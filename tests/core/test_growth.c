// SPDX-License-Identifier: GPL-2.0-or-later
// Counter growth
#include <string.h>

#include "core/growth.h"
#include "tests/suite.h"

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "", NULL },
    { "cpu", COLUMN_KEY_INTEGER, "", "", NULL },
    { "inode", COLUMN_IDENTITY, "", "", NULL },
    { "drops", COLUMN_COUNTER, "datagrams", "", NULL },
    { "level", COLUMN_GAUGE, "bytes", "", NULL },
    { "word", COLUMN_TEXT, "", "", NULL },
};
static const struct table table = { "t", "", "", "", columns, 6, 2 };
static const struct table *const tables[] = { &table };
enum { NETNS, CPU, INODE, DROPS, LEVEL, WORD };

struct look {
    const char *netns;
    int64_t cpu, inode, drops, level;
    const char *word;
    int64_t before; // of drops, as the collector tells it; NOTHING: 0
};
#define NOTHING (-1)
#define UNTOLD 0

static struct sample *sample;
static struct growth *growth;
static struct step *step;

static void set_up(void) {
    sample = sample_new(tables, 1);
    growth = growth_new(tables, 1);
    step = step_new(tables, 1);
    // Not at the start of a minute: no keyframe falls into a test by chance.
    sample->wall_ms = INT64_C(1764471001000);
    sample->boottime_ms = sample->monotonic_ms = 5000000;
}

static void tear_down(void) {
    sample_free(sample);
    growth_free(growth);
    step_free(step);
}

static cell put(const char *text) {
    return text ? rows_put_text(&sample->rows[0], text, strlen(text)) : CELL_NULL;
}

// Takes a look one second after the one before.
static void look(const struct look *looks, size_t n) {
    sample->wall_ms += 1000;
    sample->boottime_ms += 1000;
    sample->monotonic_ms += 1000;
    rows_clear(&sample->rows[0]);
    for (size_t i = 0; i < n; i++) {
        cell netns = put(looks[i].netns), word = put(looks[i].word);
        cell *row = rows_add(&sample->rows[0]);
        memcpy(row, (cell[]){ netns, looks[i].cpu, looks[i].inode, looks[i].drops, looks[i].level, word },
                6 * sizeof(cell));
        if (looks[i].before != UNTOLD)
            rows_before(&sample->rows[0])[DROPS] = looks[i].before == NOTHING ? 0 : looks[i].before;
    }
    ck_assert_int_eq(growth_step(growth, sample, step), 0);
}
#define LOOK(...) look((struct look[]){ __VA_ARGS__ }, sizeof((struct look[]){ __VA_ARGS__ }) / sizeof(struct look))

static cell grown(size_t row, size_t column) {
    ck_assert_uint_lt(row, step->growth[0].n);
    return rows_at(&step->growth[0], row)[column];
}

START_TEST(counts_growth) {
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
    ck_assert_uint_eq(step->flags, STEP_BASELINE);
    LOOK({ "host", 0, 1, 130, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 30);
    ck_assert_int_eq(rows_at(&step->total[0], 0)[DROPS], 130);
    ck_assert_str_eq(rows_text(&step->total[0], rows_at(&step->total[0], 0)[NETNS]), "host");
    ck_assert_int_eq(step->length_ms, 1000);
    ck_assert_uint_eq(step->flags, 0);
}
END_TEST

START_TEST(leaves_out_rows_without_news) {
    LOOK({ "host", 0, 1, 100, 7, "up" }, { "host", 1, 1, 5, 7, "up" });
    LOOK({ "host", 0, 1, 100, 7, "up" }, { "host", 1, 1, 5, 8, "up" });
    ck_assert_uint_eq(step->growth[0].n, 1);
    ck_assert_int_eq(grown(0, CPU), 1);
    ck_assert_int_eq(grown(0, DROPS), 0);
    LOOK({ "host", 0, 1, 100, 7, "down" }, { "host", 1, 1, 5, 8, "up" });
    ck_assert_uint_eq(step->growth[0].n, 1);
    ck_assert_str_eq(rows_text(&step->growth[0], grown(0, WORD)), "down");
}
END_TEST

START_TEST(writes_every_object_once_a_minute) {
    size_t rows = 0;
    for (int i = 0; i < 180; i++) {
        LOOK({ "host", 0, 1, 100, 7, "up" });
        rows += step->growth[0].n;
    }
    ck_assert_uint_eq(rows, 4); // the first look, and one in each minute begun since
}
END_TEST

START_TEST(repeats_the_first_look) {
    growth_repeat_first(growth);
    LOOK({ "host", 0, 1, 100, 7, "up" });
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->growth[0].n, 1);
    ck_assert_str_eq(rows_text(&step->growth[0], grown(0, WORD)), "up");
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->growth[0].n, 0);
}
END_TEST

START_TEST(knows_a_step_that_is_whole) {
    LOOK({ "host", 0, 1, 100, 7, "up" });
    sample->outcome[0].state = OUTCOME_ABSENT;
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->flags, STEP_WHOLE);
    sample->outcome[0].state = OUTCOME_NOT_DUE;
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->flags, 0);
}
END_TEST

START_TEST(crosses_a_wrap) {
    LOOK({ "host", 0, 1, UINT32_MAX - 9, 7, "up" });
    LOOK({ "host", 0, 1, 20, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 30);
}
END_TEST

START_TEST(starts_again_after_a_reset) {
    LOOK({ "host", 0, 1, 3000000000, 7, "up" });
    LOOK({ "host", 0, 1, 5, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
    LOOK({ "host", 0, 1, 9, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 4);
    LOOK({ "host", 0, 1, INT64_C(10000000000), 7, "up" });
    LOOK({ "host", 0, 1, 1, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
}
END_TEST

// A container that starts again minutes later may get the same namespace inode.
START_TEST(takes_no_restart_for_a_wrap) {
    ck_assert_int_eq(growth_of(1000000, 5, 600), CELL_NULL);
    ck_assert_int_eq(growth_of(INT64_C(4294967000), 5, 600), 301);
}
END_TEST

START_TEST(lets_one_counter_wrap_at_a_time) {
    static const struct column two[] = {
        { "netns", COLUMN_KEY_TEXT, "", "", NULL },
        { "received", COLUMN_COUNTER, "datagrams", "", NULL },
        { "drops", COLUMN_COUNTER, "datagrams", "", NULL },
    };
    static const struct table wide = { "w", "", "", "", two, 3, 1 };
    const struct table *const list[] = { &wide };
    struct sample *seen = sample_new(list, 1);
    struct growth *both = growth_new(list, 1);
    struct step *moved = step_new(list, 1);
    const cell looks[][2] = { { 4000000000, 7 }, { 100, 9 }, { 3000000000, 9 }, { 90, 2 } };
    const cell grown_by[][2] = { { CELL_NULL, CELL_NULL }, { 294967396, 2 }, { 2999999900, 0 },
        { CELL_NULL, CELL_NULL } };
    for (size_t i = 0; i < 4; i++) {
        seen->boottime_ms = seen->monotonic_ms = seen->wall_ms = (int64_t) (i + 1) * 600000;
        rows_clear(&seen->rows[0]);
        cell name = rows_put_text(&seen->rows[0], "web", 3), *row = rows_add(&seen->rows[0]);
        memcpy(row, (cell[]){ name, looks[i][0], looks[i][1] }, 3 * sizeof(cell));
        ck_assert_int_eq(growth_step(both, seen, moved), 0);
        const cell *growth_row = rows_at(&moved->growth[0], 0);
        ck_assert_int_eq(growth_row[1], grown_by[i][0]);
        ck_assert_int_eq(growth_row[2], grown_by[i][1]);
    }
    sample_free(seen);
    growth_free(both);
    step_free(moved);
}
END_TEST

START_TEST(knows_another_object_of_the_same_name) {
    LOOK({ "web", 0, 1, 100, 7, "up" });
    LOOK({ "web", 0, 2, 5000, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
    LOOK({ "web", 0, 2, 5003, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 3);
}
END_TEST

START_TEST(counts_over_an_absence) {
    LOOK({ "host", 0, 1, 1, 7, "up" }, { "web", 0, 2, 100, 7, "up" });
    LOOK({ "host", 0, 1, 1, 7, "up" });
    LOOK({ "host", 0, 1, 1, 7, "up" }, { "web", 0, 2, 130, 7, "up" });
    ck_assert_uint_eq(step->growth[0].n, 1);
    ck_assert_int_eq(grown(0, DROPS), 30);
}
END_TEST

START_TEST(counts_over_a_value_that_could_not_be_read) {
    LOOK({ "host", 0, 1, 100, 7, "up" });
    LOOK({ "host", 0, 1, CELL_NULL, 7, "up" });
    ck_assert_uint_eq(step->growth[0].n, 0);
    LOOK({ "host", 0, 1, 140, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 40);
}
END_TEST

START_TEST(goes_on_from_a_seed) {
    struct rows totals;
    rows_init(&totals, &table);
    cell host = rows_put_text(&totals, "host", 4), up = rows_put_text(&totals, "up", 2);
    memcpy(rows_add(&totals), (cell[]){ host, 0, 1, 90, 7, up }, 6 * sizeof(cell));
    growth_seed(growth, 0, &totals, sample->wall_ms - 60000, sample->boottime_ms - 60000);
    rows_done(&totals);
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 10);
    ck_assert_int_eq(step->length_ms, 61000);
    ck_assert_uint_eq(step->flags, STEP_GAP);
}
END_TEST

START_TEST(counts_from_boot) {
    growth_since_boot(growth);
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 100);
    ck_assert_int_eq(step->length_ms, 5001000);
    ck_assert_uint_eq(step->flags, STEP_SINCE_BOOT);
    LOOK({ "host", 0, 1, 103, 7, "up" }, { "web", 0, 2, 50, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 3);
    ck_assert_int_eq(grown(1, DROPS), CELL_NULL);
}
END_TEST

START_TEST(notices_suspend_and_time_jumps) {
    LOOK({ "host", 0, 1, 100, 7, "up" });
    sample->boottime_ms += 30000;
    sample->wall_ms += 30000;
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->flags, STEP_SUSPENDED);
    ck_assert_int_eq(step->length_ms, 31000);
    sample->wall_ms -= 3600000;
    LOOK({ "host", 0, 1, 100, 7, "up" });
    ck_assert_uint_eq(step->flags, STEP_TIME_JUMP);
    ck_assert_int_eq(step->length_ms, 1000);
}
END_TEST

START_TEST(forgets_what_is_long_gone) {
    LOOK({ "host", 0, 1, 1, 7, "up" }, { "web", 0, 2, 100, 7, "up" });
    for (int hour = 0; hour < 3; hour++) {
        sample->boottime_ms += 3600000;
        sample->monotonic_ms += 3600000;
        sample->wall_ms += 3600000;
        LOOK({ "host", 0, 1, 1, 7, "up" });
    }
    LOOK({ "host", 0, 1, 1, 7, "up" }, { "web", 0, 2, 300, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
}
END_TEST

START_TEST(counts_from_what_the_collector_tells) {
    LOOK({ "host", 0, 1, 100, 7, "up" });
    LOOK({ "host", 0, 1, 100, 7, "up" }, { "late", 0, 2, 59, 7, "up", 50 },
            { "new", 0, 3, 4, 7, "up", NOTHING }, { "unknown", 0, 4, 8, 7, "up" });
    ck_assert_uint_eq(step->growth[0].n, 3);
    ck_assert_int_eq(grown(0, DROPS), 9);
    ck_assert_int_eq(grown(1, DROPS), 4);
    ck_assert_int_eq(grown(2, DROPS), CELL_NULL);
    ck_assert_int_eq(rows_at(&step->total[0], 0)[DROPS], 59);
    // A counter that wrapped meanwhile.
    LOOK({ "wrapped", 0, 5, 20, 7, "up", UINT32_MAX - 9 });
    ck_assert_int_eq(grown(0, DROPS), 30);
}
END_TEST

START_TEST(believes_the_collector_more_than_itself) {
    LOOK({ "host", 0, 1, 1000, 7, "up" });
    LOOK({ "other", 0, 2, 1, 7, "up" });
    // The collector had forgotten it, and counts from 0 again.
    LOOK({ "host", 0, 1, 3, 7, "up", NOTHING });
    ck_assert_int_eq(grown(0, DROPS), 3);
    LOOK({ "host", 0, 1, 3, 7, "up", 3 });
    ck_assert_uint_eq(step->growth[0].n, 0);
    // Another object of that name, which did not begin at 0.
    LOOK({ "host", 0, 9, 60, 7, "up", 40 });
    ck_assert_int_eq(grown(0, DROPS), 20);
}
END_TEST

START_TEST(what_was_told_before_the_first_look_counts) {
    LOOK({ "host", 0, 1, 100, 7, "up" }, { "told", 0, 2, 30, 7, "up", 10 });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
    ck_assert_int_eq(grown(1, DROPS), 20);
}
END_TEST

START_TEST(rows_tell_only_what_was_set) {
    struct rows rows;
    rows_init(&rows, &table);
    rows_add(&rows);
    rows_add(&rows);
    ck_assert_ptr_null(rows_before_at(&rows, 0));
    rows_before(&rows)[DROPS] = 5;
    for (int i = 0; i < 100; i++)
        rows_add(&rows);
    ck_assert_int_eq(rows_before_at(&rows, 0)[DROPS], CELL_NULL);
    ck_assert_int_eq(rows_before_at(&rows, 1)[DROPS], 5);
    ck_assert_int_eq(rows_before_at(&rows, 1)[LEVEL], CELL_NULL);
    ck_assert_ptr_null(rows_before_at(&rows, 2));
    rows_before(&rows)[DROPS] = 6;
    ck_assert_int_eq(rows_before_at(&rows, 100)[DROPS], CELL_NULL);
    ck_assert_int_eq(rows_before_at(&rows, 101)[DROPS], 6);
    rows_drop_last(&rows);
    ck_assert_ptr_null(rows_before_at(&rows, 101));
    rows_clear(&rows);
    rows_add(&rows);
    ck_assert_ptr_null(rows_before_at(&rows, 0));
    ck_assert_int_eq(rows_before(&rows)[DROPS], CELL_NULL);
    rows_done(&rows);
}
END_TEST

START_TEST(what_the_collector_remembers_is_forgotten_soon) {
    LOOK({ "host", 0, 0, 100, 7, "up", NOTHING });
    for (int i = 0; i < 121; i++)
        LOOK({ "host", i + 1, 0, 100, 7, "up", NOTHING });
    for (int i = 0; i < 300; i++)
        LOOK({ "host", i + 1000, 0, 100, 7, "up", NOTHING });
    LOOK({ "host", 0, 0, 130, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), CELL_NULL);
    LOOK({ "host", 1299, 0, 130, 7, "up" });
    ck_assert_int_eq(grown(0, DROPS), 30);
}
END_TEST

START_TEST(merges_steps) {
    struct step *sum = step_new(tables, 1);
    LOOK({ "host", 0, 1, 100, 7, "up" });
    LOOK({ "host", 0, 1, 130, 7, "up" });
    step_merge(sum, step);
    LOOK({ "host", 0, 1, 140, 9, "down" }, { "web", 0, 2, 5, 1, "up" });
    step_merge(sum, step);
    LOOK({ "host", 0, 1, 140, 9, "down" }, { "web", 0, 2, 6, 1, "up" });
    step_merge(sum, step);
    ck_assert_uint_eq(sum->growth[0].n, 2);
    const cell *host = rows_at(&sum->growth[0], 0), *web = rows_at(&sum->growth[0], 1);
    ck_assert_int_eq(host[DROPS], 40);
    ck_assert_int_eq(host[LEVEL], 9);
    ck_assert_str_eq(rows_text(&sum->growth[0], host[WORD]), "down");
    ck_assert_int_eq(web[DROPS], 1);
    ck_assert_int_eq(rows_at(&sum->total[0], 0)[DROPS], 140);
    ck_assert_int_eq(sum->length_ms, 3000);
    ck_assert_int_eq(sum->end_ms, sample->wall_ms);
    step_free(sum);
}
END_TEST

START_TEST(survives_many_objects) {
    static struct look many[3000];
    for (int round = 0; round < 3; round++) {
        for (size_t i = 0; i < 3000; i++) // in another order each time
            many[i] = (struct look){ "host", (int64_t) ((i * (round == 1 ? 7 : 1)) % 3000), 1,
                (int64_t) round * 3, 7, "up" };
        look(many, 3000);
    }
    ck_assert_uint_eq(step->growth[0].n, 3000);
    for (size_t i = 0; i < 3000; i++)
        ck_assert_int_eq(grown(i, DROPS), 3);
}
END_TEST

int main(void) {
    TCase *cases = tcase_create("growth");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, counts_growth);
    tcase_add_test(cases, leaves_out_rows_without_news);
    tcase_add_test(cases, writes_every_object_once_a_minute);
    tcase_add_test(cases, repeats_the_first_look);
    tcase_add_test(cases, knows_a_step_that_is_whole);
    tcase_add_test(cases, crosses_a_wrap);
    tcase_add_test(cases, starts_again_after_a_reset);
    tcase_add_test(cases, takes_no_restart_for_a_wrap);
    tcase_add_test(cases, lets_one_counter_wrap_at_a_time);
    tcase_add_test(cases, knows_another_object_of_the_same_name);
    tcase_add_test(cases, counts_over_an_absence);
    tcase_add_test(cases, counts_over_a_value_that_could_not_be_read);
    tcase_add_test(cases, goes_on_from_a_seed);
    tcase_add_test(cases, counts_from_boot);
    tcase_add_test(cases, notices_suspend_and_time_jumps);
    tcase_add_test(cases, forgets_what_is_long_gone);
    tcase_add_test(cases, counts_from_what_the_collector_tells);
    tcase_add_test(cases, believes_the_collector_more_than_itself);
    tcase_add_test(cases, what_was_told_before_the_first_look_counts);
    tcase_add_test(cases, rows_tell_only_what_was_set);
    tcase_add_test(cases, what_the_collector_remembers_is_forgotten_soon);
    tcase_add_test(cases, merges_steps);
    tcase_add_test(cases, survives_many_objects);
    Suite *suite = suite_create("growth");
    suite_add_tcase(suite, cases);
    return suite_main(suite);
}
