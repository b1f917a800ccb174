// SPDX-License-Identifier: GPL-2.0-or-later
// Tables asked
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "rules/load.h"
#include "rules/set.h"
#include "tests/suite.h"

static struct rule_set *load(void) {
    struct rule_set *set;
    ck_assert_int_eq(rules_load(NULL, collector_tables(), n_collectors, stderr, &set), 0);
    return set;
}

// A table that is asked for and not named would be a mistake in its query.
START_TEST(levels_are_judged_on_what_they_ask) {
    struct rule_set *set = load();
    const struct table *asked[64];
    size_t n = 0;
    for (size_t i = 0; i < n_collectors; i++)
        if (rules_levels_ask(set, collector_tables()[i]))
            asked[n++] = collector_tables()[i];
    ck_assert_uint_gt(n, 0);
    ck_assert_uint_lt(n, n_collectors);
    struct store *store;
    ck_assert_int_eq(load_empty_window(asked, n, &store), 0);
    struct sandbox sandbox;
    ck_assert_int_eq(sandbox_enter(&sandbox, store), 0);
    ck_assert_int_eq(ledger_create(&sandbox), 0);
    ck_assert_int_eq(views_clear(&set->views, &sandbox), 0);
    for (size_t i = 0; i < set->n; i++) {
        struct problems problems = { stderr, set->rules[i].id, 0 };
        _cleanup_kept_ sqlite3_stmt *statement = NULL;
        if (set->rules[i].kind == RULE_LEVEL)
            ck_assert_int_eq(rule_prepare(&set->rules[i], &sandbox, &problems, &statement), 0);
    }
    sandbox_leave(&sandbox);
    store_close(store);
    rules_free(set);
}
END_TEST

START_TEST(what_no_level_asks_is_left_out) {
    struct rule_set *set = load();
    const struct table *const *tables = collector_tables();
    ck_assert(rules_levels_ask(set, table_find(tables, n_collectors, "mount")));
    ck_assert(rules_levels_ask(set, table_find(tables, n_collectors, "snmp")));
    ck_assert(!rules_levels_ask(set, table_find(tables, n_collectors, "qdisc")));
    rules_free(set);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("asked");
    TCase *tcase = tcase_create("asked");
    tcase_add_test(tcase, levels_are_judged_on_what_they_ask);
    tcase_add_test(tcase, what_no_level_asks_is_left_out);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
