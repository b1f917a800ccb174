// SPDX-License-Identifier: GPL-2.0-or-later
// Thread start
#pragma once

#include <pthread.h>

// Starts a thread with a small stack and no signals. 0 or -errno.
int thread_start(pthread_t *ret, const char *name, void *(*run)(void *), void *argument);
// Joins it, waiting until `seconds` from now at most. 0, or -ETIMEDOUT: it still runs.
int thread_join(pthread_t thread, int seconds);
// A condition that waits on CLOCK_MONOTONIC.
void thread_condition_init(pthread_cond_t *condition);
