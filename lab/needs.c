// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario needs
#include "lab/needs.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/shell.h"

#define TOOL_SIZE 64

// What has to be there. The first of `either` is enough.
static const struct need {
    unsigned need;
    const char *either[2];
    const char *what;
} needs[] = {
    { NEEDS_CGROUP_CPU,
            { "/sys/fs/cgroup/cpu/cpu.cfs_quota_us", "/sys/fs/cgroup/cgroup.controllers" },
            "a CPU controller of control groups" },
    { NEEDS_CGROUP_MEMORY,
            { "/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/cgroup.controllers" },
            "a memory controller of control groups" },
    { NEEDS_FREEZER, { "/sys/fs/cgroup/freezer", "/sys/fs/cgroup/cgroup.controllers" },
            "a freezer of control groups" },
    { NEEDS_ZRAM, { "/sys/class/zram-control", "/sys/module/zram" }, "zram" },
    { NEEDS_FUSE, { "/dev/fuse" }, "FUSE" },
    { NEEDS_LOOP, { "/dev/loop-control" }, "loop devices" },
    { NEEDS_DELAYACCT, { "/proc/sys/kernel/task_delayacct" },
            "delay accounting that can be switched" },
    { NEEDS_CONNTRACK, { "/proc/sys/net/netfilter/nf_conntrack_max" }, "connection tracking" },
};

static bool is_there(const struct need *need) {
    for (size_t i = 0; i < 2; i++)
        if (need->either[i] && access(need->either[i], F_OK) == 0)
            return true;
    return false;
}

static bool has_tool(const char *tool) {
    static const struct shell here = { .netns = -1 };
    char command[TOOL_SIZE + 16];
    snprintf(command, sizeof(command), "command -v %s", tool);
    return shell_run(&here, command, NULL, 0) == 0;
}

static bool lacks_tool(const char *tools, char *reason, size_t size) {
    while (*tools) {
        char tool[TOOL_SIZE];
        size_t n = strcspn(tools, " ");
        snprintf(tool, sizeof(tool), "%.*s", (int) n, tools);
        tools += n + strspn(tools + n, " ");
        if (has_tool(tool))
            continue;
        snprintf(reason, size, "needs %s", tool);
        return true;
    }
    return false;
}

bool needs_lacking(const struct scenario *scenario, char *reason, size_t size) {
    if ((scenario->needs & ~(unsigned) NEEDS_TWO_CPUS) && geteuid() != 0) {
        snprintf(reason, size, "needs root");
        return true;
    }
    if ((scenario->needs & NEEDS_TWO_CPUS) && sysconf(_SC_NPROCESSORS_ONLN) < 2) {
        snprintf(reason, size, "needs two CPUs");
        return true;
    }
    for (size_t i = 0; i < sizeof(needs) / sizeof(needs[0]); i++)
        if ((scenario->needs & needs[i].need) && !is_there(&needs[i])) {
            snprintf(reason, size, "needs %s", needs[i].what);
            return true;
        }
    return lacks_tool("ip", reason, size) ||
           (scenario->tools && lacks_tool(scenario->tools, reason, size));
}
