// SPDX-License-Identifier: GPL-2.0-or-later
// Delay accounting
//
// What the tasks of a process waited for, as the kernel's taskstats tell it over generic netlink.
// It takes CAP_NET_ADMIN.
#pragma once

#include <sys/types.h>

#include "collectors/rtnl.h"

struct taskstats_asker {
    struct rtnl rtnl;
    uint16_t family; // 0: not looked up yet
    int error;       // -errno that will not go away: it is not tried again
};
#define TASKSTATS_CLOSED ((struct taskstats_asker){ .rtnl.protocol = NETLINK_GENERIC })

// Microseconds, and switches, of all threads. CELL_NULL: not known. Delays are known only where the
// kernel counts them for this process, see kernel.task_delayacct.
struct task_delays {
    cell block_us, swap_us, reclaim_us;
    cell switches_voluntary, switches_involuntary;
};

// Whether a message tells about that process.
bool taskstats_parse(struct nlmsghdr *message, pid_t pid, struct task_delays *ret);
// 0 or -errno: -EPERM, -ENOENT (this kernel has no taskstats), -ESRCH (there is no such process).
int taskstats_read(struct taskstats_asker *asker, pid_t pid, struct task_delays *ret);
void taskstats_close(struct taskstats_asker *asker);
