// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup files
//
// Which files of a control group tell what, and how they are read.
#pragma once

#include "collectors/cgroup.h"
#include "collectors/cgroup_paths.h"

struct cgroup_key;
struct cgroup_file {
    enum cgroup_part part;
    int version;
    const char *name;
    // Pure; columns that the text does not tell stay as they are.
    void (*parse)(const struct cgroup_file *file, const char *text, size_t length, cell *row);
    int column;
    const struct cgroup_key *keys;
    bool costly; // left out unless datagrams are lost
};
extern const struct cgroup_file cgroup_files[];
extern const size_t n_cgroup_files;

// The systemd service, scope or slice of a path: its last part that is one; empty where there is
// none.
struct span cgroup_unit(struct span path);
