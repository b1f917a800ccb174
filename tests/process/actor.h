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

typedef void part(int socket);

// Starts one and waits until it has its socket. It ends with the test in any case.
struct actor actor_start(part *play);
void actor_end(struct actor *actor);

part play_receive; // waits in recv()
part play_epoll;   // waits for its socket with epoll
part play_spin;    // computes
part play_sleep;   // nanosleep()
part play_futex;   // waits for a lock that nobody gives up
part play_stop;    // is stopped
part play_write;   // writes to a file, synchronously
part play_threads; // one thread computes, one receives; the first one waits for both

// When a process started, as /proc/PID/stat has it.
uint64_t start_time_of(pid_t pid);
void wait_ms(int ms);
