// SPDX-License-Identifier: GPL-2.0-or-later
// Thread start
#include "daemon/thread.h"

#include <signal.h>
#include <time.h>

// SQLite, json-c and glob(3) stay below 64 KiB; sanitizers need more.
#define STACK_BYTES (512 * 1024)

int thread_start(pthread_t *ret, const char *name, void *(*run)(void *), void *argument) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int r = pthread_create(ret, &attributes, run, argument);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    if (r == 0)
        pthread_setname_np(*ret, name);
    return -r;
}

int thread_join(pthread_t thread, int seconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_sec += seconds;
    return -pthread_clockjoin_np(thread, NULL, CLOCK_MONOTONIC, &until);
}

void thread_condition_init(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}
