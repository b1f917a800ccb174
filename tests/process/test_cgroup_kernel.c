// SPDX-License-Identifier: GPL-2.0-or-later
// Control groups of this host
//
// In groups of its own, where it may make some.
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/cgroup.h"
#include "collectors/cgroup_mounts.h"
#include "collectors/list.h"
#include "collectors/mount_list.h"
#include "collectors/process.h"
#include "tests/collectors/rig.h"
#include "tests/process/actor.h"
#include "tests/process/watched.h"

// Two groups, one in the other, in one hierarchy.
struct groups {
    struct cgroup_mount mount;
    char outer[PATH_MAX], inner[PATH_MAX]; // folders
    char path[64], inner_path[80];         // as the kernel names them
};

static struct cgroup_mounts mounts;
static pid_t suite_pid; // process of the suite, which forks the tests
static struct rig rig, processes;
static struct actor actor;

static bool set(const char *folder, const char *file, const char *value) {
    char path[PATH_MAX];
    snprintf(path, sizeof(path), "%.3000s/%s", folder, file);
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool done = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t) strlen(value);
    if (fd >= 0)
        close(fd);
    return done;
}

static void read_mounts(void) {
    struct source_file file = SOURCE_FILE_CLOSED;
    struct source source;
    ck_assert_int_eq(source_init(&source, NULL), 0);
    ck_assert_int_eq(source_read(&source, &file, MOUNT_LIST_PATH), 0);
    ck_assert_int_eq(cgroup_mounts_parse(&mounts, source.buffer, source.size), 0);
    source_file_close(&file);
    source_done(&source);
    suite_pid = getpid();
}

static bool name(struct groups *groups, enum cgroup_part part) {
    groups->mount = mounts.part[part];
    if (groups->mount.version == 0)
        return false;
    snprintf(groups->path, sizeof(groups->path), "/udpdiag-test-%d", (int) suite_pid);
    snprintf(groups->inner_path, sizeof(groups->inner_path), "%s/inner", groups->path);
    snprintf(groups->outer, sizeof(groups->outer), "/%.2000s%s", groups->mount.point, groups->path);
    snprintf(groups->inner, sizeof(groups->inner), "/%.2000s%s", groups->mount.point,
            groups->inner_path);
    return true;
}

static bool make(struct groups *groups, enum cgroup_part part) {
    return name(groups, part) && mkdir(groups->outer, 0755) == 0 && mkdir(groups->inner, 0755) == 0;
}

static void remove_groups(struct groups *groups) {
    for (int i = 0; i < 100 && rmdir(groups->inner) < 0 && errno == EBUSY; i++)
        wait_ms(10);
    rmdir(groups->outer);
}

// Also what a test that failed has left.
static void remove_all(void) {
    struct groups groups;
    for (int i = 0; i < N_CGROUP_PARTS; i++)
        if (name(&groups, i))
            remove_groups(&groups);
    cgroup_mounts_done(&mounts);
}

static void start(const struct groups *groups, actor_part *play) {
    char pid[16];
    actor = actor_start(play);
    snprintf(pid, sizeof(pid), "%d", (int) actor.pid);
    ck_assert(set(groups->inner, "cgroup.procs", pid));
    rig_start(&rig, &cgroup_collector, NULL);
    rig_start(&processes, &process_collector, NULL);
    watched_add(&rig.watch, actor.pid, actor.start_time, actor.inode, true);
    watched_add(&processes.watch, actor.pid, actor.start_time, actor.inode, true);
    rig_collect(&rig);
    rig_look(&processes);
}

static void end(struct groups *groups) {
    actor_end(&actor);
    rig_stop(&rig);
    rig_stop(&processes);
    remove_groups(groups);
}

START_TEST(a_quota_of_the_group_above) {
    struct groups groups = { 0 };
    bool made = make(&groups, CGROUP_PART_CPU);
    bool limited =
            made && (groups.mount.version == 2 ? set(groups.outer, "cpu.max", "10000 100000")
                                               : set(groups.outer, "cpu.cfs_quota_us", "10000"));
    if (!limited) { // no right to, or the controller is not given to the root's children
        remove_groups(&groups);
        return;
    }
    start(&groups, play_spin);
    ck_assert_int_eq(rig_value(&rig, groups.path, "quota_us"), 10000);
    ck_assert_int_eq(rig_value(&rig, groups.path, "period_us"), 100000);
    ck_assert_int_eq(rig_value(&rig, groups.path, "version"), groups.mount.version);
    cell throttled = rig_value(&rig, groups.path, "throttled_us");
    cell periods = rig_value(&rig, groups.path, "periods");
    wait_ms(500);
    rig_collect(&rig);
    ck_assert_int_ge(rig_value(&rig, groups.path, "throttled_us") - throttled, 50000);
    ck_assert_int_ge(rig_value(&rig, groups.path, "periods") - periods, 2);
    ck_assert_int_ge(rig_value(&rig, groups.path, "throttled_periods"), 2);
    // Nothing of that shows in the group of the process itself.
    ck_assert(rig_value(&rig, groups.inner_path, "quota_us") == CELL_NULL);
    ck_assert_int_le(rig_value(&rig, groups.inner_path, "throttled_us"), 0);
    // The process leads to both, and waited for the CPU all the time.
    rig_collect(&processes);
    const cell *row = rows_at(&processes.rows, 0);
    ck_assert_str_eq(rows_text(&processes.rows, row[PROCESS_CGROUP]), groups.inner_path);
    ck_assert_int_ge(row[PROCESS_HOTTEST_DELAY], 100);
    end(&groups);
}
END_TEST

static void check_frozen(struct groups *groups, int column, cell frozen) {
    rig_collect(&rig);
    rig_collect(&processes);
    const cell *row = rows_at(&processes.rows, 0);
    ck_assert_str_eq(rows_text(&processes.rows, row[column]), groups->inner_path);
    ck_assert_int_eq(rig_value(&rig, groups->inner_path, "frozen"), frozen);
}

START_TEST(frozen_through_the_group_above) {
    static const enum cgroup_part parts[] = { CGROUP_PART_FREEZER, CGROUP_PART_UNIFIED };
    static const int columns[] = { PROCESS_FREEZER_CGROUP, PROCESS_UNIFIED_CGROUP };
    struct groups groups = { 0 };
    if (!make(&groups, parts[_i])) {
        remove_groups(&groups);
        return;
    }
    bool v1 = groups.mount.version == 1;
    start(&groups, play_sleep);
    check_frozen(&groups, columns[_i], 0);
    ck_assert(v1 ? set(groups.outer, "freezer.state", "FROZEN")
                 : set(groups.outer, "cgroup.freeze", "1"));
    wait_ms(100);
    check_frozen(&groups, columns[_i], 1);
    ck_assert(v1 ? set(groups.outer, "freezer.state", "THAWED")
                 : set(groups.outer, "cgroup.freeze", "0"));
    wait_ms(50);
    check_frozen(&groups, columns[_i], 0);
    end(&groups);
}
END_TEST

START_TEST(a_memory_limit) {
    struct groups groups = { 0 };
    bool made = make(&groups, CGROUP_PART_MEMORY);
    bool limited =
            made &&
            set(groups.inner, groups.mount.version == 2 ? "memory.max" : "memory.limit_in_bytes",
                    "67108864");
    if (!limited) {
        remove_groups(&groups);
        return;
    }
    start(&groups, play_sleep);
    ck_assert_int_eq(rig_value(&rig, groups.inner_path, "memory_max_bytes"), 67108864);
    ck_assert(rig_value(&rig, groups.path, "memory_max_bytes") == CELL_NULL);
    ck_assert_int_ge(rig_value(&rig, groups.inner_path, "memory_current_bytes"), 0);
    ck_assert_int_eq(rig_value(&rig, groups.inner_path, "memory_max_events"), 0);
    end(&groups);
}
END_TEST

START_TEST(a_group_that_goes) {
    struct groups groups = { 0 };
    if (!make(&groups, CGROUP_PART_FREEZER)) {
        remove_groups(&groups);
        return;
    }
    start(&groups, play_sleep);
    ck_assert_uint_ge(rig.rows.n, 2);
    actor_end(&actor);
    remove_groups(&groups);
    rig_collect(&rig);
    for (size_t i = 0; i < rig.rows.n; i++)
        ck_assert_ptr_null(
                strstr(rows_text(&rig.rows, rows_at(&rig.rows, i)[CGROUP_PATH]), groups.path));
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    rig_stop(&rig);
    rig_stop(&processes);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cgroup on this host");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 30);
    tcase_add_unchecked_fixture(tcase, read_mounts, remove_all);
    tcase_add_test(tcase, a_quota_of_the_group_above);
    tcase_add_loop_test(tcase, frozen_through_the_group_above, 0, 2);
    tcase_add_test(tcase, a_memory_limit);
    tcase_add_test(tcase, a_group_that_goes);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
