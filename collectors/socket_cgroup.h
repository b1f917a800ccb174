// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup of a socket
#pragma once

#include <stdint.h>

// The path of the control group (version 2) of that id, as in /proc/PID/cgroup:
// "/system.slice/rsyslog.service". Takes CAP_DAC_READ_SEARCH. malloc()ed; NULL: not known.
char *socket_cgroup_path(uint64_t id);
