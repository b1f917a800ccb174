// SPDX-License-Identifier: GPL-2.0-or-later
// Control groups
#include <stdio.h>
#include <string.h>

#include "collectors/cgroup.h"
#include "collectors/cgroup_files.h"
#include "collectors/cgroup_mounts.h"
#include "collectors/list.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"
#include "tests/process/watched.h"

static bool same(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

static void check_paths(const char *text, const char *cpu, const char *memory, const char *freezer,
        const char *pressure) {
    struct cgroup_paths paths;
    cgroup_paths_parse(text, strlen(text), &paths);
    ck_assert_msg(same(paths.path[CGROUP_PART_CPU], cpu), "%s", text);
    ck_assert_msg(same(paths.path[CGROUP_PART_MEMORY], memory), "%s", text);
    ck_assert_msg(same(paths.path[CGROUP_PART_FREEZER], freezer), "%s", text);
    ck_assert_msg(same(paths.path[CGROUP_PART_UNIFIED], pressure), "%s", text);
}

START_TEST(paths_of_a_process) {
    check_paths("0::/system.slice/a.service\n", "/system.slice/a.service",
            "/system.slice/a.service", "/system.slice/a.service", "/system.slice/a.service");
    // Version 1 by systemd: few controllers have a group for each unit.
    check_paths(
            "11:memory:/system.slice/a.service\n4:cpuacct,cpu:/\n3:freezer:/\n1:name=systemd:/x\n",
            "/", "/system.slice/a.service", "/", "");
    check_paths("4:cpuset:/q\n5:cpuacct:/r\n0::/u\n", "/u", "/u", "/u", "/u");
    check_paths("4:cpu:/c:d\n0::/u\n", "/c:d", "/u", "/u", "/u");
    // Out of sight: above our own namespace, or removed.
    check_paths("0::/../other\n", "", "", "", "");
    check_paths("0::/..\n", "", "", "", "");
    check_paths("0::/..a\n", "/..a", "/..a", "/..a", "/..a");
    check_paths("0::/gone (deleted)\n", "", "", "", "");
    check_paths("", "", "", "", "");
    check_paths("0::/cut", "", "", "", "");
    check_paths("nonsense\n:\n::\n0:\n", "", "", "", "");
}
END_TEST

START_TEST(units_of_a_path) {
    static const struct {
        const char *path, *unit;
    } cases[] = { { "/system.slice/a.service", "a.service" }, { "/system.slice", "system.slice" },
        { "/system.slice/a.service/supervisor/x", "a.service" }, { "/", "" }, { "", "" },
        { "/docker/0123", "" }, { "/user.slice/user-0.slice/session-1.scope", "session-1.scope" },
        { "/.service", "" }, { "/a.service.d", "" } };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
        ck_assert_msg(same(cgroup_unit((struct span){ cases[i].path, strlen(cases[i].path) }),
                              cases[i].unit),
                "%s", cases[i].path);
}
END_TEST

#define LINE(id, root, point, type, options)                                                       \
    id " 1 0:" id " " root " " point " rw,relatime - " type " " type " " options "\n"

START_TEST(mounts_of_every_kind) {
    static const char text[] = LINE("20", "/", "/proc", "proc", "rw")
            LINE("21", "/", "/sys/fs/cgroup/cpu,cpuacct", "cgroup", "rw,cpu,cpuacct")
                    LINE("22", "/docker/ab", "/sys/fs/cgroup/my\\040memory", "cgroup", "rw,memory")
                            LINE("23", "/", "/sys/fs/cgroup/unified", "cgroup2", "rw,nsdelegate")
                                    LINE("24", "/deep", "/mnt/cpu", "cgroup",
                                            "rw,cpu,cpuacct") "25 nonsense\n";
    struct cgroup_mounts mounts = CGROUP_MOUNTS_EMPTY;
    ck_assert_int_eq(cgroup_mounts_parse(&mounts, text, sizeof(text) - 1), 0);
    const struct cgroup_mount *part = mounts.part;
    ck_assert_int_eq(part[CGROUP_PART_CPU].version, 1);
    ck_assert_str_eq(part[CGROUP_PART_CPU].point, "sys/fs/cgroup/cpu,cpuacct");
    ck_assert_str_eq(part[CGROUP_PART_MEMORY].point, "sys/fs/cgroup/my memory");
    ck_assert_str_eq(part[CGROUP_PART_MEMORY].root, "/docker/ab");
    ck_assert_int_eq(part[CGROUP_PART_FREEZER].version, 2);
    ck_assert_str_eq(part[CGROUP_PART_UNIFIED].point, "sys/fs/cgroup/unified");
    char path[PATH_MAX];
    struct span inside = { "/docker/ab/x", 12 }, outside = { "/docker/abc", 11 };
    ck_assert(cgroup_folder(&part[CGROUP_PART_MEMORY], inside, path));
    ck_assert_str_eq(path, "sys/fs/cgroup/my memory/x");
    ck_assert(!cgroup_folder(&part[CGROUP_PART_MEMORY], outside, path));
    ck_assert(cgroup_folder(&part[CGROUP_PART_CPU], outside, path));
    ck_assert_str_eq(path, "sys/fs/cgroup/cpu,cpuacct/docker/abc");
    for (size_t n = 0; n < sizeof(text); n++)
        ck_assert_int_eq(cgroup_mounts_parse(&mounts, text, n), 0);
    cgroup_mounts_done(&mounts);
}
END_TEST

static void put(const struct rig *rig, const char *path, const char *text) {
    rig_write(rig, path, text, strlen(text));
}

static void start(struct rig *rig, const char *mountinfo) {
    rig_start_empty(rig, &cgroup_collector);
    put(rig, "proc/self/mountinfo", mountinfo);
}

static void check(struct rig *rig, const char *expected) {
    rig->context.now_ms += 1000;
    rig_collect(rig);
    _cleanup_free_ char *dump = rig_dump(rig);
    ck_assert_str_eq(dump, expected);
}

START_TEST(version_2) {
    struct rig rig;
    start(&rig, LINE("23", "/", "/sys/fs/cgroup", "cgroup2", "rw"));
    put(&rig, "proc/812/cgroup", "0::/system.slice/a.service\n");
    put(&rig, "sys/fs/cgroup/system.slice/cpu.max", "50000 100000\n");
    put(&rig, "sys/fs/cgroup/system.slice/cpu.stat",
            "usage_usec 9\nuser_usec 8\nsystem_usec 1\nnr_periods 70\nnr_throttled 7\nthrottled_usec 1234\nnr_bursts 0\n");
    put(&rig, "sys/fs/cgroup/system.slice/cgroup.events", "populated 1\nfrozen 0\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/cpu.max", "max 100000\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/memory.current", "4096\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/memory.high", "8192\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/memory.max", "max\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/memory.events",
            "low 0\nhigh 5\nmax 6\noom 8\noom_kill 7\noom_group_kill 0\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/memory.stat", "anon 1\nsock 2048\nsockets 3\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/cgroup.events", "populated 1\nfrozen 1\n");
    put(&rig, "sys/fs/cgroup/system.slice/a.service/io.pressure",
            "some avg10=0.00 avg60=0.00 avg300=0.00 total=77\nfull avg10=0.00 avg60=0.00 avg300=0.00 total=7\n");
    watched_add(&rig.watch, 812, 1, 9, true);
    check(&rig,
            "path=/system.slice parent=/ unit=system.slice version=2 quota_us=50000 period_us=100000 periods=70 "
            "throttled_periods=7 throttled_us=1234 memory_current_bytes=- memory_high_bytes=- memory_max_bytes=- "
            "memory_high_events=- memory_max_events=- oom_events=- socket_memory_bytes=- "
            "socket_memory_max_bytes=- socket_memory_peak_bytes=- frozen=0 freezer_folder=- cpu_some_us=- memory_some_us=- "
            "io_some_us=-\n"
            "path=/system.slice/a.service parent=/system.slice unit=a.service version=2 quota_us=- "
            "period_us=100000 periods=- throttled_periods=- throttled_us=- memory_current_bytes=4096 "
            "memory_high_bytes=8192 memory_max_bytes=- memory_high_events=5 memory_max_events=6 oom_events=7 "
            "socket_memory_bytes=2048 socket_memory_max_bytes=- socket_memory_peak_bytes=- frozen=1 freezer_folder=/sys/fs/cgroup/system.slice/a.service "
            "cpu_some_us=- memory_some_us=- io_some_us=77\n");
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    // Nobody is watched: nothing is read.
    watched_clear(&rig.watch);
    rig_remove(&rig, "proc");
    check(&rig, "");
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    rig_stop(&rig);
}
END_TEST

START_TEST(version_1_with_several_hierarchies) {
    struct rig rig;
    start(&rig, LINE("21", "/", "/cg/cpu", "cgroup", "rw,cpu,cpuacct")
                        LINE("22", "/", "/cg/memory", "cgroup", "rw,memory")
                                LINE("23", "/", "/cg/freezer", "cgroup", "rw,freezer"));
    put(&rig, "proc/812/cgroup", "3:freezer:/b\n2:memory:/m\n1:cpu,cpuacct:/b\n");
    put(&rig, "cg/cpu/b/cpu.cfs_quota_us", "-1\n");
    put(&rig, "cg/cpu/b/cpu.cfs_period_us", "100000\n");
    put(&rig, "cg/cpu/b/cpu.stat", "nr_periods 3\nnr_throttled 2\nthrottled_time 5000999\n");
    put(&rig, "cg/freezer/b/freezer.state", "FREEZING\n");
    put(&rig, "cg/memory/b/memory.usage_in_bytes", "1\n"); // not a group of this process
    put(&rig, "cg/memory/m/memory.usage_in_bytes", "4096\n");
    put(&rig, "cg/memory/m/memory.limit_in_bytes", "9223372036854771712\n");
    put(&rig, "cg/memory/m/memory.failcnt", "12\n");
    put(&rig, "cg/memory/m/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n");
    put(&rig, "cg/memory/m/memory.kmem.tcp.limit_in_bytes", "16384\n");
    put(&rig, "cg/memory/m/memory.kmem.tcp.max_usage_in_bytes", "16384\n");
    put(&rig, "cg/memory/m/memory.kmem.tcp.usage_in_bytes", "8192\n");
    watched_add(&rig.watch, 812, 1, 9, false);
    check(&rig,
            "path=/b parent=/ unit= version=1 quota_us=- period_us=100000 periods=3 throttled_periods=2 "
            "throttled_us=5000 memory_current_bytes=- memory_high_bytes=- memory_max_bytes=- "
            "memory_high_events=- memory_max_events=- oom_events=- socket_memory_bytes=- "
            "socket_memory_max_bytes=- socket_memory_peak_bytes=- frozen=1 freezer_folder=/cg/freezer/b cpu_some_us=- memory_some_us=- "
            "io_some_us=-\n"
            "path=/m parent=/ unit= version=1 quota_us=- period_us=- periods=- throttled_periods=- throttled_us=- "
            "memory_current_bytes=4096 memory_high_bytes=- memory_max_bytes=- memory_high_events=- "
            "memory_max_events=12 oom_events=1 socket_memory_bytes=8192 socket_memory_max_bytes=16384 "
            "socket_memory_peak_bytes=16384 frozen=- freezer_folder=- cpu_some_us=- memory_some_us=- io_some_us=-\n");
    rig_stop(&rig);
}
END_TEST

// What a container sees of its own group.
START_TEST(a_root_with_limits) {
    static const char *const versions[] = { LINE("23", "/", "/cg", "cgroup2", "rw"),
        LINE("23", "/", "/cg", "cgroup", "rw,cpu,memory") };
    static const char *const cgroups[] = { "0::/\n", "1:cpu,memory:/\n" };
    struct rig rig;
    start(&rig, versions[_i]);
    put(&rig, "proc/812/cgroup", cgroups[_i]);
    put(&rig, "cg/cpu.max", "max 100000\n");
    put(&rig, "cg/memory.current", "4096\n");
    put(&rig, "cg/cpu.cfs_quota_us", "-1\n");
    put(&rig, "cg/cgroup.events", "populated 1\nfrozen 0\n");
    watched_add(&rig.watch, 812, 1, 9, true);
    check(&rig, "");
    put(&rig, "cg/cpu.max", "50000 100000\n");
    put(&rig, "cg/cpu.cfs_quota_us", "50000\n");
    check(&rig, ""); // it is asked again in a minute
    rig.context.now_ms += 60000;
    rig_collect(&rig);
    ck_assert_uint_eq(rig.rows.n, 1);
    ck_assert_int_eq(rig_value(&rig, "/", "quota_us"), 50000);
    ck_assert_str_eq(rows_text(&rig.rows, rig_value(&rig, "/", "parent")), "");
    rig_stop(&rig);
}
END_TEST

START_TEST(broken_files_tell_nothing) {
    static const char *const files[] = { "cpu.max", "cpu.stat", "memory.current", "memory.max",
        "memory.events", "cgroup.events", "cpu.pressure" };
    static const char *const texts[] = { "", "\n", "nr_periods 7", "nr_periods\n",
        "nr_periods x\nhigh -\nfrozen\n", "some avg10=0\n", "12", "99999999999999999999\n",
        "max\n" };
    struct rig rig;
    start(&rig, LINE("23", "/", "/cg", "cgroup2", "rw"));
    put(&rig, "proc/812/cgroup", "0::/a\n");
    watched_add(&rig.watch, 812, 1, 9, true);
    for (size_t t = 0; t < sizeof(texts) / sizeof(texts[0]); t++) {
        for (size_t f = 0; f < sizeof(files) / sizeof(files[0]); f++) {
            char path[64];
            snprintf(path, sizeof(path), "cg/a/%s", files[f]);
            put(&rig, path, texts[t]);
        }
        rig_collect(&rig);
        ck_assert_uint_eq(rig.rows.n, 1);
        for (size_t i = CGROUP_QUOTA; i < N_CGROUP_COLUMNS; i++)
            ck_assert_msg(rows_at(&rig.rows, 0)[i] == CELL_NULL, "%zu %s", i, texts[t]);
    }
    rig_stop(&rig);
}
END_TEST

START_TEST(no_hierarchy_is_said) {
    struct rig rig;
    start(&rig, LINE("20", "/", "/proc", "proc", "rw"));
    put(&rig, "proc/812/cgroup", "0::/a\n");
    watched_add(&rig.watch, 812, 1, 9, true);
    watched_add(&rig.watch, 813, 1, 10, true); // it has just ended
    check(&rig, "");
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    rig_remove(&rig, "proc/self/mountinfo");
    rig.context.now_ms += 100000;
    check(&rig, "");
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cgroup");
    TCase *tcase = tcase_create("files");
    tcase_add_test(tcase, paths_of_a_process);
    tcase_add_test(tcase, units_of_a_path);
    tcase_add_test(tcase, mounts_of_every_kind);
    tcase_add_test(tcase, version_2);
    tcase_add_test(tcase, version_1_with_several_hierarchies);
    tcase_add_loop_test(tcase, a_root_with_limits, 0, 2);
    tcase_add_test(tcase, broken_files_tell_nothing);
    tcase_add_test(tcase, no_hierarchy_is_said);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
