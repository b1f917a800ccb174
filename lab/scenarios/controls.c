// SPDX-License-Identifier: GPL-2.0-or-later
// Healthy controls
//
// Much happens, some of it looks like a cause of loss, and nothing is lost.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "lab/fault.h"
#include "lab/scenario.h"

#define NEIGHBOUR (LAB_PORT + 1)
#define LARGE_BUFFER (8 << 20)

static int receive(struct lab *lab, const struct reader *reader) {
    return lab_receive(lab, LAB_RECEIVER, reader, NULL);
}

static int send_stream(struct lab *lab, const struct stream *stream) {
    return lab_send(lab, LAB_SENDER, stream);
}

static const char *file(struct lab *lab, const char *name) {
    const char *scratch = lab_scratch(lab);
    size_t size = strlen(scratch) + strlen(name) + 2;
    char *path = lab_shared(lab, size);
    if (path)
        snprintf(path, size, "%s/%s", scratch, name);
    return path;
}

static int receive_well(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-healthy", .force = LARGE_BUFFER });
}

static int send_heavily(struct lab *lab) {
    struct stream large = { .flow = 1, .size = 20000, .rate = 200, .count = 160 };
    int r = lab_send_begin(lab, LAB_SENDER, &large);
    if (r == 0)
        r = send_stream(lab, &(struct stream){ .size = 200, .rate = 20000, .count = 16000 });
    return r < 0 ? r : lab_sent(lab);
}

static int send_steadily(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = 1000, .count = 1000 });
}

static int receive_busily(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .name = "lab-suffices", .force = LARGE_BUFFER, .work_us = 400 });
}

static int send_over_loopback(struct lab *lab) {
    struct stream stream = { .size = 60000, .rate = 1000, .count = 800 };
    return lab_send(lab, LAB_RECEIVER, &stream);
}

static const char *group(const struct lab *lab) {
    return lab_family(lab) == 6 ? "ff15::7777" : "239.77.7.7";
}

static int receive_multicast(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-member",
                                .force = LARGE_BUFFER,
                                .join = group(lab),
                                .device = "b1" });
}

static int send_multicast(struct lab *lab) {
    struct stream stream = { .to = group(lab), .device = "a1", .rate = 2000, .count = 1500 };
    return send_stream(lab, &stream);
}

static int receive_beside_hogs(struct lab *lab) {
    int r = receive_well(lab);
    for (int cpu = 1; r == 0 && cpu <= lab_last_cpu(lab) && cpu <= 2; cpu++)
        r = receive(lab, &(struct reader){ .behaviour = play_hog,
                                 .name = "lab-hog",
                                 .port = NEIGHBOUR,
                                 .cpu = cpu,
                                 .nice = 19 });
    return r;
}

static int receive_beside_busy_disk(struct lab *lab) {
    struct fault_group disk;
    const char *folder = file(lab, "disk"), *log = file(lab, "disk/log");
    if (!folder || !log)
        return -ENOMEM;
    int r = fault_group(lab, "blkio", "disk", &disk);
    if (r == 0)
        r = fault_slow_disk(lab, &disk, folder, 400000);
    if (r == 0)
        r = receive_well(lab);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_write,
                                        .name = "lab-writes",
                                        .port = NEIGHBOUR,
                                        .file = log,
                                        .cgroups = disk.path });
}

// The one that waits gets no more than it can take.
static int send_beside(struct lab *lab) {
    struct stream trickle = { .flow = 1, .port = NEIGHBOUR, .rate = 100, .count = 100 };
    int r = lab_send_begin(lab, LAB_SENDER, &trickle);
    if (r == 0)
        r = send_steadily(lab);
    return r < 0 ? r : lab_sent(lab);
}

static int receive_beside_swap(struct lab *lab) {
    struct fault_group memory;
    int r = fault_group(lab, "memory", "swap", &memory);
    if (r == 0)
        r = fault_slow_swap(lab, NULL, 0);
    if (r == 0)
        r = fault_memory(lab, &memory, 16 << 20);
    if (r == 0)
        r = receive_well(lab);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_touch,
                                        .name = "lab-swapped",
                                        .port = NEIGHBOUR,
                                        .cgroups = memory.path,
                                        .memory_mib = 32,
                                        .every = 4 });
}

// What is lost before the first look is the past.
static int lose_in_the_past(struct lab *lab) {
    int past, r = lab_receive(lab, LAB_RECEIVER,
                      &(struct reader){ .behaviour = play_never, .name = "lab-past" }, &past);
    if (r == 0)
        r = send_stream(lab, &(struct stream){ .rate = 20000, .count = 4000 });
    if (r == 0)
        r = send_stream(
                lab, &(struct stream){ .flow = LAB_STRAY, .port = 9, .rate = 1000, .count = 100 });
    return r < 0 ? r
                 : lab_receive_anew(
                           lab, past, &(struct reader){ .name = "lab-now", .force = LARGE_BUFFER });
}

static int receive_with_stops(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-short" });
}

static int send_with_stops(struct lab *lab) {
    int r = lab_send_begin(lab, LAB_SENDER, &(struct stream){ .rate = 200, .count = 160 });
    for (int i = 0; r == 0 && i < 4; i++) {
        r = lab_signal(lab, lab_reader_pid(lab, 0), SIGSTOP) ?: lab_pause(lab, 100);
        lab_signal(lab, lab_reader_pid(lab, 0), SIGCONT);
        r = r ?: lab_pause(lab, 100);
    }
    return r < 0 ? r : lab_sent(lab);
}

static int receive_in_group(struct lab *lab) {
    return receive(lab, &(struct reader){ .behaviour = play_group,
                                .name = "lab-members",
                                .threads = 4,
                                .force = LARGE_BUFFER });
}

static int send_many_flows(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .sockets = 64, .rate = 8000, .count = 8000 });
}

static int receive_in_turns(struct lab *lab) {
    return receive(lab, &(struct reader){ .behaviour = play_share,
                                .name = "lab-turns",
                                .threads = 4,
                                .force = LARGE_BUFFER });
}

static int receive_patiently(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .behaviour = play_lock, .name = "lab-patient", .every = 50 });
}

static int send_trickle(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = 40, .count = 40 });
}

static int receive_filtered(struct lab *lab) {
    return receive(
            lab, &(struct reader){
                         .behaviour = play_filter, .name = "lab-passes", .force = LARGE_BUFFER });
}

static int receive_beside_full_disk(struct lab *lab) {
    const char *folder = file(lab, "full");
    if (!folder)
        return -ENOMEM;
    int r = fault_full_disk(lab, folder, "ballast");
    return r < 0 ? r : receive_well(lab);
}

// Room for data, and for four files more.
static int receive_beside_full_inodes(struct lab *lab) {
    const char *folder = file(lab, "files");
    if (!folder)
        return -ENOMEM;
    int r = lab_run(lab, LAB_RECEIVER,
            "mkdir -p %s && mount -t tmpfs -o size=4m,nr_inodes=100 tmpfs %s && cd %s && touch $(seq 95)",
            folder, folder, folder);
    return r < 0 ? r : receive_well(lab);
}

// A buffer of the default size would hold some three milliseconds of it.
static int send_fast(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = 60000, .count = 40000 });
}

// Throttled for what it computes, and its buffer lasts longer than that.
static int receive_with_quota(struct lab *lab) {
    struct fault_group cpu;
    int r = fault_group(lab, "cpu", "quota", &cpu);
    if (r == 0)
        r = fault_quota(lab, &cpu, 20);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .name = "lab-quota",
                                        .force = LARGE_BUFFER,
                                        .work_us = 250,
                                        .cgroups = cpu.path });
}

static int send_within_quota(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .rate = 1000, .count = 700 });
    return r < 0 ? r : lab_pause(lab, 300);
}

static int receive_bursts(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-bursts", .force = LARGE_BUFFER });
}

static int send_bursts(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .count = 4000, .burst = 1000, .pause_ms = 200 });
}

static int receive_merged(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .name = "lab-merges", .force = LARGE_BUFFER, .batch = true });
}

static int do_nothing(struct lab *lab) {
    return lab_pause(lab, 800);
}

static const struct scenario scenarios[] = {
    {
            .id = "healthy-heavy",
            .quick = true,
            .title = "Heavy traffic, small and fragmented, all of it read",
            .families = LAB_BOTH,
            .setup = receive_well,
            .provoke = send_heavily,
    },
    {
            .id = "healthy-busy-reader",
            .quick = true,
            .title = "A reader that is busy, and fast enough",
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_busily,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-loopback",
            .quick_ipv6 = true,
            .title = "Datagrams of 60,000 bytes over the loopback",
            .families = LAB_BOTH,
            .setup = receive_well,
            .provoke = send_over_loopback,
    },
    {
            .id = "healthy-multicast",
            .title = "Multicast that is wanted and read",
            .families = LAB_BOTH,
            .setup = receive_multicast,
            .provoke = send_multicast,
    },
    {
            .id = "healthy-busy-cpus",
            .title = "All CPUs busy with something else",
            .setup = receive_beside_hogs,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-busy-disk",
            .title = "A disk that is too slow for somebody else",
            .needs = NEEDS_ROOT | NEEDS_LOOP,
            .tools = "losetup mkfs.ext4",
            .setup = receive_beside_busy_disk,
            .provoke = send_beside,
    },
    {
            .id = "healthy-swap",
            .title = "Swap in use by somebody else",
            .needs = NEEDS_CGROUP_MEMORY | NEEDS_ZRAM,
            .also = "swap-activity",
            .setup = receive_beside_swap,
            .provoke = send_beside,
    },
    {
            .id = "healthy-past",
            .quick = true,
            .title = "Old counters: all was lost before",
            .setup = lose_in_the_past,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-short-stops",
            .title = "A reader that is stopped for less than its buffer lasts",
            .setup = receive_with_stops,
            .provoke = send_with_stops,
    },
    {
            .id = "healthy-group",
            .title = "Many flows to a group of sockets",
            .families = LAB_BOTH,
            .setup = receive_in_group,
            .provoke = send_many_flows,
    },
    {
            .id = "healthy-turns",
            .title = "Threads that take turns at one socket, fast enough",
            .setup = receive_in_turns,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-lock",
            .title = "A reader that sleeps in a lock, with little to read",
            .setup = receive_patiently,
            .provoke = send_trickle,
    },
    {
            .id = "healthy-filter",
            .title = "A filter at the socket that lets all pass",
            .setup = receive_filtered,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-full-disk",
            .title = "A full disk that the reader does not use",
            .also = "disk-fill",
            .needs = NEEDS_ROOT | NEEDS_LOOP,
            .tools = "losetup mkfs.ext4",
            .setup = receive_beside_full_disk,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-full-inodes",
            .title = "A file system that takes no more files",
            .also = "inode-fill",
            .setup = receive_beside_full_inodes,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-fast",
            .title = "Rates that a buffer of the default size would not hold for long",
            .also = "udp-rmem-small",
            .needs = NEEDS_ROOT,
            .setup = receive_well,
            .provoke = send_fast,
    },
    {
            .id = "healthy-quota",
            .title = "A reader that its quota stops, with a buffer that lasts longer",
            .needs = NEEDS_CGROUP_CPU,
            .setup = receive_with_quota,
            .provoke = send_within_quota,
    },
    {
            .id = "healthy-bursts",
            .title = "Bursts that fit",
            .setup = receive_bursts,
            .provoke = send_bursts,
    },
    {
            .id = "healthy-gro",
            .title = "A socket whose datagrams the kernel merges",
            .setup = receive_merged,
            .provoke = send_steadily,
    },
    {
            .id = "healthy-idle",
            .title = "Nothing at all",
            .setup = receive_well,
            .provoke = do_nothing,
    },
};
SCENARIO_LIST(scenarios_controls, scenarios);
