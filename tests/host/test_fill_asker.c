// SPDX-License-Identifier: GPL-2.0-or-later
// Fill asker
//
// Also with a file system that never answers: a FUSE mount that nobody serves, in a mount namespace
// of our own.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/fill_asker.h"
#include "tests/suite.h"

#define WAIT_MS 2000 // for answers that do come
#define NOW 1000000  // the clock is ours

static struct fill_asker *asker;

static void setup(void) {
    asker = fill_asker_new();
    ck_assert_ptr_nonnull(asker);
}

static void teardown(void) {
    asker = fill_asker_free(asker);
}

// The mount that is at a path now.
static int64_t mount_id(const char *path) {
    struct statx status;
    ck_assert_int_eq(statx(AT_FDCWD, path, AT_NO_AUTOMOUNT, STATX_MNT_ID, &status), 0);
    return status.stx_mask & STATX_MNT_ID ? (int64_t) status.stx_mnt_id : 0;
}

static void set(const char *a, const char *b) {
    struct fill_target targets[] = { { a, mount_id(a) }, { b, mount_id(b) } };
    ck_assert_int_eq(fill_asker_set(asker, targets, 2), 0);
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

START_TEST(says_what_statvfs_says) {
    struct statvfs status;
    set("/", "/proc");
    ck_assert_int_eq(fill_asker_answer(asker, 0)->error, ENODATA);
    ck_assert_int_eq(fill_asker_ask(asker, NOW, WAIT_MS), 0);
    const struct fill *fill = fill_asker_answer(asker, 0);
    ck_assert_int_eq(statvfs("/", &status), 0);
    ck_assert_int_eq(fill->error, 0);
    ck_assert_uint_eq(fill->size_bytes, status.f_blocks * status.f_frsize);
    ck_assert_uint_eq(fill->files, status.f_files);
    ck_assert_uint_le(fill->available_bytes, fill->free_bytes);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, 0);
    pid_t pid = fill_asker_pid(asker);
    ck_assert_int_gt(pid, 0);
    set("/", "/proc"); // nothing new
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 10000, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_pid(asker), pid);
}
END_TEST

START_TEST(what_is_not_there) {
    struct fill_target targets[] = { { "/nowhere", 1 }, { "/", 1 << 30 }, { "/", mount_id("/") } };
    ck_assert_int_eq(fill_asker_set(asker, targets, 3), 0);
    ck_assert_int_eq(fill_asker_ask(asker, NOW, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_answer(asker, 0)->error, ENOENT);
    if (mount_id("/"))
        ck_assert_int_eq(fill_asker_answer(asker, 1)->error, ESTALE); // another mount hides it
    ck_assert_int_eq(fill_asker_answer(asker, 2)->error, 0);
    ck_assert_int_eq(fill_asker_set(asker, NULL, 0), 0);
    ck_assert_int_eq(fill_asker_ask(asker, NOW, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_pid(asker), 0);
}
END_TEST

START_TEST(a_process_that_stands_still) {
    set("/", "/proc");
    ck_assert_int_eq(fill_asker_ask(asker, NOW, WAIT_MS), 0);
    uint64_t size = fill_asker_answer(asker, 0)->size_bytes;
    pid_t pid = fill_asker_pid(asker);
    kill(pid, SIGSTOP);
    double begin = seconds();
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 1000, 10), 0);
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 2000, 10), 0);
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 3000, 10), 0);
    ck_assert_msg(seconds() - begin < 1, "the caller waited");
    ck_assert_int_eq(fill_asker_pid(asker), pid);
    ck_assert_uint_eq(fill_asker_answer(asker, 0)->size_bytes, size); // the latest answer
    // Out of patience; no file system is to blame.
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 1000 + FILL_PATIENCE_MS, WAIT_MS), 0);
    ck_assert_int_ne(fill_asker_pid(asker), pid);
    ck_assert_int_eq(fill_asker_answer(asker, 0)->error, 0);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, 0);
    ck_assert_int_eq(kill(pid, 0), -1); // gone, and waited for
    ck_assert_int_eq(errno, ESRCH);
}
END_TEST

START_TEST(a_process_that_was_killed) {
    set("/", "/proc");
    ck_assert_int_eq(fill_asker_ask(asker, NOW, WAIT_MS), 0);
    pid_t pid = fill_asker_pid(asker);
    kill(pid, SIGKILL);
    fill_asker_ask(asker, NOW + 1000, WAIT_MS);
    ck_assert_int_eq(fill_asker_ask(asker, NOW + 2000, WAIT_MS), 0);
    ck_assert_int_ne(fill_asker_pid(asker), pid);
    ck_assert_int_gt(fill_asker_pid(asker), 0);
    ck_assert_int_eq(fill_asker_answer(asker, 0)->error, 0);
}
END_TEST

START_TEST(ends_with_its_parent) {
    int ends[2];
    pid_t asking = 0;
    ck_assert_int_eq(pipe(ends), 0);
    pid_t pid = fork();
    if (pid == 0) {
        set("/", "/proc");
        fill_asker_ask(asker, NOW, WAIT_MS);
        asking = fill_asker_pid(asker);
        _exit(write(ends[1], &asking, sizeof(asking)) != sizeof(asking));
    }
    ck_assert_int_eq(read(ends[0], &asking, sizeof(asking)), sizeof(asking));
    waitpid(pid, NULL, 0);
    double begin = seconds();
    while (kill(asking, 0) == 0 && seconds() - begin < 5) {
        char path[64], state = 'Z';
        snprintf(path, sizeof(path), "/proc/%d/stat", asking);
        FILE *file = fopen(path, "re");
        if (file) {
            ck_assert_int_ge(fscanf(file, "%*d %*s %c", &state), 0);
            fclose(file);
        }
        if (state == 'Z') // whoever adopted it does not care
            return;
        usleep(10000);
    }
    ck_assert_int_eq(kill(asking, 0), -1);
}
END_TEST

// -1 where that is refused; the file descriptor keeps the connection.
static int mount_fuse(const char *folder) {
    char options[128];
    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        return -1;
    int fd = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fd);
    if (fd < 0 || mount("nobody", folder, "fuse", MS_NOSUID | MS_NODEV, options) < 0)
        return -1;
    return fd;
}

START_TEST(a_file_system_that_hangs) {
    char folder[] = "/tmp/udpdiag-fuse-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    int fuse = mount_fuse(folder);
    if (fuse < 0) {
        fprintf(stderr, "# skipped: no FUSE mount here (%s)\n", strerror(errno));
        rmdir(folder);
        return;
    }
    struct fill_target targets[] = { { "/", mount_id("/") }, { folder, 0 },
        { "/proc", mount_id("/proc") } };
    ck_assert_int_eq(fill_asker_set(asker, targets, 3), 0);
    double begin = seconds();
    ck_assert_int_eq(fill_asker_ask(asker, NOW, 50), 0);
    ck_assert_msg(seconds() - begin < 1, "the caller waited");
    ck_assert_int_eq(fill_asker_answer(asker, 0)->error, 0); // asked before it
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, ENODATA);
    ck_assert_int_eq(fill_asker_answer(asker, 2)->error, ENODATA);
    pid_t pid = fill_asker_pid(asker);
    // Out of patience: that one is named, the others are asked by a new process.
    int64_t now = NOW + FILL_PATIENCE_MS;
    ck_assert_int_eq(fill_asker_ask(asker, now, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, ETIMEDOUT);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->hangs_since_ms, NOW);
    ck_assert_int_eq(fill_asker_answer(asker, 2)->error, 0);
    ck_assert_int_ne(fill_asker_pid(asker), pid);
    // It is left alone for a while, then tried again, and left alone for longer.
    now += FILL_RETRY_MS - 1;
    ck_assert_int_eq(fill_asker_ask(asker, now, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, ETIMEDOUT);
    pid = fill_asker_pid(asker);
    now += 1;
    ck_assert_int_eq(fill_asker_ask(asker, now, 50), 0);
    ck_assert_int_eq(fill_asker_pid(asker), pid);
    now += FILL_PATIENCE_MS;
    ck_assert_int_eq(fill_asker_ask(asker, now, WAIT_MS), 0);
    ck_assert_int_ne(fill_asker_pid(asker), pid);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->hangs_since_ms, NOW);
    pid = fill_asker_pid(asker);
    ck_assert_int_eq(fill_asker_ask(asker, now + FILL_RETRY_MS, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_pid(asker), pid);
    // It comes back, here with an error.
    close(fuse);
    ck_assert_int_eq(fill_asker_ask(asker, now + 2 * FILL_RETRY_MS, WAIT_MS), 0);
    ck_assert_int_eq(fill_asker_answer(asker, 1)->error, ENOTCONN);
    umount2(folder, MNT_DETACH);
    rmdir(folder);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("fill asker");
    TCase *tcase = tcase_create("asking");
    tcase_set_timeout(tcase, 30);
    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, says_what_statvfs_says);
    tcase_add_test(tcase, what_is_not_there);
    tcase_add_test(tcase, a_process_that_stands_still);
    tcase_add_test(tcase, a_process_that_was_killed);
    tcase_add_test(tcase, ends_with_its_parent);
    tcase_add_test(tcase, a_file_system_that_hangs);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
