// SPDX-License-Identifier: GPL-2.0-or-later
// Made-up watch
#include "tests/process/watched.h"

#include "tests/suite.h"

#define MAX 512

void watched_add(struct watch *watch, pid_t pid, uint64_t start_time, uint32_t inode, bool lossy) {
    if (!watch->sockets) {
        watch->sockets = calloc(MAX, sizeof(*watch->sockets));
        watch->owners = calloc(MAX, sizeof(*watch->owners));
        watch->processes = calloc(MAX, sizeof(*watch->processes));
    }
    ck_assert_uint_lt(watch->n_processes, MAX);
    size_t i = watch->n_sockets++;
    watch->sockets[i] = (struct watched_socket){ .netns = "host",
        .inode = inode,
        .lossy = lossy,
        .dense = lossy,
        .state = OWNER_FOUND,
        .n_owners = 1 };
    watch->owners[watch->n_owners++] = (struct watched_owner){
        .pid = pid, .inode = inode, .fd = 3, .start_time = start_time, .socket = i
    };
    watch->processes[watch->n_processes++] = (struct watched_process){
        .pid = pid, .start_time = start_time, .n_sockets = 1, .lossy = lossy, .dense = lossy
    };
    watch->lossy |= lossy;
}

void watched_clear(struct watch *watch) {
    watch->n_sockets = watch->n_owners = watch->n_processes = watch->n_denied = 0;
    watch->lossy = false;
}
