// SPDX-License-Identifier: GPL-2.0-or-later
// Lab clock
#pragma once

#include <stdint.h>
#include <time.h>

static inline int64_t lab_clock_ms(void) { // monotonic
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}
