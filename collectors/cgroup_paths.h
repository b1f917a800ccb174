// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup paths
#pragma once

#include "collectors/scan.h"

// What limits a process. With version 1 each may have a hierarchy of its own, so that a process is
// in several groups; with version 2 one hierarchy serves all; hosts with both are common.
enum cgroup_part {
    CGROUP_PART_CPU,
    CGROUP_PART_MEMORY,
    CGROUP_PART_FREEZER,
    CGROUP_PART_UNIFIED, // version 2 only: pressure, and another way to freeze
    N_CGROUP_PARTS,
};

struct cgroup_paths {
    struct span
            path[N_CGROUP_PARTS]; // empty: not limited, or a group that cannot be seen from here
};
// The text of /proc/PID/cgroup, which the result points into.
void cgroup_paths_parse(const char *text, size_t length, struct cgroup_paths *ret);

// Whether a list such as "cpu,cpuacct" has the controller of version 1 for that part.
bool cgroup_has_controller(struct span list, enum cgroup_part part);
// The path of the group above, "/" at the top; empty above that.
struct span cgroup_parent(struct span path);
