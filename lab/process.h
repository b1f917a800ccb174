// SPDX-License-Identifier: GPL-2.0-or-later
// Lab processes
#pragma once

#include "lab/lab.h"

struct lab_child; // of the process itself
struct lab_spawn {
    enum lab_place place;
    const char *name; // of the process; NULL: as it is
    // Its exit status, >= 0. The open files of the caller are closed. `data` is the caller's
    // memory as it was: to tell something use memory of lab_shared(). Functions that wait
    // (lab_pause(), lab_until()) and that start others are for the scenario itself, not for this.
    int (*play)(struct lab_child *child, void *data);
    void *data;
    bool waits; // lab_spawn() returns when it has said lab_child_ready()
};
int lab_spawn(struct lab *lab, const struct lab_spawn *spawn, pid_t *ret_pid); // NULL: not wanted
void lab_child_ready(struct lab_child *child);
int lab_signal(struct lab *lab, pid_t pid, int signal);
int lab_end(struct lab *lab, pid_t pid); // kills it and waits for it
bool lab_alive(struct lab *lab, pid_t pid);
// Zeroed memory that the lab's processes share until the lab ends. NULL: there is none left.
void *lab_shared(struct lab *lab, size_t size);
int lab_last_cpu(const struct lab *lab); // number + 1 of the last CPU that is online, for .cpu
