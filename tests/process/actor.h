// SPDX-License-Identifier: GPL-2.0-or-later
// Actors
//
// Child processes that do one thing each, with a UDP socket of their own, until they are ended.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct actor {
    pid_t pid;
    uint32_t inode; // of its socket
    uint64_t start_time;
};

typedef void actor_part(int socket);

// Starts one and waits until it has its socket. It ends with the test in any case.
struct actor actor_start(actor_part *play);
void actor_end(struct actor *actor);

actor_part play_receive; // waits in recv()
actor_part play_epoll;   // waits for its socket with epoll
actor_part play_spin;    // computes
actor_part play_sleep;   // nanosleep()
actor_part play_futex;   // waits for a lock that nobody gives up
actor_part play_vfork;   // waits, blocked, for a child that sleeps
actor_part play_queue;   // one thread receives, the first one is blocked
actor_part play_stop;    // is stopped
actor_part play_write;   // writes to a file, synchronously
actor_part play_threads; // one thread computes, one receives; the first one waits for both

// When a process started, as /proc/PID/stat has it.
uint64_t start_time_of(pid_t pid);
void wait_ms(int ms);
