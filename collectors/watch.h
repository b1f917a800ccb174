// SPDX-License-Identifier: GPL-2.0-or-later
// Watched sockets
//
// The sockets that lose datagrams or are close to it, and the processes that hold them, as of this
// look. The socket collector fills it; the collectors that stand behind it in the list read it.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "collectors/netns.h"

enum owner_state {
    OWNER_UNKNOWN, // not looked for yet, or nobody has it
    OWNER_FOUND,
    OWNER_KERNEL, // every process was seen, none has it, and the kernel has a use for its port
    OWNER_DENIED, // not found, and there are processes whose files we may not see
};
const char *owner_state_name(enum owner_state state); // "unknown", "found", "kernel", "denied"

struct watched_socket {
    char netns[NETNS_NAME_SIZE];
    uint64_t cookie; // 0: not known
    uint32_t inode;  // 0: no file
    uint16_t port;
    bool lossy;   // it lost datagrams since the look before
    bool dense;   // it lost some within WATCH_DENSE_MS: its state is worth many looks
    bool full;    // nothing, or next to nothing, fits into its buffer
    int64_t lost; // datagrams since the look before
    enum owner_state state;
    unsigned n_owners;
};
#define WATCH_DENSE_MS 10000

// One process that holds one socket.
struct watched_owner {
    pid_t pid;
    uint32_t inode;
    int fd;              // the lowest
    uint64_t start_time; // of the process, in clock ticks since boot
    size_t socket;       // index
};

// A process that holds at least one of them.
struct watched_process {
    pid_t pid;
    uint64_t start_time;
    unsigned n_sockets;
    bool lossy, dense, full; // of any of its sockets
    int64_t lost;            // datagrams of all its sockets since the look before
};

struct watch {
    struct watched_socket *sockets; // those that lost the most first
    size_t n_sockets, sockets_capacity;
    struct watched_owner *owners; // by pid, then inode
    size_t n_owners, owners_capacity;
    struct watched_process *processes; // by pid
    size_t n_processes, processes_capacity;
    size_t n_denied; // processes whose files could not be seen in the last search; 0: all were seen
    bool lossy;      // a socket is worth many looks
};
#define WATCH_EMPTY ((struct watch){ 0 })

void watch_done(struct watch *watch);
// The process of that number, or NULL.
const struct watched_process *watch_find_process(const struct watch *watch, pid_t pid);
