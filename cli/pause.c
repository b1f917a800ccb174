// SPDX-License-Identifier: GPL-2.0-or-later
// Pauses
#include "cli/pause.h"

#include <errno.h>
#include <time.h>

static void ending_signals(sigset_t *ret) {
    sigemptyset(ret);
    sigaddset(ret, SIGINT);
    sigaddset(ret, SIGTERM);
}

void pause_begin(sigset_t *ret_before) {
    sigset_t ending;
    ending_signals(&ending);
    sigprocmask(SIG_BLOCK, &ending, ret_before);
}

void pause_end(const sigset_t *before) {
    sigprocmask(SIG_SETMASK, before, NULL);
}

int64_t pause_clock_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int pause_until(int64_t monotonic_ms) {
    sigset_t ending;
    ending_signals(&ending);
    for (;;) {
        int64_t left_ms = monotonic_ms - pause_clock_ms();
        if (left_ms < 0)
            left_ms = 0;
        struct timespec left = { .tv_sec = left_ms / 1000, .tv_nsec = left_ms % 1000 * 1000000 };
        if (sigtimedwait(&ending, NULL, &left) > 0)
            return 1;
        if (errno == EAGAIN)
            return 0;
    }
}
