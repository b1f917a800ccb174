// SPDX-License-Identifier: GPL-2.0-or-later
// Dense looks
#include "collectors/collector.h"
#include "collectors/dense.h"
#include "tests/suite.h"

#define LOOKS 1000

START_TEST(cheap_looks_come_at_random_around_their_mean) {
    struct dense dense = { 0 };
    int64_t now_us = 123456789, start_us = now_us, phases[10] = { 0 };
    for (int i = 0; i < LOOKS; i++) {
        dense_schedule(&dense, now_us, 10);
        int64_t pause_us = dense.due_us - now_us;
        ck_assert_int_ge(pause_us, COLLECT_PEEK_MS * 500);
        ck_assert_int_le(pause_us, COLLECT_PEEK_MS * 1500);
        now_us = dense.due_us;
        phases[now_us / 10000 % 10]++;
    }
    ck_assert_int_ge(now_us - start_us, LOOKS * COLLECT_PEEK_MS * INT64_C(900));
    ck_assert_int_le(now_us - start_us, LOOKS * COLLECT_PEEK_MS * INT64_C(1100));
    // The period of a CPU quota is met in all its phases.
    for (int i = 0; i < 10; i++)
        ck_assert_int_ge(phases[i], LOOKS / 20);
}
END_TEST

START_TEST(dear_looks_come_seldom) {
    struct dense dense = { 0 };
    int64_t now_us = 1000, spent_us = 0;
    for (int i = 0; i < LOOKS; i++) {
        int64_t cost_us = i % 7 * 1000;
        dense_schedule(&dense, now_us, cost_us);
        now_us = dense.due_us;
        spent_us += cost_us;
    }
    ck_assert_int_le(spent_us * 100, now_us);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("dense looks");
    TCase *tcase = tcase_create("times");
    tcase_add_test(tcase, cheap_looks_come_at_random_around_their_mean);
    tcase_add_test(tcase, dear_looks_come_seldom);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
