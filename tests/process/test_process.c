// SPDX-License-Identifier: GPL-2.0-or-later
// Processes in a folder
//
// As a capture holds them: the files are there, nobody runs.
#include <stdio.h>
#include <string.h>

#include "collectors/continuity.h"
#include "collectors/list.h"
#include "collectors/process.h"
#include "core/growth.h"
#include "tests/collectors/rig.h"
#include "tests/process/watched.h"

static struct rig rig;

static void put(const char *path, const char *text) {
    rig_write(&rig, path, text, strlen(text));
}

static void put_process(const char *comm, int user, const char *state) {
    char text[256];
    snprintf(text, sizeof(text),
            "812 (%s) %s 1 812 812 0 -1 0 1 0 5 0 %d 20 0 0 20 0 2 0 777 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0\n",
            comm, state, user);
    put("proc/812/stat", text);
    put("proc/812/task/812/stat", text);
}

static void start(void) {
    rig_start_empty(&rig, &process_collector);
    put_process("rsyslogd", 10, "S");
    put("proc/812/status",
            "Uid:\t1\t2\t3\t4\nCpus_allowed_list:\t0-1\nvoluntary_ctxt_switches:\t5\n"
            "nonvoluntary_ctxt_switches:\t6\n");
    put("proc/812/io", "read_bytes: 1\nwrite_bytes: 2\n");
    put("proc/812/cgroup", "0::/system.slice/rsyslog.service\n");
    put("proc/812/task/812/schedstat", "5000000 6000000 7\n");
    put("proc/812/task/812/wchan", "ep_poll.constprop.0\n");
    put("proc/812/task/815/schedstat", "9000000 1000000 7\n");
    put("proc/812/task/815/comm", "rs:main Q:Reg\n");
    put("proc/812/task/815/syscall", "45 0x4 0x0 0x0 0x0 0x0 0x0 0x0 0x0\n");
    put("proc/812/task/815/stat",
            "815 (rs:main) D 1 812 812 0 -1 0 1 0 5 0 9 2 0 0 20 0 2 0 778 0\n");
    put("proc/812/task/815/wchan", "folio_wait_bit");
    rig_link(&rig, "proc/812/fd/4", "socket:[99]");
    rig_link(&rig, "proc/812/exe", "/usr/sbin/rsyslogd");
    watched_add(&rig.watch, 812, 777, 99, true);
}

static const cell *row(void) {
    ck_assert_uint_eq(rig.rows.n, 1);
    return rows_at(&rig.rows, 0);
}

static const char *text(int column) {
    return rows_text(&rig.rows, row()[column]);
}

START_TEST(all_columns) {
    start();
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_str_eq(text(PROCESS_COMM), "rsyslogd");
    ck_assert_str_eq(text(PROCESS_EXECUTABLE), "/usr/sbin/rsyslogd");
    ck_assert_str_eq(text(PROCESS_UNIT), "rsyslog.service");
    ck_assert_str_eq(text(PROCESS_CONTAINER), "");
    ck_assert_str_eq(text(PROCESS_CGROUP), "/system.slice/rsyslog.service");
    ck_assert_int_eq(row()[PROCESS_UID], 2);
    ck_assert_int_eq(row()[PROCESS_THREADS], 2);
    ck_assert_int_eq(row()[PROCESS_USER], 100000);
    ck_assert_int_eq(row()[PROCESS_SYSTEM], 200000);
    ck_assert_int_eq(row()[PROCESS_RUN], 14000);
    ck_assert_int_eq(row()[PROCESS_DELAY], 7000);
    ck_assert_int_eq(row()[PROCESS_MAJOR_FAULTS], 5);
    ck_assert_int_eq(row()[PROCESS_WRITE_BYTES], 2);
    ck_assert_int_eq(row()[PROCESS_HOTTEST_THREAD], 815);
    ck_assert_str_eq(text(PROCESS_HOTTEST_NAME), "rs:main Q:Reg");
    // The thread 815 reads the socket, since it was seen to; it is blocked now.
    ck_assert_int_eq(row()[PROCESS_READERS], 1);
    ck_assert_str_eq(text(PROCESS_STATE), "D");
    ck_assert_str_eq(text(PROCESS_BLOCKED_CHANNEL), "folio_wait_bit");
    // Switches of one thread are not those of the process.
    ck_assert(row()[PROCESS_SWITCHES_VOLUNTARY] == CELL_NULL);
    ck_assert(row()[PROCESS_BLOCK_DELAY] == CELL_NULL);
    rig_stop(&rig);
}
END_TEST

START_TEST(missing_files_are_not_known) {
    static const char *const files[] = { "status", "io", "cgroup", "exe", "task", "stat" };
    start();
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        char path[64];
        ck_assert_uint_eq(rig.rows.n, i == 0 ? 0 : 1);
        snprintf(path, sizeof(path), "proc/812/%s", files[i]);
        rig_remove(&rig, path);
        rig_look(&rig);
        ck_assert_int_ne(rig.outcome.state, OUTCOME_FAILED);
    }
    ck_assert_uint_eq(rig.rows.n, 0); // without stat nothing is certain
    rig_stop(&rig);
}
END_TEST

START_TEST(nobody_is_watched) {
    start();
    watched_clear(&rig.watch);
    rig_look(&rig);
    ck_assert_uint_eq(rig.rows.n, 0);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    watched_add(&rig.watch, 812, 777, 99, true);
    rig.watch.sockets[0].state = OWNER_DENIED;
    rig.watch.n_owners = rig.watch.n_processes = 0;
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_DENIED);
    rig_stop(&rig);
}
END_TEST

START_TEST(the_time_nobody_looked_belongs_to_no_step) {
    const struct table *const tables[] = { &process_table };
    struct growth *growth = growth_new(tables, 1);
    struct sample sample = { .n_tables = 1, .rows = &rig.rows, .outcome = &rig.outcome };
    struct step *step = step_new(tables, 1);
    // Watched in looks 0, 1, 4, 5; 10 ticks are used between two looks.
    static const bool watched[] = { true, true, false, false, true, true };
    static const cell growths[] = { CELL_NULL, 100000, CELL_NULL, CELL_NULL, CELL_NULL, 100000 };
    start();
    for (int i = 0; i < 6; i++) {
        put_process("x", 10 + i * 10, "S");
        watched_clear(&rig.watch);
        if (watched[i])
            watched_add(&rig.watch, 812, 777, 99, true);
        rig_look(&rig);
        sample.boottime_ms = sample.monotonic_ms = 5000 + i * 1000;
        sample.wall_ms = 1700000000000 + i * 1000;
        ck_assert_int_eq(growth_step(growth, &sample, step), 0);
        ck_assert_uint_eq(step->growth[0].n, watched[i]);
        if (!watched[i])
            continue;
        const cell *row = rows_at(&step->growth[0], 0);
        ck_assert_msg(row[PROCESS_USER] == growths[i], "%d", i);
        ck_assert_int_eq(row[PROCESS_LOOKS], 1);
    }
    step_free(step);
    growth_free(growth);
    rig_stop(&rig);
}
END_TEST

START_TEST(more_than_can_be_looked_at_is_said) {
    char path[64];
    start();
    for (int i = 1; i <= 300; i++) {
        snprintf(path, sizeof(path), "proc/812/task/%d/schedstat", 1000 + i);
        put(path, "1 1 1\n");
    }
    for (int i = 0; i < 70; i++)
        watched_add(&rig.watch, 900 + i, 1, 200 + (uint32_t) i, false);
    rig_look(&rig);
    ck_assert_uint_eq(rig.rows.n, 1);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("process in a folder");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, all_columns);
    tcase_add_test(tcase, missing_files_are_not_known);
    tcase_add_test(tcase, nobody_is_watched);
    tcase_add_test(tcase, the_time_nobody_looked_belongs_to_no_step);
    tcase_add_test(tcase, more_than_can_be_looked_at_is_said);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
