// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted owners
#pragma once

#include "formats/intake.h"

struct owner_name {
    char comm[64];
    uint64_t pid, fd;
    bool has_fd;
};

// The next entry of what ss prints behind users: ("name",pid=1,fd=2) or, before iproute2 4.0,
// ("name",1,2). Returns where it ends, or NULL: there is none.
const char *owner_next(const char *text, struct owner_name *ret);
// "812/rsyslogd", as netstat prints it; the name may contain blanks and be cut. False: it is none.
bool owner_program(const char *text, struct owner_name *ret);
// The innermost service or scope of a control group's path; false: it is in none.
bool owner_unit(const char *cgroup, char *ret, size_t size);
// Rows of tables owner and process. When the process began is not told: it counts as 0 in both, so
// that rules find one by the other.
// `cgroup` is where the socket was made, which tells the unit of its only owner; "": not told.
void owner_add(struct intake *intake, const struct line *line, uint64_t inode,
        const struct owner_name *owner, const char *cgroup);
