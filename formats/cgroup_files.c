// SPDX-License-Identifier: GPL-2.0-or-later
// Files of control groups
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/proc_path.h"
#include "formats/place.h"

// Version 1 writes the largest multiple of a page where there is no limit.
#define NO_LIMIT (UINT64_C(1) << 60)

struct file {
    const char *name;
    int version;        // 0: both have it
    const char *key;    // the first word of the line; NULL: the line is the value
    const char *column; // NULL: two numbers, quota and period
    uint64_t per;       // units of the file in one of the column
};

static const struct file files[] = {
    { "cpu.max", 2, NULL, NULL, 1 },
    { "cpu.stat", 0, "nr_periods", "periods", 1 },
    { "cpu.stat", 0, "nr_throttled", "throttled_periods", 1 },
    { "cpu.stat", 2, "throttled_usec", "throttled_us", 1 },
    { "cpu.stat", 1, "throttled_time", "throttled_us", 1000 },
    { "cpu.cfs_quota_us", 1, NULL, "quota_us", 1 },
    { "cpu.cfs_period_us", 1, NULL, "period_us", 1 },
    { "memory.current", 2, NULL, "memory_current_bytes", 1 },
    { "memory.high", 2, NULL, "memory_high_bytes", 1 },
    { "memory.max", 2, NULL, "memory_max_bytes", 1 },
    { "memory.events", 2, "high", "memory_high_events", 1 },
    { "memory.events", 2, "max", "memory_max_events", 1 },
    { "memory.events", 2, "oom_kill", "oom_events", 1 },
    { "memory.stat", 2, "sock", "socket_memory_bytes", 1 },
    { "memory.usage_in_bytes", 1, NULL, "memory_current_bytes", 1 },
    { "memory.limit_in_bytes", 1, NULL, "memory_max_bytes", 1 },
    { "memory.failcnt", 1, NULL, "memory_max_events", 1 },
    { "memory.oom_control", 1, "oom_kill", "oom_events", 1 },
    { "memory.kmem.tcp.usage_in_bytes", 1, NULL, "socket_memory_bytes", 1 },
    { "memory.kmem.tcp.limit_in_bytes", 1, NULL, "socket_memory_max_bytes", 1 },
    { "memory.kmem.tcp.max_usage_in_bytes", 1, NULL, "socket_memory_peak_bytes", 1 },
    { "cgroup.freeze", 2, NULL, "frozen", 1 },
    { "cgroup.events", 2, "frozen", "frozen", 1 },
    { "freezer.state", 1, "FROZEN", "frozen", 0 },
    { "freezer.state", 1, "FREEZING", "frozen", 0 },
    { "freezer.state", 1, "THAWED", "frozen", 0 },
    { "cpu.pressure", 2, "some", "cpu_some_us", 1 },
    { "memory.pressure", 2, "some", "memory_some_us", 1 },
    { "io.pressure", 2, "some", "io_some_us", 1 },
};
#define N_FILES (sizeof(files) / sizeof(files[0]))

static const char *base_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// The group in the words of /proc/PID/cgroup: what stands between the mount point and the file. The
// hierarchies of version 1 are mounted below it, each under its controllers.
static bool group_of(const char *path, char *ret, size_t size, int *ret_version) {
    static const char *const controllers[] = { "cpu", "memory", "freezer", "blkio", "pids",
        "devices", "systemd", "unified", "cpuset", "net_cls", "hugetlb", "perf_event", "rdma",
        "net_prio" };
    const char *at = strstr(path, "sys/fs/cgroup/");
    if (!at)
        return false;
    at += strlen("sys/fs/cgroup/");
    *ret_version = 2;
    size_t n = strcspn(at, "/,");
    for (size_t i = 0; i < sizeof(controllers) / sizeof(controllers[0]) && at[strcspn(at, "/")];
            i++)
        if (strncmp(at, controllers[i], strlen(controllers[i])) == 0 &&
                (n == strlen(controllers[i]) || strncmp(at, "cpuacct", n) == 0)) {
            *ret_version = strncmp(at, "unified", n) == 0 ? 2 : 1;
            at += strcspn(at, "/") + 1;
            break;
        }
    const char *end = strrchr(at, '/');
    return (size_t) snprintf(ret, size, "/%.*s", end ? (int) (end - at) : 0, at) < size;
}

static void open_group(
        struct intake *intake, const struct line *line, const char *group, int version) {
    char parent[PLACE_SIZE];
    intake_row(intake, line, "cgroup", (const char *const[]){ group });
    intake_set(intake, "version", (uint64_t) version);
    const char *slash = strrchr(group, '/');
    if (group[1] == '\0')
        return;
    snprintf(parent, sizeof(parent), "%.*s", slash == group ? 1 : (int) (slash - group), group);
    intake_set_text(intake, "parent", parent);
    size_t n = strlen(slash);
    if ((n > 8 && strcmp(slash + n - 8, ".service") == 0) ||
            (n > 6 &&
                    (strcmp(slash + n - 6, ".scope") == 0 || strcmp(slash + n - 6, ".slice") == 0)))
        intake_set_text(intake, "unit", slash + 1);
}

// "max" is no limit: nothing to set.
static void put_limit(
        struct intake *intake, const char *column, const struct word *word, uint64_t per) {
    uint64_t value;
    if (word_count(word, &value) && value < NO_LIMIT)
        intake_set(intake, column, value / per);
}

static void put(struct intake *intake, const struct file *file, const struct word *words, size_t n,
        const char *text) {
    struct word total;
    if (!file->column) {
        put_limit(intake, "quota_us", &words[0], 1);
        if (n > 1)
            put_limit(intake, "period_us", &words[1], 1);
    } else if (file->per == 0)
        intake_set(intake, file->column, strcmp(file->key, "THAWED") != 0);
    else if (pathed_pressure(text, "some", &total))
        intake_put(intake, file->column, &total);
    else
        put_limit(intake, file->column, &words[file->key != NULL && n > 1], file->per);
}

static bool take(struct intake *intake, const struct line *line, const char *text, const char *path,
        const char *name) {
    char group[PLACE_SIZE];
    struct word words[8];
    int version;
    struct word total;
    uint64_t number;
    size_t n = words_split(text, words, 8);
    bool is = n == 1 || (n == 2 && word_count(&words[1], &number)) ||
              pathed_pressure(text, "some", &total) || pathed_pressure(text, "full", &total);
    if (!is || !group_of(path, group, sizeof(group), &version))
        return false;
    open_group(intake, line, group, version);
    for (size_t i = 0; i < N_FILES; i++)
        if (strcmp(base_of(path), files[i].name) == 0 &&
                (!files[i].key || word_is(&words[0], files[i].key)) &&
                (files[i].version == 0 || files[i].version == version))
            put(intake, &files[i], words, n, text);
    return true;
}

pathed_line *cgroup_line(const char *path) {
    char group[PLACE_SIZE];
    int version;
    for (size_t i = 0; i < N_FILES; i++)
        if (strcmp(base_of(path), files[i].name) == 0)
            return group_of(path, group, sizeof(group), &version) ? take : NULL;
    return NULL;
}
