// SPDX-License-Identifier: GPL-2.0-or-later
// Room suite
//
// The size limit, and file systems that are full (in a private mount namespace: needs root).
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../suite.h"
#include "fixture.h"

#define MIB (INT64_C(1) << 20)
#define STEPS_PER_COMMIT 5

static struct fixture fixture;
static struct store *store;

static void set_up(void) {
    fixture_make(&fixture);
}

static void tear_down(void) {
    store = store_close(store);
    fixture_remove(&fixture);
}

static int64_t size_of(const char *suffix) {
    char path[160];
    struct stat status;
    snprintf(path, sizeof(path), "%s%s", fixture.path, suffix);
    return stat(path, &status) == 0 ? status.st_size : 0;
}

static int64_t size_of_all(void) {
    return size_of("") + size_of("-wal");
}

// A step of about a kilobyte.
static struct step *big_step(int64_t number) {
    struct step *step = new_step(HOUR_MS + number * 1000, 1000);
    add_flow(step, "host", 1, number, -number, "up");
    for (int i = 0; i < 40; i++)
        add_part(step, "an object with a name", i, number * 1000003 + i);
    return step;
}

// One transaction of steps. 0 or -errno, rolled back.
static int write_commit(int64_t *number) {
    int r = store_begin(store);
    if (r < 0)
        return r;
    for (int i = 1; r >= 0 && i <= STEPS_PER_COMMIT; i++) {
        struct step *step = big_step(*number + i);
        r = store_write_step(store, step);
        step_free(step);
    }
    if (r >= 0)
        r = store_commit(store);
    if (r >= 0)
        *number += STEPS_PER_COMMIT;
    else
        store_rollback(store);
    return r;
}

static int maintain(int64_t max_bytes, int64_t number) {
    struct retention retention = RETENTION_DEFAULT;
    retention.max_bytes = max_bytes;
    return store_maintain(store, &retention, HOUR_MS + number * 1000);
}

// The stored steps are the newest ones, without a hole, and whole.
static void expect_whole(int64_t number) {
    expect(store, "PRAGMA integrity_check", "ok");
    expect(store, "SELECT max(step) - min(step) + 1 - count(*) FROM step", "0");
    expect(store,
            "SELECT count(*) FROM step s WHERE (SELECT lost FROM flow f WHERE f.step = s.step)"
            " IS NOT 1 OR (SELECT count(*) FROM part p WHERE p.step = s.step) <> 40",
            "0");
    expect(store, "SELECT (SELECT min(step) FROM flow) - min(step) FROM step", "0");
    char end[32];
    snprintf(end, sizeof(end), "%ld", (long) (HOUR_MS + number * 1000));
    expect(store, "SELECT max(end_ms) FROM step", end);
}

START_TEST(test_the_limit_always_holds) {
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0, highest = 0;
    ck_assert_int_eq(maintain(4 * MIB, 0), 0);
    while (number < 12000) {
        int r = write_commit(&number);
        ck_assert_msg(r == 0, "%d %s", r, store_error(store));
        if (number % 60 == 0)
            ck_assert_int_eq(maintain(4 * MIB, number), 0);
        if (size_of_all() > highest)
            highest = size_of_all();
    }
    ck_assert_int_le(highest, 4 * MIB);
    ck_assert_int_ge(highest, 2 * MIB);
    expect_whole(number);
    // The minutes last longer than the steps.
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, "SELECT sum(lost) FROM flow_minute", "12000");
    expect(store, "SELECT sum(lost) FROM flow_hour", "12000");
}
END_TEST

START_TEST(test_a_full_database_says_so_and_recovers) {
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0;
    ck_assert_int_eq(maintain(4 * MIB, 0), 0);
    int r;
    while ((r = write_commit(&number)) == 0)
        ck_assert_int_lt(number, 20000);
    ck_assert_int_eq(r, -ENOSPC);
    ck_assert_ptr_nonnull(strstr(store_error(store), "size limit"));
    ck_assert_int_le(size_of_all(), 4 * MIB);
    expect_whole(number);
    ck_assert_int_eq(maintain(4 * MIB, number), 0);
    ck_assert_int_eq(write_commit(&number), 0);
    expect_whole(number);
}
END_TEST

START_TEST(test_a_lower_limit_shrinks_the_file) {
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0;
    while (size_of("") < 8 * MIB)
        ck_assert_int_eq(write_commit(&number), 0);
    for (int i = 0; i < 20; i++) {
        ck_assert_int_eq(maintain(4 * MIB, number), 0);
        ck_assert_int_eq(write_commit(&number), 0);
    }
    ck_assert_int_le(size_of_all(), 4 * MIB);
    expect_whole(number);
}
END_TEST

START_TEST(test_a_reader_that_stays_does_not_break_the_limit) {
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0;
    ck_assert_int_eq(maintain(4 * MIB, 0), 0);
    ck_assert_int_eq(write_commit(&number), 0);
    sqlite3 *reader = NULL;
    sqlite3_open_v2(fixture.path, &reader, SQLITE_OPEN_READONLY, NULL);
    ck_assert_str_eq(ask(reader, "BEGIN"), "");
    ck_assert_str_eq(ask(reader, "SELECT count(*) FROM step"), "5");
    int r;
    while ((r = write_commit(&number)) == 0)
        ck_assert_int_lt(number, 20000);
    ck_assert_int_eq(r, -ENOSPC);
    ck_assert_ptr_nonnull(strstr(store_error(store), "reads it for long"));
    ck_assert_int_le(size_of("-wal"), MIB);
    ck_assert_int_eq(maintain(4 * MIB, number), -ENOSPC);
    ck_assert_str_eq(ask(reader, "SELECT count(*) FROM step"), "5");
    ck_assert_str_eq(ask(reader, "COMMIT"), "");
    ck_assert_int_eq(write_commit(&number), 0);
    ck_assert_int_eq(maintain(4 * MIB, number), 0);
    sqlite3_close(reader);
    expect_whole(number);
}
END_TEST

// A file system of its own. False: not allowed here.
static bool mount_small(const char *options) {
    if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0 &&
            mount("tmpfs", fixture.folder, "tmpfs", 0, options) == 0)
        return true;
    printf("# skipped: no private mount namespace: %s\n", strerror(errno));
    return false;
}

// Takes all that is left; returns how much that was.
static int64_t take_the_rest(void) {
    static char block[4096];
    memset(block, 'x', sizeof(block));
    char path[160];
    snprintf(path, sizeof(path), "%s/filler", fixture.folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND, 0600);
    ck_assert_int_ge(fd, 0);
    int64_t taken = 0;
    for (ssize_t n; (n = write(fd, block, sizeof(block))) > 0;)
        taken += n;
    close(fd);
    return taken;
}

static void unmount_small(void) {
    store = store_close(store);
    ck_assert_int_eq(umount2(fixture.folder, MNT_DETACH), 0);
}

START_TEST(test_a_full_file_system_loses_nothing) {
    if (!mount_small("size=12m"))
        return;
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0;
    ck_assert_int_eq(maintain(8 * MIB, 0), 0);
    ck_assert_int_eq(maintain(8 * MIB, 0), 0);
    ck_assert_int_eq(size_of("-ballast"), MIB);
    while (number < 1200)
        ck_assert_int_eq(write_commit(&number), 0);
    ck_assert_int_gt(take_the_rest(), 4 * MIB);
    int refused = 0;
    while (number < 6000) {
        int r = write_commit(&number);
        if (r < 0) {
            ck_assert_msg(r == -ENOSPC, "%d %s", r, store_error(store));
            refused++;
            r = maintain(8 * MIB, number);
            ck_assert_msg(r == 0, "%d %s", r, store_error(store));
        } else if (number % 60 == 0) {
            ck_assert_int_eq(maintain(8 * MIB, number), 0);
        }
        ck_assert_int_lt(refused, 30);
    }
    ck_assert_int_gt(refused, 0);
    ck_assert_int_eq(size_of("-ballast"), 0);
    expect_whole(number);
    ck_assert_int_eq(store_roll_up(store), 0);
    expect(store, "SELECT sum(lost) FROM flow_minute", "6000");
    // It opens again, full as it is.
    store_close(store);
    store = open_store(fixture.path, STORE_WRITE);
    expect_whole(number);
    // When there is room again, the ballast comes back.
    char filler[160];
    snprintf(filler, sizeof(filler), "%s/filler", fixture.folder);
    unlink(filler);
    ck_assert_int_eq(maintain(8 * MIB, number), 0);
    ck_assert_int_eq(maintain(8 * MIB, number), 0);
    ck_assert_int_eq(size_of("-ballast"), MIB);
    unmount_small();
}
END_TEST

START_TEST(test_a_file_system_stays_full) {
    if (!mount_small("size=6m"))
        return;
    store = open_store(fixture.path, STORE_WRITE);
    int64_t number = 0;
    ck_assert_int_eq(maintain(4 * MIB, 0), 0);
    while (number < 600)
        ck_assert_int_eq(write_commit(&number), 0);
    // Others take whatever is given back.
    int refused = 0;
    for (int i = 0; i < 200; i++) {
        take_the_rest();
        int r = write_commit(&number);
        ck_assert(r == 0 || r == -ENOSPC);
        refused += r < 0;
        if (r < 0) {
            r = maintain(4 * MIB, number);
            ck_assert(r == 0 || r == -ENOSPC);
        }
    }
    ck_assert_int_gt(refused, 0);
    expect_whole(number);
    // A reader reads.
    struct store *reader = open_store(fixture.path, STORE_READ);
    char newest[32];
    snprintf(newest, sizeof(newest), "%ld", (long) (HOUR_MS + number * 1000));
    expect(reader, "SELECT max(end_ms) FROM step", newest);
    store_close(reader);
    unmount_small();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("room");
    TCase *tcase = tcase_create("room");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 180);
    tcase_add_test(tcase, test_the_limit_always_holds);
    tcase_add_test(tcase, test_a_full_database_says_so_and_recovers);
    tcase_add_test(tcase, test_a_lower_limit_shrinks_the_file);
    tcase_add_test(tcase, test_a_reader_that_stays_does_not_break_the_limit);
    tcase_add_test(tcase, test_a_full_file_system_loses_nothing);
    tcase_add_test(tcase, test_a_file_system_stays_full);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
