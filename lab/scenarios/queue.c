// SPDX-License-Identifier: GPL-2.0-or-later
// Queue scenarios
//
// Sockets that are too small, shared or filtered, and readers that would keep up.
#include <stdio.h>

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

// Bursts of more than a small buffer holds, and beside them of less.
static int receive_small(struct lab *lab) {
    int r = receive(lab, &(struct reader){ .name = "lab-bursts", .rcvbuf = 8192, .work_us = 10 });
    return r < 0 ? r
                 : receive(lab, &(struct reader){
                                        .name = "lab-fits", .rcvbuf = 8192, .port = NEIGHBOUR });
}

static int send_bursts(struct lab *lab) {
    struct stream fits = {
        .flow = 1, .port = NEIGHBOUR, .count = 40, .burst = 10, .pause_ms = 200
    };
    int r = lab_send_begin(lab, LAB_SENDER, &fits);
    if (r == 0)
        r = send_stream(lab, &(struct stream){ .count = 1600, .burst = 400, .pause_ms = 200 });
    return r < 0 ? r : lab_sent(lab);
}

static int receive_default(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-default", .work_us = 20 });
}

static int send_large_bursts(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .count = 4000, .burst = 1000, .pause_ms = 250 });
}

static int receive_clamped(struct lab *lab) {
    int r = lab_sysctl_number(lab, LAB_HOST, "net/core/rmem_max", 212992);
    return r < 0 ? r
                 : receive(lab, &(struct reader){
                                        .name = "lab-clamped", .rcvbuf = 1000000, .work_us = 20 });
}

static int send_huge_bursts(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .count = 3600, .burst = 900, .pause_ms = 250 });
}

static int receive_stale(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .name = "lab-stale", .force = LARGE_BUFFER, .work_us = 1000 });
}

static int send_more_than_is_read(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .count = 5000, .rate = 50000 });
    return r < 0 ? r : lab_pause(lab, 2500);
}

static int receive_near(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .behaviour = play_tick, .name = "lab-near", .every = 1500 });
}

static int send_nearly_too_much(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .count = 235 });
    return r < 0 ? r : lab_pause(lab, 900);
}

static int receive_one_flow(struct lab *lab) {
    return receive(lab,
            &(struct reader){
                    .behaviour = play_group, .name = "lab-group", .threads = 4, .work_us = 400 });
}

static int send_one_flow(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = 4000, .count = 3000 });
}

// Threads that take turns hand over for each datagram. A socket with many holders, of which one
// reads, is not shared.
static int receive_shared(struct lab *lab) {
    int r = receive(
            lab, &(struct reader){ .behaviour = play_share, .name = "lab-eight", .threads = 8 });
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_heirs,
                                        .name = "lab-heirs",
                                        .port = NEIGHBOUR,
                                        .threads = 3,
                                        .work_us = 50 });
}

static int send_to_shared(struct lab *lab) {
    struct stream other = { .flow = 1, .port = NEIGHBOUR, .rate = 2000, .count = 1500 };
    int r = lab_send_begin(lab, LAB_SENDER, &other);
    if (r == 0)
        r = send_stream(lab, &(struct stream){ .rate = 80000, .count = 60000 });
    if (r == 0) // who they are is seen while they wait
        r = send_stream(lab, &(struct stream){ .rate = 1000, .count = 300 });
    return r < 0 ? r : lab_sent(lab);
}

// Programs that lose and are gone before anybody looks at them, one after the other.
static int live_shortly(struct lab *lab) {
    int r = 0;
    for (int i = 0; r == 0 && i < 20; i++)
        r = lab_send(lab, LAB_RECEIVER,
                &(struct stream){ .port = 5100 + i, .count = 60, .own_rcvbuf = 4096 });
    return r;
}

static int receive_filtered(struct lab *lab) {
    int r = receive(lab, &(struct reader){ .behaviour = play_filter, .name = "lab-filter" });
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_filter,
                                        .name = "lab-passes",
                                        .port = NEIGHBOUR });
}

static int send_to_filtered(struct lab *lab) {
    struct stream other = { .flow = 1, .port = NEIGHBOUR, .rate = 1000, .count = 500 };
    struct stream large = { .flow = 2, .size = 300, .rate = 1000, .count = 500 };
    int r = lab_send_begin(lab, LAB_SENDER, &other);
    if (r == 0)
        r = lab_send_begin(lab, LAB_SENDER, &large);
    if (r == 0)
        r = send_stream(lab, &(struct stream){ .rate = 1000, .count = 500 });
    return r < 0 ? r : lab_sent(lab);
}

// The limit is the whole host's: so many pages above what is in use. The kernel counts for each CPU
// first, up to 256 pages, and compares and tells what is as much too low.
static int limit_memory(struct lab *lab, long room) {
    char used[32], limits[96];
    long pages;
    int r = lab_read(
            lab, LAB_HOST, used, sizeof used, "awk '/^UDP:/ { print $5 }' /proc/net/sockstat");
    if (r < 0)
        return r;
    if (sscanf(used, "%ld", &pages) != 1)
        return lab_skip(lab, "this kernel does not tell how much memory UDP uses");
    pages += room;
    snprintf(limits, sizeof limits, "%ld %ld %ld", pages, pages + 100, pages + 200);
    return lab_sysctl(lab, LAB_HOST, "net/ipv4/udp_mem", limits);
}

static int receive_hoard(struct lab *lab) {
    struct reader hoard = {
        .behaviour = play_tick, .name = "lab-hoard", .force = LARGE_BUFFER, .every = 400
    };
    int r = receive(lab, &hoard);
    if (r == 0)
        r = receive(lab, &(struct reader){ .name = "lab-modest", .port = NEIGHBOUR });
    return r < 0 ? r : limit_memory(lab, 1500);
}

static int receive_much(struct lab *lab) {
    struct reader much = {
        .behaviour = play_tick, .name = "lab-much", .force = 2 * LARGE_BUFFER, .every = 600
    };
    int r = receive(lab, &much);
    return r < 0 ? r : limit_memory(lab, 6000);
}

static int send_much(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .count = 28000 });
    return r < 0 ? r : lab_pause(lab, 700);
}

static int send_to_hoard(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .count = 11800 });
    return r < 0 ? r : lab_pause(lab, 500);
}

static int receive_limited(struct lab *lab) {
    struct fault_group group;
    int r = fault_group(lab, "memory", "sockets", &group);
    if (r == 0)
        r = fault_socket_memory(lab, &group, 262144);
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_tick,
                                        .name = "lab-limited",
                                        .cgroups = group.path,
                                        .force = LARGE_BUFFER,
                                        .every = 300 });
}

static int send_to_limited(struct lab *lab) {
    int r = send_stream(lab, &(struct stream){ .count = 500 });
    return r < 0 ? r : lab_pause(lab, 350);
}

static const struct scenario scenarios[] = {
    {
            .id = "rcvbuf-burst",
            .quick = true,
            .title = "Bursts that do not fit into a small buffer",
            .expects = "rcvbuf-burst",
            .never = "reader-cpu-bound reader-not-reading reader-blocked-other rcvbuf-clamped",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-bursts",
            .families = LAB_BOTH,
            .setup = receive_small,
            .provoke = send_bursts,
            .fix = FIX_BUFFER,
    },
    {
            .id = "rcvbuf-burst-default",
            .title = "Bursts that do not fit into a buffer of the default size",
            .expects = "rcvbuf-burst",
            .never = "reader-cpu-bound reader-not-reading rcvbuf-clamped",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-default",
            .needs = NEEDS_HOST_SYSCTL,
            .setup = receive_default,
            .provoke = send_large_bursts,
            .fix = FIX_COMMAND_REOPEN,
    },
    {
            .id = "rcvbuf-clamped",
            .title = "A buffer that rmem_max cuts short",
            .expects = "rcvbuf-clamped",
            .never = "reader-cpu-bound reader-not-reading",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-clamped",
            .needs = NEEDS_HOST_SYSCTL,
            .setup = receive_clamped,
            .provoke = send_huge_bursts,
            .fix = FIX_COMMAND_REOPEN,
    },
    {
            .id = "rcvbuf-delay",
            .title = "A backlog of seconds in a large buffer, nothing lost yet",
            .expects = "rcvbuf-delay",
            .never = "rcvbuf-burst reader-cpu-bound reader-not-reading",
            .port = LAB_PORT,
            .process = "lab-stale",
            .no_loss = true,
            .setup = receive_stale,
            .provoke = send_more_than_is_read,
    },
    {
            .id = "queue-near",
            .title = "A queue that is nearly full: told, and no cause",
            .also = "queue-near",
            .setup = receive_near,
            .provoke = send_nearly_too_much,
    },
    {
            .id = "reuseport-imbalance",
            .title = "One flow, which always hits the same socket of a group",
            .expects = "reuseport-imbalance",
            .never = "reader-overload shared-socket-contention",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-group",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_one_flow,
            .provoke = send_one_flow,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "shared-socket-contention",
            .title = "Eight threads that take turns at one socket",
            .expects = "shared-socket-contention",
            .never = "reuseport-imbalance reader-not-reading",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-eight",
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_shared,
            .provoke = send_to_shared,
    },
    {
            .id = "socket-queue-overflow",
            .title = "Programs that lose and are gone at once: not even their ports are known",
            .expects = "socket-queue-overflow",
            .never = "rcvbuf-burst reader-not-reading no-listener",
            .locus = "socket-queue",
            .families = LAB_BOTH,
            .least_lost = 1500,
            .provoke = live_shortly,
    },
    {
            .id = "socket-filter",
            .quick_ipv6 = true,
            .title = "A filter at the socket that refuses large datagrams",
            .expects = "socket-filter",
            .never = "malformed-datagrams udp-memory rcvbuf-burst",
            .locus = "socket-filter",
            .port = LAB_PORT,
            .process = "lab-filter",
            .families = LAB_BOTH,
            .setup = receive_filtered,
            .provoke = send_to_filtered,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "udp-memory",
            .title = "All memory that UDP may use is used",
            .expects = "udp-memory",
            .never = "cgroup-socket-memory rcvbuf-burst socket-filter",
            .locus = "udp-memory",
            .port = LAB_PORT,
            .process = "lab-hoard",
            .needs = NEEDS_HOST_SYSCTL,
            .setup = receive_hoard,
            .provoke = send_to_hoard,
            .fix = FIX_COMMAND,
    },
    {
            .id = "udp-memory-near",
            .title = "Nearly all memory that UDP may use: told, and no cause",
            .also = "udp-memory-near",
            .needs = NEEDS_HOST_SYSCTL,
            .setup = receive_much,
            .provoke = send_much,
    },
    {
            .id = "cgroup-socket-memory",
            .title = "The sockets of a control group hold all they may",
            .expects = "cgroup-socket-memory",
            .never = "udp-memory rcvbuf-burst socket-filter",
            .locus = "udp-memory",
            .port = LAB_PORT,
            .process = "lab-limited",
            .needs = NEEDS_CGROUP_MEMORY,
            .setup = receive_limited,
            .provoke = send_to_limited,
            .fix = FIX_COMMAND,
    },
};
SCENARIO_LIST(scenarios_queue, scenarios);
