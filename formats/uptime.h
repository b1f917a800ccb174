// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted uptimes
#pragma once

#include <stdbool.h>
#include <stdint.h>

// Of "12:43:41 up 3:17,  4 users, ...", "up 12 days,  3:17", "up 2 weeks, 4 days, 29 minutes", also
// the first line of top. False: it is not one.
bool uptime_parse(const char *text, int64_t *ret_ms);
