// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup names
#pragma once

#include <stddef.h>

#define CGROUP_NAME_SIZE 64

// What the text of /proc/PID/cgroup says about where a process belongs; "" where it says nothing.
struct cgroup_name {
    char container[CGROUP_NAME_SIZE]; // name, or the first 12 digits of its id as `docker ps` shows
                                      // them
    char unit[CGROUP_NAME_SIZE];      // innermost systemd service or scope; login sessions are none
};
void cgroup_name_parse(const char *text, size_t length, struct cgroup_name *ret);
