// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup mounts
#pragma once

#include <limits.h>

#include "collectors/cgroup_paths.h"

// Where the groups of one hierarchy are found.
struct cgroup_mount {
    int version; // 0: there is none
    char *point; // relative to the source's root
    char *root;  // the group that is mounted there: "/", or one of ours in a container
};

struct cgroup_mounts {
    struct cgroup_mount part[N_CGROUP_PARTS];
};
#define CGROUP_MOUNTS_EMPTY ((struct cgroup_mounts){ 0 })

// The text of /proc/self/mountinfo. 0 or -ENOMEM.
int cgroup_mounts_parse(struct cgroup_mounts *mounts, const char *text, size_t length);
void cgroup_mounts_done(struct cgroup_mounts *mounts);

// The folder of a group. False: it is not below that mount.
bool cgroup_folder(const struct cgroup_mount *mount, struct span path, char buffer[PATH_MAX]);
