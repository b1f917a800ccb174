// SPDX-License-Identifier: GPL-2.0-or-later
// Lab faults
//
// What keeps a reader from reading, or a packet from going on, besides plain commands. Everything
// that outlives the lab is in the journal first. A fault that this host cannot have is skipped.
#pragma once

#include "lab/lab.h"

#define FAULT_PATH_SIZE 160

// A control group, of version 1 or 2, whichever has the controller here. Its folder is for
// .cgroups of processes.
struct fault_group {
    char path[FAULT_PATH_SIZE];
    int version;
};
// Makes it, or finds it again. `controller` is the name of version 1: "cpu", "memory", "blkio",
// "freezer"; "" is version 2 without any.
int fault_group(struct lab *lab, const char *controller, const char *name, struct fault_group *ret);
int fault_group_below(struct lab *lab, const struct fault_group *parent, const char *name,
        struct fault_group *ret);

int fault_quota(struct lab *lab, const struct fault_group *cpu, long ms); // of each 100 ms
int fault_memory(struct lab *lab, const struct fault_group *memory, int64_t bytes);
// Of version 1: what the sockets of its processes may use, also for UDP.
int fault_socket_memory(struct lab *lab, const struct fault_group *memory, int64_t bytes);
// The lab ends with its processes frozen or not.
int fault_freeze(struct lab *lab, const struct fault_group *group, bool frozen);
// Periods in which it was throttled up to now, or -errno.
int64_t fault_throttled(struct lab *lab, const struct fault_group *cpu);

// ---- Disks: a folder of the lab, with a file system of its own

// Writes of the processes of `blkio` are throttled below it, so that it is busy.
int fault_slow_disk(struct lab *lab, const struct fault_group *blkio, const char *folder,
        long bytes_per_second);
// Each write of its one file "log" takes so long: FUSE, without any disk.
int fault_slow_files(struct lab *lab, const char *folder, long ms);
// Full to the last block; `file` of it can be removed to make room.
int fault_full_disk(struct lab *lab, const char *folder, const char *file);
// Swap on compressed memory, which is slow to read for the processes of `blkio`; NULL: for none.
int fault_slow_swap(struct lab *lab, const struct fault_group *blkio, long bytes_per_second);

// ---- Hooks of an interface of the receiver, which take UDP only

int fault_xdp_drop(struct lab *lab, const char *interface);
int fault_tc_drop(struct lab *lab, const char *interface);
// An interface of its own there, of a process that takes nothing from it.
int fault_unread_tap(struct lab *lab, const char *interface);
