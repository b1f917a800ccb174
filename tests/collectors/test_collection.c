// SPDX-License-Identifier: GPL-2.0-or-later
// Collection
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/list.h"
#include "tests/collectors/rig.h"

static struct source source;
static struct collection *collection;
static struct sample *sample;

static void start(const char *root) {
    ck_assert_int_eq(source_init(&source, root), 0);
    ck_assert_int_eq(collection_new(&source, &collection), 0);
    sample = sample_new(collector_tables(), n_collectors);
    ck_assert_ptr_nonnull(sample);
}

static void stop(void) {
    sample = sample_free(sample);
    collection = collection_free(collection);
    source_done(&source);
}

START_TEST(declarations_are_sound) {
    const struct table *const *tables = collector_tables();
    for (size_t i = 0; i < n_collectors; i++) {
        const struct table *table = tables[i];
        ck_assert_ptr_eq(collectors[i]->table, table);
        ck_assert_ptr_eq(table_find(tables, n_collectors, table->name), table);
        ck_assert_uint_ge(table->n_keys, 1);
        for (size_t k = 0; k < table->n_columns; k++) {
            const struct column *column = &table->columns[k];
            bool key = column->kind == COLUMN_KEY_TEXT || column->kind == COLUMN_KEY_INTEGER;
            const char *name = column->name;
            ck_assert_msg(key == (k < table->n_keys), "%s.%s", table->name, name);
            ck_assert_int_eq(table_column(table, name), (int) k);
            ck_assert_msg(strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_") == strlen(name),
                    "%s.%s", table->name, name);
            ck_assert_msg(
                    column->unit && column->help && column->help[0], "%s.%s", table->name, name);
            // Where names are looked up, each belongs to one column.
            bool by_name =
                    table == &snmp_table || table == &sockstat_table || table == &conntrack_table;
            for (size_t other = 0; by_name && column->field && other < k; other++)
                ck_assert_str_ne(column->field,
                        table->columns[other].field ? table->columns[other].field : "");
        }
    }
}
END_TEST

START_TEST(each_lane_at_its_time) {
    static const char *const kernels[] = { "3.10", "4.18-el8", "5.4", "6.1", "6.18" };
    char folder[256];
    start(fixture(kernels[_i], folder, sizeof(folder)));
    for (int look = 0; look < 3; look++) {
        bool all = look != 1;
        collection_look(collection, look == 2, sample);
        ck_assert_int_gt(sample->wall_ms, 0);
        ck_assert_int_ge(sample->boottime_ms, sample->monotonic_ms);
        for (size_t i = 0; i < n_collectors; i++) {
            bool due = all || collectors[i]->lane == LANE_FAST;
            const struct outcome *outcome = &sample->outcome[i];
            ck_assert_int_eq(outcome->state != OUTCOME_NOT_DUE, due);
            ck_assert_msg(outcome->state != OUTCOME_FAILED, "%s: %s", collectors[i]->table->name,
                    outcome->reason);
            ck_assert_int_ge(outcome->cost_us, 0);
            if (!due)
                ck_assert_uint_eq(sample->rows[i].n, 0);
        }
    }
    ck_assert_uint_ge(sample->rows[0].n, 1);
    stop();
}
END_TEST

static bool has_namespace(pid_t pid) {
    int column = table_column(&snmp_table, "netns_pid");
    for (size_t i = 0; i < sample->rows[0].n; i++)
        if (rows_at(&sample->rows[0], i)[column] == pid)
            return true;
    return false;
}

START_TEST(a_lost_namespace_is_looked_for_at_once) {
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        bool refused = unshare(CLONE_NEWNET) < 0;
        if (write(ends[1], &refused, 1) == 1)
            pause();
        _exit(0);
    }
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    start(NULL);
    collection_look(collection, false, sample);
    ck_assert(byte || has_namespace(pid));
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
    collection_look(collection, false, sample);
    ck_assert(!has_namespace(pid));
    ck_assert_int_eq(sample->outcome[0].state, OUTCOME_OK);
    stop();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("collection");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, declarations_are_sound);
    tcase_add_loop_test(tcase, each_lane_at_its_time, 0, 5);
    tcase_add_test(tcase, a_lost_namespace_is_looked_for_at_once);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
