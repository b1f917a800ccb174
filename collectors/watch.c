// SPDX-License-Identifier: GPL-2.0-or-later
// Watched sockets
#include "collectors/watch.h"

#include <stdlib.h>

const char *owner_state_name(enum owner_state state) {
    static const char *const names[] = {
        [OWNER_UNKNOWN] = "unknown",
        [OWNER_FOUND] = "found",
        [OWNER_KERNEL] = "kernel",
        [OWNER_DENIED] = "denied",
    };
    return names[state];
}

void watch_done(struct watch *watch) {
    free(watch->sockets);
    free(watch->owners);
    free(watch->processes);
    *watch = WATCH_EMPTY;
}

static int compare_pid(const void *key, const void *item) {
    pid_t a = *(const pid_t *) key, b = ((const struct watched_process *) item)->pid;
    return (a > b) - (a < b);
}

const struct watched_process *watch_find_process(const struct watch *watch, pid_t pid) {
    if (watch->n_processes == 0)
        return NULL;
    return bsearch(
            &pid, watch->processes, watch->n_processes, sizeof(*watch->processes), compare_pid);
}
