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
// Rows of tables owner and process. When the process began is not told: it counts as 0 in both, so
// that rules find one by the other.
void owner_add(struct intake *intake, const struct line *line, uint64_t inode,
        const struct owner_name *owner);
