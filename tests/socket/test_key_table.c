// SPDX-License-Identifier: GPL-2.0-or-later
// Key table
#include <string.h>

#include "collectors/key_table.h"
#include "tests/suite.h"

static struct key_table table;

static void set_up(void) {
    table = KEY_TABLE_EMPTY;
}

static void tear_down(void) {
    key_table_done(&table);
}

// A fixed sequence that visits all of 1..UINT32_MAX.
static uint64_t next_random(uint64_t *state) {
    *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
    return *state >> 33;
}

START_TEST(finds_what_was_added) {
    bool added;
    ck_assert_ptr_null(key_table_find(&table, 1));
    key_table_remove(&table, 1);
    key_table_add(&table, 1, &added)->value = 7;
    ck_assert(added);
    ck_assert_uint_eq(key_table_add(&table, 1, &added)->value, 7);
    ck_assert(!added);
    ck_assert_uint_eq(key_table_find(&table, 1)->value, 7);
    ck_assert_ptr_null(key_table_find(&table, UINT64_MAX));
    key_table_clear(&table);
    ck_assert_ptr_null(key_table_find(&table, 1));
    ck_assert_uint_eq(table.n, 0);
}
END_TEST

// Adds and removes at random beside a plain array that does the same.
START_TEST(agrees_with_a_simple_model) {
    enum { KEYS = 700, TURNS = 200000 };
    static bool there[KEYS + 1];
    uint64_t state = 1;
    size_t n = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        uint64_t key = next_random(&state) % KEYS + 1, large = key * UINT64_C(0x100000001b3);
        bool remove = next_random(&state) % 3 == 0;
        if (remove)
            key_table_remove(&table, large);
        else
            key_table_add(&table, large, NULL)->value = key;
        n += (size_t) (!remove && !there[key]);
        n -= (size_t) (remove && there[key]);
        there[key] = !remove;
        ck_assert_uint_eq(table.n, n);
    }
    for (uint64_t key = 1; key <= KEYS; key++) {
        const struct key_entry *entry = key_table_find(&table, key * UINT64_C(0x100000001b3));
        ck_assert_int_eq(entry != NULL, there[key]);
        if (entry)
            ck_assert_uint_eq(entry->value, key);
    }
}
END_TEST

static bool is_multiple(const struct key_entry *entry, void *data) {
    return entry->key % *(const uint64_t *) data == 0;
}

START_TEST(removes_all_that_match) {
    uint64_t three = 3;
    for (uint64_t key = 1; key <= 5000; key++)
        key_table_add(&table, key, NULL)->value = key;
    key_table_remove_if(&table, is_multiple, &three);
    ck_assert_uint_eq(table.n, 5000 - 1666);
    for (uint64_t key = 1; key <= 5000; key++)
        ck_assert_int_eq(key_table_find(&table, key) != NULL, key % 3 != 0);
}
END_TEST

START_TEST(takes_24_bytes_an_entry) {
    for (uint64_t key = 1; key <= 100000; key++) {
        key_table_add(&table, key << 20, NULL);
        if (key >= 1000)
            ck_assert_uint_le(table.n_slots * sizeof(*table.slots), key * 24);
    }
}
END_TEST

START_TEST(keeps_its_memory_while_entries_come_and_go) {
    for (uint64_t key = 1; key <= 1000; key++)
        key_table_add(&table, key, NULL);
    const struct key_entry *slots = table.slots;
    for (uint64_t key = 1001; key <= 100000; key++) {
        key_table_remove(&table, key - 1000);
        key_table_add(&table, key, NULL);
    }
    ck_assert_ptr_eq(table.slots, slots);
    ck_assert_uint_eq(table.n, 1000);
    for (uint64_t key = 99001; key <= 100000; key++)
        ck_assert_ptr_nonnull(key_table_find(&table, key));
}
END_TEST

START_TEST(shrinks_when_most_are_gone) {
    uint64_t one = 1;
    for (uint64_t key = 1; key <= 100000; key++)
        key_table_add(&table, key, NULL);
    size_t before = table.n_slots;
    for (uint64_t key = 101; key <= 100000; key++)
        key_table_remove(&table, key);
    for (int i = 0; i < 20; i++)
        key_table_remove_if(&table, is_multiple, &(uint64_t){ 1000 });
    ck_assert_uint_lt(table.n_slots, before / 100);
    for (uint64_t key = 1; key <= 100; key++)
        ck_assert_ptr_nonnull(key_table_find(&table, key));
    key_table_remove_if(&table, is_multiple, &one);
    ck_assert_uint_eq(table.n, 0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("key table");
    TCase *tcase = tcase_create("table");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, finds_what_was_added);
    tcase_add_test(tcase, agrees_with_a_simple_model);
    tcase_add_test(tcase, removes_all_that_match);
    tcase_add_test(tcase, takes_24_bytes_an_entry);
    tcase_add_test(tcase, keeps_its_memory_while_entries_come_and_go);
    tcase_add_test(tcase, shrinks_when_most_are_gone);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
