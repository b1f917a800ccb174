// SPDX-License-Identifier: GPL-2.0-or-later
// Socket owners of a directory
#include <stdio.h>
#include <string.h>

#include "collectors/list.h"
#include "tests/socket/files.h"

static void write_process(int pid, const char *stat) {
    char path[64];
    snprintf(path, sizeof(path), "proc/%d/stat", pid);
    rig_write(&rig, path, stat, strlen(stat));
}

#define STAT(comm, start_time)                                                                     \
    "1 (" comm ") S 1 1 1 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 3 0 " start_time                       \
    " 1 2 18446744073709551615 1 1 0 0 0 0 0 0 0 0 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n"

static const struct watched_owner *owner(pid_t pid) {
    for (size_t i = 0; i < rig.watch.n_owners; i++)
        if (rig.watch.owners[i].pid == pid)
            return &rig.watch.owners[i];
    return NULL;
}

START_TEST(all_owners_are_found_and_verified) {
    WRITE("proc/net/udp", { 514, 77, 0, 5 }, { 53, 78, 0, 9 });
    write_process(10, STAT(") R 1 2\n\033[31m(x", "900"));
    write_process(11, STAT("b", "901"));
    write_process(12, STAT("c", "902"));
    rig_link(&rig, "proc/10/fd/0", "/dev/null");
    rig_link(&rig, "proc/10/fd/7", "socket:[77]");
    rig_link(&rig, "proc/10/fd/9", "socket:[78]");
    rig_link(&rig, "proc/11/fd/3", "socket:[77]");
    rig_link(&rig, "proc/12/fd/3", "socket:[777]");
    rig_link(&rig, "proc/12/fd/4", "socket:[77] ");
    rig_link(&rig, "proc/12/fd/5", "pipe:[77]");
    rig_link(&rig, "proc/12/fd/6", "socket:[4294967373]"); // 77 + 2^32
    look();
    ck_assert_int_eq(value(514, SOCKET_OWNERS), 2);
    ck_assert_str_eq(text(514, SOCKET_OWNER_STATE), "found");
    ck_assert_int_eq(value(53, SOCKET_OWNERS), 1);
    ck_assert_uint_eq(rig.watch.n_owners, 3);
    ck_assert_uint_eq(rig.watch.n_processes, 2);
    ck_assert_int_eq(rig.watch.processes[0].pid, 10);
    ck_assert_uint_eq(rig.watch.processes[0].start_time, 900);
    ck_assert_uint_eq(rig.watch.processes[0].n_sockets, 2);
    ck_assert_ptr_nonnull(watch_find_process(&rig.watch, 11));
    ck_assert_ptr_null(watch_find_process(&rig.watch, 12));

    struct rows rows;
    struct outcome outcome = { .state = OUTCOME_OK };
    rows_init(&rows, &owner_table);
    owner_collector.collect(&rig.context, NULL, &rows, &outcome);
    ck_assert_uint_eq(rows.n, 3);
    ck_assert_int_eq(outcome.state, OUTCOME_OK);
    const cell *row = rows_at(&rows, 2);
    ck_assert_int_eq(row[0], 77);
    ck_assert_int_eq(row[1], 11);
    ck_assert_int_eq(row[2], 901);
    ck_assert_int_eq(row[3], 3);
    ck_assert_str_eq(rows_text(&rows, row[4]), "host");
    rows_done(&rows);

    // One closes it, the other number is another process by now.
    WRITE("proc/net/udp", { 514, 77, 0, 6 }, { 53, 78, 0, 10 });
    rig_remove(&rig, "proc/11/fd/3");
    look();
    ck_assert_int_eq(value(514, SOCKET_OWNERS), 1);
    write_process(10, STAT("other", "5000"));
    look();
    ck_assert_ptr_nonnull(owner(10)); // found anew, as itself
    ck_assert_uint_eq(owner(10)->start_time, 5000);
    rig_remove(&rig, "proc/10");
    look();
    ck_assert_int_eq(value(514, SOCKET_OWNERS), 0);
    ck_assert_str_eq(text(514, SOCKET_OWNER_STATE), "unknown");
    ck_assert_uint_eq(rig.watch.n_processes, 0);
}
END_TEST

START_TEST(a_process_that_cannot_be_told_is_no_owner) {
    static const char *const stats[] = { "", "10", "10 (a", "10 (a)", "10 (a) S 1 2 3\n",
        "10 (a) S x\n" };
    WRITE("proc/net/udp", { 514, 77, 0, 5 });
    rig_link(&rig, "proc/10/fd/7", "socket:[77]");
    for (size_t i = 0; i < sizeof(stats) / sizeof(stats[0]); i++) {
        write_process(10, stats[i]);
        WRITE("proc/net/udp", { 514, 77, 0, 6 + (unsigned) i });
        look();
        ck_assert_uint_eq(rig.watch.n_owners, 0);
        ck_assert_int_eq(value(514, SOCKET_OWNERS), 0);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("socket owners of a directory");
    TCase *tcase = tcase_create("owners");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, all_owners_are_found_and_verified);
    tcase_add_test(tcase, a_process_that_cannot_be_told_is_no_owner);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
