// SPDX-License-Identifier: GPL-2.0-or-later
// Step queue
#include "daemon/queue.h"
#include "daemon/tick.h"
#include "tests/suite.h"

static const struct column columns[] = {
    { "name", COLUMN_KEY_TEXT, "", "name" },
    { "lost", COLUMN_COUNTER, "datagrams", "lost" },
};
static const struct table table = { "t", "t", "thing", "nowhere", columns, 2, 1 };
static const struct table *const tables[] = { &table };

static void put(struct rows *rows, const char *name, int64_t value) {
    cell *row = rows_add(rows);
    row[0] = rows_put_text(rows, name, 1);
    row[1] = value;
}

static void add(struct queue *queue, int64_t end_ms, int64_t lost, unsigned flags) {
    struct step *step = queue_blank(queue);
    step->end_ms = end_ms;
    step->length_ms = flags & STEP_BASELINE ? 0 : 1000;
    step->flags = flags;
    put(&step->growth[0], "a", lost);
    put(&step->total[0], "a", lost);
    queue_add(queue, step);
}

static int64_t drain(struct queue *queue, size_t *ret_n, int64_t *ret_longest_ms) {
    struct step *steps[64];
    int64_t sum = 0, longest_ms = 0;
    size_t n, total = 0;
    while ((n = queue_take(queue, steps, 64)) > 0) {
        for (size_t i = 0; i < n; i++) {
            sum += rows_at(&steps[i]->growth[0], 0)[1];
            if (steps[i]->length_ms > longest_ms)
                longest_ms = steps[i]->length_ms;
        }
        total += n;
        queue_done(queue, n);
    }
    *ret_n = total;
    *ret_longest_ms = longest_ms;
    return sum;
}

START_TEST(a_full_queue_gets_coarser_and_loses_nothing) {
    struct queue *queue = queue_new(tables, 1, 16, 1 << 20);
    for (int i = 0; i < 1000; i++)
        add(queue, i * 1000, 7, 0);
    ck_assert_uint_le(queue_length(queue), 16);
    ck_assert_uint_gt(queue_merged(queue), 0);
    size_t n;
    int64_t longest_ms;
    ck_assert_int_eq(drain(queue, &n, &longest_ms), 7000);
    // 1000 s in 16 steps: evenly, not one giant and fifteen seconds.
    ck_assert_int_le(longest_ms, 256000);
    queue_free(queue);
}
END_TEST

START_TEST(steps_being_written_are_left_alone) {
    struct queue *queue = queue_new(tables, 1, 8, 1 << 20);
    for (int i = 0; i < 8; i++)
        add(queue, i * 1000, 1, 0);
    struct step *taken[8];
    size_t n = queue_take(queue, taken, 8);
    ck_assert_uint_eq(n, 4);
    for (int i = 8; i < 100; i++)
        add(queue, i * 1000, 1, 0);
    ck_assert_uint_le(queue_length(queue), 8);
    for (size_t i = 0; i < n; i++) {
        ck_assert_int_eq(taken[i]->length_ms, 1000);
        ck_assert_int_eq(taken[i]->end_ms, (int64_t) i * 1000);
    }
    // The disk failed: all wait again.
    queue_done(queue, 0);
    int64_t longest_ms;
    ck_assert_int_eq(drain(queue, &n, &longest_ms), 100);
    queue_free(queue);
}
END_TEST

START_TEST(bytes_are_bounded_too) {
    struct queue *queue = queue_new(tables, 1, 1000, 4096);
    for (int i = 0; i < 1000; i++)
        add(queue, i * 1000, 1, 0);
    ck_assert_uint_lt(queue_length(queue), 20);
    size_t n;
    int64_t longest_ms;
    ck_assert_int_eq(drain(queue, &n, &longest_ms), 1000);
    queue_free(queue);
}
END_TEST

START_TEST(a_baseline_merged_with_growth_is_growth) {
    struct queue *queue = queue_new(tables, 1, 2, 1 << 20);
    add(queue, 0, CELL_NULL, STEP_BASELINE);
    add(queue, 1000, 5, 0);
    add(queue, 2000, 6, STEP_GAP);
    struct step *steps[2];
    ck_assert_uint_eq(queue_length(queue), 2);
    queue_take(queue, steps, 1);
    ck_assert_uint_eq(steps[0]->flags, 0);
    ck_assert_int_eq(rows_at(&steps[0]->growth[0], 0)[1], 5);
    queue_free(queue);
}
END_TEST

START_TEST(a_copy_is_like_the_step) {
    struct queue *from = queue_new(tables, 1, 4, 1 << 20), *to = queue_new(tables, 1, 4, 1 << 20);
    add(from, 1000, 5, STEP_GAP);
    struct step *steps[1], *copies[1];
    queue_take(from, steps, 1);
    ck_assert_int_eq(queue_add_copy(to, steps[0]), 0);
    ck_assert_uint_eq(queue_take(to, copies, 1), 1);
    ck_assert_int_eq(copies[0]->end_ms, 1000);
    ck_assert_int_eq(copies[0]->length_ms, 1000);
    ck_assert_uint_eq(copies[0]->flags, STEP_GAP);
    ck_assert_str_eq(rows_text(&copies[0]->growth[0], rows_at(&copies[0]->growth[0], 0)[0]), "a");
    queue_free(from);
    queue_free(to);
}
END_TEST

START_TEST(ticks_keep_their_raster) {
    ck_assert_uint_eq(tick_next(100, 10, 50), 100);
    ck_assert_uint_eq(tick_next(100, 10, 100), 110);
    ck_assert_uint_eq(tick_next(100, 10, 109), 110);
    // Missed ticks are left out, and the raster stays.
    ck_assert_uint_eq(tick_next(100, 10, 157), 160);
    uint64_t at = 3, n = 0;
    for (; at < 1000003; n++)
        at = tick_next(3, 1000, at + n % 700);
    ck_assert_uint_eq(n, 1000);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("queue");
    TCase *tests = tcase_create("queue");
    tcase_add_test(tests, a_full_queue_gets_coarser_and_loses_nothing);
    tcase_add_test(tests, steps_being_written_are_left_alone);
    tcase_add_test(tests, bytes_are_bounded_too);
    tcase_add_test(tests, a_baseline_merged_with_growth_is_growth);
    tcase_add_test(tests, a_copy_is_like_the_step);
    tcase_add_test(tests, ticks_keep_their_raster);
    suite_add_tcase(suite, tests);
    return suite_main(suite);
}
