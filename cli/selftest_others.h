// SPDX-License-Identifier: GPL-2.0-or-later
// Others' load
//
// How much of the CPUs went to processes that are not of the lab. Asked from within it, where /proc
// has its own processes only, and the CPU times of the whole host.
#pragma once

#include <stdint.h>

struct selftest_others {
    int64_t at_ms, ticks; // of the CPUs for others, up to then
};

void selftest_others_begin(struct selftest_others *others);
// CPUs that they had on average since then, such as 0.8.
double selftest_others_cpus(const struct selftest_others *others);
