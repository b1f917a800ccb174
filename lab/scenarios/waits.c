// SPDX-License-Identifier: GPL-2.0-or-later
// Wait scenarios
//
// Readers that wait for a disk, for a file system that answers late or is full, or for their own
// memory.
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "lab/fault.h"
#include "lab/scenario.h"

#define NEIGHBOUR (LAB_PORT + 1)
#define STEADY 2000 // datagrams/s

static int receive(struct lab *lab, const struct reader *reader) {
    return lab_receive(lab, LAB_RECEIVER, reader, NULL);
}

static int send_stream(struct lab *lab, const struct stream *stream) {
    return lab_send(lab, LAB_SENDER, stream);
}

// Paths live as long as the lab: readers keep them.
static const char *folder(struct lab *lab, const char *name) {
    const char *scratch = lab_scratch(lab);
    size_t size = strlen(scratch) + strlen(name) + 2;
    char *path = lab_shared(lab, size);
    if (path)
        snprintf(path, size, "%s/%s", scratch, name);
    return path;
}

static int send_steady(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = STEADY, .count = STEADY * 7 / 10 });
}

static int receive_writing(struct lab *lab, behaviour *play) {
    struct fault_group group;
    const char *disk = folder(lab, "disk"), *file = folder(lab, "disk/log");
    if (!disk || !file)
        return -ENOMEM;
    int r = fault_group(lab, "blkio", "disk", &group);
    if (r == 0)
        r = fault_slow_disk(lab, &group, disk, 400000);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play,
                                        .name = "lab-writer",
                                        .file = file,
                                        .cgroups = group.path });
}

static int receive_on_slow_disk(struct lab *lab) {
    return receive_writing(lab, play_write);
}

static int receive_in_sync(struct lab *lab) {
    return receive_writing(lab, play_log);
}

// The other one takes no longer for each datagram, but needs only as many as it can take.
static int receive_on_slow_files(struct lab *lab) {
    const char *slow = folder(lab, "slow"), *file = folder(lab, "slow/log");
    if (!slow || !file)
        return -ENOMEM;
    int r = fault_slow_files(lab, slow, 20);
    if (r == 0)
        r = receive(
                lab, &(struct reader){ .behaviour = play_write, .name = "lab-fuse", .file = file });
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_write,
                                        .name = "lab-fuse-too",
                                        .port = NEIGHBOUR,
                                        .file = file });
}

static int send_and_trickle(struct lab *lab) {
    struct stream trickle = { .flow = 1, .port = NEIGHBOUR, .rate = 10, .count = 7 };
    int r = lab_send_begin(lab, LAB_SENDER, &trickle);
    if (r == 0)
        r = send_steady(lab);
    return r < 0 ? r : lab_sent(lab);
}

#define FULL_DISK "/srv/full" // where services write; of the lab alone

static int make_room(struct lab *lab, const char *command) {
    return lab_run(lab, LAB_RECEIVER, "rm " FULL_DISK "/ballast");
}

// Full it is when the first datagrams have been written.
static int receive_on_full_disk(struct lab *lab) {
    int r = lab_run(lab, LAB_RECEIVER, "mount -t tmpfs -o size=64m tmpfs /srv");
    if (r == 0)
        r = fault_full_disk(lab, FULL_DISK, "ballast");
    if (r == 0)
        r = make_room(lab, NULL);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_append,
                                        .name = "lab-full",
                                        .file = FULL_DISK "/log",
                                        .every = 100 });
}

static int fill_and_send(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .rate = 2000, .count = 1000 });
    if (r == 0) // once
        r = lab_run(lab, LAB_RECEIVER,
                "cd " FULL_DISK
                " && [ -e filled ] || dd if=/dev/zero of=ballast bs=4k >filled 2>&1 || :");
    return r < 0 ? r : send_steady(lab);
}

static int receive_swapped(struct lab *lab) {
    struct fault_group disk, memory;
    char *both = lab_shared(lab, 2 * FAULT_PATH_SIZE);
    if (!both)
        return -ENOMEM;
    int r = fault_group(lab, "blkio", "swap", &disk);
    if (r == 0)
        r = fault_slow_swap(lab, &disk, 2000000);
    if (r == 0)
        r = fault_group(lab, "memory", "swap", &memory);
    if (r == 0)
        r = fault_memory(lab, &memory, 16 << 20);
    if (r < 0)
        return r;
    snprintf(both, 2 * FAULT_PATH_SIZE, "%s %s", disk.path, memory.path);
    return receive(lab, &(struct reader){ .behaviour = play_touch,
                                .name = "lab-swaps",
                                .cgroups = both,
                                .memory_mib = 48,
                                .every = 4 });
}

static const struct scenario scenarios[] = {
    {
            .id = "reader-blocked-disk",
            .title = "A reader that writes to a slow disk",
            .expects = "reader-blocked-disk",
            .never = "reader-swapping reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-writer",
            .needs = NEEDS_ROOT | NEEDS_LOOP,
            .tools = "losetup mkfs.ext4",
            .setup = receive_on_slow_disk,
            .provoke = send_steady,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "reader-blocked-disk-accounted",
            .title = "The same where the kernel accounts delays",
            .expects = "reader-blocked-disk",
            .never = "reader-swapping reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-writer",
            .needs = NEEDS_ROOT | NEEDS_LOOP | NEEDS_DELAYACCT,
            .tools = "losetup mkfs.ext4",
            .setup = receive_on_slow_disk,
            .provoke = send_steady,
    },
    {
            .id = "reader-blocked-sync",
            .title = "A reader that has each line of its log on the disk before it reads on",
            .expects = "reader-blocked-disk",
            .never = "reader-swapping reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-writer",
            .needs = NEEDS_ROOT | NEEDS_LOOP,
            .tools = "losetup mkfs.ext4",
            .setup = receive_in_sync,
            .provoke = send_steady,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "reader-blocked-fuse",
            .title = "A reader that writes to a file system that answers late",
            .expects = "reader-blocked-disk",
            .never = "reader-swapping reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-fuse",
            .needs = NEEDS_FUSE,
            .setup = receive_on_slow_files,
            .provoke = send_and_trickle,
    },
    {
            .id = "reader-disk-full",
            .title = "A reader that cannot write its log any more",
            .expects = "reader-disk-full",
            .never = "reader-blocked-disk rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-full",
            .needs = NEEDS_ROOT | NEEDS_LOOP,
            .tools = "losetup mkfs.ext4",
            .setup = receive_on_full_disk,
            .provoke = fill_and_send,
            .fix = FIX_OWN,
            .own_fix = make_room,
    },
    {
            .id = "reader-swapping",
            .title = "A reader whose memory is swapped out",
            .expects = "reader-swapping",
            .never = "reader-blocked-disk reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-swaps",
            .needs = NEEDS_CGROUP_MEMORY | NEEDS_ZRAM,
            .setup = receive_swapped,
            .provoke = send_steady,
    },
    {
            .id = "reader-swapping-accounted",
            .title = "The same where the kernel accounts delays",
            .expects = "reader-swapping",
            .never = "reader-blocked-disk reader-blocked-other reader-not-reading reader-cpu-bound",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-swaps",
            .needs = NEEDS_CGROUP_MEMORY | NEEDS_ZRAM | NEEDS_DELAYACCT,
            .setup = receive_swapped,
            .provoke = send_steady,
    },
};
SCENARIO_LIST(scenarios_waits, scenarios);
