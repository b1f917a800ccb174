// SPDX-License-Identifier: GPL-2.0-or-later
// Command line
#pragma once

#include <stdint.h>

struct options {
    const char *config, *root, *database; // NULL: not given
    int64_t step_ms;                      // 0: as configured
    int64_t steps;                        // 0: no end
};

// 0, 1: help or version was printed, or -EINVAL: a line about the mistake was printed.
int options_read(int argc, char *argv[], struct options *ret);
