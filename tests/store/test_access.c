// SPDX-License-Identifier: GPL-2.0-or-later
// Access suite
//
// Who may read while the daemon runs, after it stopped and after it was killed. Needs root, to
// become others.
#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../suite.h"
#include "fixture.h"

#define READER_UID 61234
#define READER_GID 61235
#define KILLS 12

static struct fixture fixture;

// The folder of the service: its group may look, others may not.
static void set_up(void) {
    fixture_make(&fixture);
    if (geteuid() != 0)
        return;
    ck_assert_int_eq(chown(fixture.folder, 0, READER_GID), 0);
    ck_assert_int_eq(chmod(fixture.folder, 02750), 0);
}

static void tear_down(void) {
    fixture_remove(&fixture);
}

// Check collects what all processes of a test tell in one file without a name. One that is killed
// in the middle of a message would damage it.
static pid_t fork_to_kill(void) {
    pid_t pid = fork();
    int nowhere = pid == 0 ? open("/dev/null", O_WRONLY) : -1;
    for (int fd = STDERR_FILENO + 1; pid == 0 && fd < 64; fd++) {
        struct stat status;
        if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink == 0)
            dup2(nowhere, fd);
    }
    return pid;
}

// Opens the database as somebody else and looks. 0: read that many steps, or what went wrong.
static int read_as_other(gid_t gid, int steps) {
    if (setgroups(0, NULL) < 0 || setgid(gid) < 0 || setuid(READER_UID) < 0)
        return 1;
    struct store *store = NULL;
    char *error = NULL;
    int r = store_open(fixture.path, STORE_READ, both_tables, 2, &store, &error);
    if (r < 0) {
        fprintf(stderr, "# %d %s\n", r, error);
        return r == -EACCES ? 2 : 3;
    }
    struct window window;
    r = window_open(store, WINDOW_HISTORY, 0, INT64_MAX, &window);
    char sum[32];
    snprintf(sum, sizeof(sum), "%d", steps);
    if (r != 0 || strcmp(ask(store_db(store), "SELECT lost FROM temp.flow"), sum) != 0) {
        fprintf(stderr, "# %d %s: %s steps\n", r, store_error(store),
                r == 0 ? ask(store_db(store), "SELECT lost FROM temp.flow") : "no");
        return 4;
    }
    store_close(store);
    return 0;
}

static int wait_for(pid_t pid) {
    int status;
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int reader(gid_t gid, int steps) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(read_as_other(gid, steps));
    return wait_for(pid);
}

// A writer in a process of its own, which tells when it has written, and stays.
static pid_t writer(int steps, bool unfinished) {
    int pipes[2];
    char byte;
    ck_assert_int_eq(pipe(pipes), 0);
    pid_t pid = fork_to_kill();
    if (pid == 0) {
        struct store *store = open_store(fixture.path, STORE_WRITE);
        write_seconds(store, HOUR_MS, steps);
        if (unfinished) {
            store_begin(store);
            struct step *step = new_step(HOUR_MS + 1000000, 1000);
            add_flow(step, "host", 1, 0, 0, "up");
            write_step(store, step);
        }
        if (write(pipes[1], "", 1) == 1)
            pause();
        _exit(1);
    }
    ck_assert_int_eq(read(pipes[0], &byte, 1), 1);
    close(pipes[0]);
    close(pipes[1]);
    return pid;
}

static bool needs_root(void) {
    if (geteuid() == 0)
        return false;
    puts("# skipped: only root can become another user");
    return true;
}

START_TEST(test_the_group_reads_while_the_writer_runs) {
    if (needs_root())
        return;
    pid_t pid = writer(20, true);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    ck_assert_int_eq(reader(READER_GID + 1, 20), 2);
    kill(pid, SIGKILL);
    wait_for(pid);
}
END_TEST

START_TEST(test_the_group_reads_after_a_clean_stop) {
    if (needs_root())
        return;
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS, 20);
    store_close(store);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    // root looks in between.
    store_close(open_store(fixture.path, STORE_READ));
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    // With sqlite3, even: that removes the log.
    sqlite3 *db = NULL;
    ck_assert_int_eq(sqlite3_open(fixture.path, &db), SQLITE_OK);
    ck_assert_str_eq(ask(db, "SELECT count(*) FROM step"), "20");
    sqlite3_close(db);
    char log[160];
    snprintf(log, sizeof(log), "%s-wal", fixture.path);
    ck_assert_int_lt(access(log, F_OK), 0);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS + 20000, 5);
    ck_assert_int_eq(reader(READER_GID, 25), 0);
    store_close(store);
}
END_TEST

START_TEST(test_the_group_reads_after_a_kill) {
    if (needs_root())
        return;
    pid_t pid = writer(20, true);
    kill(pid, SIGKILL);
    wait_for(pid);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    // Whoever is root recovers the log; then, too.
    store_close(open_store(fixture.path, STORE_READ));
    ck_assert_int_eq(reader(READER_GID, 20), 0);
    struct store *store = open_store(fixture.path, STORE_WRITE);
    write_seconds(store, HOUR_MS + 20000, 5);
    ck_assert_int_eq(reader(READER_GID, 25), 0);
    store_close(store);
    ck_assert_int_eq(reader(READER_GID, 25), 0);
}
END_TEST

START_TEST(test_files_are_for_the_group) {
    mode_t before = umask(077);
    struct store *store = open_store(fixture.path, STORE_WRITE);
    umask(before);
    static const char *const suffixes[] = { "", "-wal", "-shm" };
    for (size_t i = 0; i < 3; i++) {
        char path[160];
        struct stat status;
        snprintf(path, sizeof(path), "%s%s", fixture.path, suffixes[i]);
        ck_assert_int_eq(stat(path, &status), 0);
        ck_assert_int_eq(status.st_mode & 07777, 0640);
    }
    store_close(store);
}
END_TEST

START_TEST(test_there_is_one_writer) {
    pid_t pid = writer(1, false);
    struct store *store = NULL;
    char *error = NULL, name[64];
    ck_assert_int_eq(store_open(fixture.path, STORE_WRITE, both_tables, 2, &store, &error), -EBUSY);
    snprintf(name, sizeof(name), "pid %d (", pid);
    ck_assert_msg(strstr(error, name) && strstr(error, ") writes it already"), "%s", error);
    free(error);
    kill(pid, SIGKILL);
    wait_for(pid);
    store = open_store(fixture.path, STORE_WRITE);
    // In one process, too.
    struct store *other = NULL;
    ck_assert_int_eq(store_open(fixture.path, STORE_WRITE, both_tables, 2, &other, &error), -EBUSY);
    free(error);
    write_seconds(store, HOUR_MS + 60000, 1);
    store_close(store);
}
END_TEST

static void write_until_killed(int fd, int64_t done) {
    struct store *store = open_store(fixture.path, STORE_WRITE);
    store_maintain(store, &RETENTION_DEFAULT, HOUR_MS + done * 1000);
    for (;; done += 5) {
        write_seconds(store, HOUR_MS + done * 1000, 5);
        int64_t written = done + 5;
        if (write(fd, &written, sizeof(written)) != sizeof(written))
            _exit(1);
    }
}

START_TEST(test_kills_lose_nothing_committed) {
    int64_t done = 0;
    unsigned random = 42;
    for (int i = 0; i < KILLS; i++) {
        int pipes[2];
        ck_assert_int_eq(pipe(pipes), 0);
        pid_t pid = fork_to_kill();
        if (pid == 0)
            write_until_killed(pipes[1], done);
        close(pipes[1]);
        random = random * 1664525 + 1013904223;
        usleep(20000 + (random >> 15) % 120000);
        kill(pid, SIGKILL);
        ck_assert_int_eq(wait_for(pid), 128 + SIGKILL);
        int64_t told;
        while (read(pipes[0], &told, sizeof(told)) == sizeof(told))
            done = told;
        close(pipes[0]);
        struct store *store = open_store(fixture.path, STORE_WRITE);
        int64_t kept = atoll(ask(store_db(store), "SELECT coalesce(max(step), 0) FROM step"));
        // What was told is there, and the commit after it may be.
        ck_assert_msg(kept == done || kept == done + 5, "%ld of %ld", (long) kept, (long) done);
        done = kept;
        char sums[128];
        snprintf(sums, sizeof(sums), "%ld|%ld|%ld|%ld", (long) kept, (long) kept, (long) kept,
                (long) (HOUR_MS + kept * 1000));
        if (kept > 0)
            expect(store,
                    "SELECT (SELECT sum(lost) FROM flow), (SELECT sum(lost) FROM flow_minute),"
                    " (SELECT sum(lost) FROM flow_hour), (SELECT max(end_ms) FROM step)",
                    sums);
        expect(store, "PRAGMA integrity_check", "ok");
        store_close(store);
    }
    ck_assert_int_gt(done, 100);
}
END_TEST

// Readers at work never get in the way, nor does the writer in theirs.
START_TEST(test_readers_see_whole_commits) {
    store_close(open_store(fixture.path, STORE_WRITE));
    pid_t pid = fork_to_kill();
    if (pid == 0) {
        struct store *store = open_store(fixture.path, STORE_WRITE);
        for (int i = 0;; i++)
            write_seconds(store, HOUR_MS + i * 5000, 5);
    }
    int looks = 0;
    for (int i = 0; i < 300 || looks < 100; i++) {
        struct store *store = open_store(fixture.path, STORE_READ);
        struct window window;
        int r = window_open(store, WINDOW_HISTORY, 0, INT64_MAX, &window);
        ck_assert_int_ge(r, 0);
        if (r == 0) {
            looks++;
            ck_assert_int_eq((int64_t) window.seconds % 5, 0);
            expect(store,
                    "SELECT lost - seconds, (SELECT sum(lost) FROM flow_step) - seconds"
                    " FROM temp.flow, temp.window",
                    "0.0|0.0");
        }
        store_close(store);
    }
    kill(pid, SIGKILL);
    wait_for(pid);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("access");
    TCase *tcase = tcase_create("access");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, test_the_group_reads_while_the_writer_runs);
    tcase_add_test(tcase, test_the_group_reads_after_a_clean_stop);
    tcase_add_test(tcase, test_the_group_reads_after_a_kill);
    tcase_add_test(tcase, test_files_are_for_the_group);
    tcase_add_test(tcase, test_there_is_one_writer);
    tcase_add_test(tcase, test_kills_lose_nothing_committed);
    tcase_add_test(tcase, test_readers_see_whole_commits);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
