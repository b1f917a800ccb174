// SPDX-License-Identifier: GPL-2.0-or-later
// Control groups
#include "lab/fault.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"

#define ROOT "/sys/fs/cgroup"
#define PREFIX "udpdiag-lab-"
#define QUOTA_PERIOD_US 100000

// What a controller of version 1 is called in version 2, and a file that only its groups have.
static const struct controller {
    const char *v1, *v2_file;
} controllers[] = {
    { "cpu", "cpu.max" },
    { "memory", "memory.max" },
    { "blkio", "io.max" },
    { "freezer", "cgroup.freeze" },
    { "", "cgroup.freeze" },
};

static const struct controller *find_controller(const char *name) {
    for (size_t i = 0; i < sizeof(controllers) / sizeof(controllers[0]); i++)
        if (strcmp(controllers[i].v1, name) == 0)
            return &controllers[i];
    return NULL;
}

static bool exists(const char *folder, const char *file) {
    char path[FAULT_PATH_SIZE + 64];
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    return access(path, F_OK) == 0;
}

static int put(
        struct lab *lab, const struct fault_group *group, const char *file, const char *text) {
    char path[FAULT_PATH_SIZE + 64];
    snprintf(path, sizeof(path), "%s/%s", group->path, file);
    _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0 || write(fd, text, strlen(text)) < 0)
        return lab_fail(lab, "%s to %s: %s", text, path, strerror(errno));
    return 0;
}

static int put_number(
        struct lab *lab, const struct fault_group *group, const char *file, int64_t value) {
    char text[24];
    snprintf(text, sizeof(text), "%" PRId64, value);
    return put(lab, group, file, text);
}

static int make(struct lab *lab, const struct fault_group *group) {
    if (access(group->path, F_OK) == 0)
        return 0;
    int r = lab_undo(lab, "rmdir %s", group->path);
    if (r < 0)
        return r;
    return mkdir(group->path, 0755) < 0 && errno != EEXIST
                   ? lab_fail(lab, "%s: %s", group->path, strerror(errno))
                   : 0;
}

int fault_group(
        struct lab *lab, const char *controller, const char *name, struct fault_group *ret) {
    const struct controller *known = find_controller(controller);
    const char *root = ROOT, *unified = ROOT "/unified";
    char v1[64];
    if (!known)
        return -EINVAL;
    snprintf(v1, sizeof(v1), ROOT "/%s", controller);
    if (exists(unified, "cgroup.controllers"))
        root = unified;
    bool is_v1 = *controller && exists(v1, "cgroup.procs");
    if (!is_v1 && !exists(root, "cgroup.controllers"))
        return lab_skip(lab, "needs the %s controller of control groups", controller);
    ret->version = is_v1 ? 1 : 2;
    snprintf(ret->path, sizeof(ret->path), "%s/" PREFIX "%s", is_v1 ? v1 : root, name);
    int r = make(lab, ret);
    if (r == 0 && !is_v1 && !exists(ret->path, known->v2_file))
        r = lab_skip(lab, "needs the %s controller in %s/cgroup.subtree_control", controller, root);
    return r;
}

int fault_group_below(struct lab *lab, const struct fault_group *parent, const char *name,
        struct fault_group *ret) {
    ret->version = parent->version;
    int n = snprintf(ret->path, sizeof(ret->path), "%s/%s", parent->path, name);
    return n < 0 || n >= (int) sizeof(ret->path) ? -ENAMETOOLONG : make(lab, ret);
}

int fault_quota(struct lab *lab, const struct fault_group *cpu, long ms) {
    bool is_v1 = cpu->version == 1;
    char text[40];
    // Nothing but the quota may keep its processes from running.
    int r = put_number(lab, cpu, is_v1 ? "cpu.shares" : "cpu.weight", is_v1 ? 100000 : 10000);
    if (r < 0)
        return r;
    if (is_v1)
        return put_number(lab, cpu, "cpu.cfs_quota_us", ms * 1000);
    snprintf(text, sizeof(text), "%ld %d", ms * 1000, QUOTA_PERIOD_US);
    return put(lab, cpu, "cpu.max", text);
}

int fault_memory(struct lab *lab, const struct fault_group *memory, int64_t bytes) {
    return put_number(
            lab, memory, memory->version == 1 ? "memory.limit_in_bytes" : "memory.max", bytes);
}

int fault_socket_memory(struct lab *lab, const struct fault_group *memory, int64_t bytes) {
    if (!exists(memory->path, "memory.kmem.tcp.limit_in_bytes"))
        return lab_skip(lab, "needs memory.kmem.tcp of control groups version 1");
    return put_number(lab, memory, "memory.kmem.tcp.limit_in_bytes", bytes);
}

// What version 1 froze cannot even be killed.
int fault_freeze(struct lab *lab, const struct fault_group *group, bool frozen) {
    bool is_v1 = exists(group->path, "freezer.state");
    const char *file = is_v1 ? "freezer.state" : "cgroup.freeze";
    const char *words[2][2] = { { "0", "1" }, { "THAWED", "FROZEN" } };
    int r = !frozen ? 0 : lab_undo(lab, "echo %s >%s/%s", words[is_v1][0], group->path, file);
    return r < 0 ? r : put(lab, group, file, words[is_v1][frozen]);
}

int64_t fault_throttled(struct lab *lab, const struct fault_group *cpu) {
    char path[FAULT_PATH_SIZE + 64], line[128];
    int64_t times = -ENODATA;
    snprintf(path, sizeof(path), "%s/cpu.stat", cpu->path);
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    if (!file)
        return -errno;
    while (fgets(line, sizeof(line), file))
        if (sscanf(line, "nr_throttled %" SCNd64, &times) == 1)
            break;
    return times;
}
