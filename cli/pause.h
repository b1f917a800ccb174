// SPDX-License-Identifier: GPL-2.0-or-later
// Pauses
#pragma once

#include <signal.h>
#include <stdint.h>

// Makes SIGINT and SIGTERM wait for pause_until(), so that a look can be ended early and still be
// told.
void pause_begin(sigset_t *ret_before);
void pause_end(const sigset_t *before);
int64_t pause_clock_ms(void); // CLOCK_MONOTONIC
// Waits for that moment of pause_clock_ms(). 0, or 1: interrupted by one of the signals.
int pause_until(int64_t monotonic_ms);
