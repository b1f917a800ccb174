// SPDX-License-Identifier: GPL-2.0-or-later
// Reader scenarios
//
// Readers that are kept from reading. Beside some stands another reader, at the next port, that is
// not to be taken for the culprit: it loses nothing.
#include "lab/scenario.h"

#define NEIGHBOUR (LAB_PORT + 1)
#define FAST 5000 // datagrams/s: 50 ms fill a buffer of the usual size

static int receive(struct lab *lab, const struct reader *reader) {
    return lab_receive(lab, LAB_RECEIVER, reader, NULL);
}

static int send_stream(struct lab *lab, const struct stream *stream) {
    return lab_send(lab, LAB_SENDER, stream);
}

static int send_fast(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .rate = FAST, .count = FAST * 6 / 10 });
}

static int receive_never(struct lab *lab) {
    int r = receive(lab, &(struct reader){ .behaviour = play_never, .name = "lab-never" });
    return r < 0 ? r : receive(lab, &(struct reader){ .name = "lab-reads", .port = NEIGHBOUR });
}

static int send_both(struct lab *lab) {
    struct stream other = { .flow = 1, .port = NEIGHBOUR, .rate = FAST, .count = FAST * 6 / 10 };
    int r = lab_send_begin(lab, LAB_SENDER, &other);
    if (r == 0)
        r = send_fast(lab);
    return r < 0 ? r : lab_sent(lab);
}

static int receive_dual(struct lab *lab) {
    return receive(lab,
            &(struct reader){
                    .behaviour = play_never, .name = "lab-dual", .on = "::", .unified = true });
}

static int receive_busy(struct lab *lab) {
    return receive(lab, &(struct reader){ .name = "lab-busy", .work_us = 1000 });
}

static int receive_overloaded(struct lab *lab) {
    return receive(lab,
            &(struct reader){
                    .behaviour = play_group, .name = "lab-all", .work_us = 1500, .threads = 4 });
}

static int receive_crowded(struct lab *lab) {
    struct reader crowd = {
        .behaviour = play_crowd, .name = "lab-crowd", .work_us = 1500, .threads = 4
    };
    return receive(lab, &crowd);
}

static int send_many_flows(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .sockets = 64, .rate = 8000, .count = 11000 });
}

// The hog leaves it a moment every now and then; in between it waits for longer than its buffer
// lasts. Another on the other CPU is not hindered.
static int receive_starved(struct lab *lab) {
    int cpu = lab_last_cpu(lab);
    int r = receive(
            lab, &(struct reader){ .name = "lab-starved", .cpu = cpu, .nice = 10, .work_us = 20 });
    if (r == 0)
        r = receive(lab, &(struct reader){ .name = "lab-fed", .port = NEIGHBOUR });
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_hog,
                                        .name = "lab-hog",
                                        .cpu = cpu,
                                        .nice = -5 });
}

// When it gets the lock it reads all there is. The other one gets one as seldom as it needs to.
static int receive_locked(struct lab *lab) {
    int r = receive(
            lab, &(struct reader){ .behaviour = play_lock, .name = "lab-lock", .every = 300 });
    return r < 0 ? r
                 : receive(lab, &(struct reader){ .behaviour = play_lock,
                                        .name = "lab-patient",
                                        .port = NEIGHBOUR,
                                        .every = 100 });
}

static int receive_asking(struct lab *lab) {
    return receive(lab, &(struct reader){ .behaviour = play_ask, .name = "lab-asks", .every = 50 });
}

static int receive_many(struct lab *lab) {
    return receive(
            lab, &(struct reader){ .behaviour = play_many, .name = "lab-many", .threads = 8 });
}

static int send_to_many(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .ports = 8, .rate = 20000, .count = 12000 });
}

static int send_and_trickle(struct lab *lab) {
    struct stream trickle = { .flow = 1, .port = NEIGHBOUR, .rate = 20, .count = 12 };
    int r = lab_send_begin(lab, LAB_SENDER, &trickle);
    if (r == 0)
        r = send_fast(lab);
    return r < 0 ? r : lab_sent(lab);
}

// All that comes is received on the reader's CPU, which is hardly left to it.
static int receive_beside_softirq(struct lab *lab) {
    int cpu = lab_last_cpu(lab);
    int r = lab_run(lab, LAB_RECEIVER, "printf %%x %d >/sys/class/net/b1/queues/rx-0/rps_cpus",
            1 << (cpu - 1));
    if (r == 0)
        r = lab_sysctl_number(lab, LAB_HOST, "net/core/netdev_max_backlog", 100000);
    return r < 0 ? r
                 : receive(lab,
                           &(struct reader){ .name = "lab-softirq", .cpu = cpu, .work_us = 3 });
}

static int send_flood(struct lab *lab) {
    return send_stream(lab, &(struct stream){ .count = 200000, .cpu = 1 });
}

static const struct scenario scenarios[] = {
    {
            .id = "reader-not-reading",
            .quick = true,
            .title = "A program holds its port and never reads",
            .expects = "reader-not-reading",
            .never = "reader-cpu-bound reader-blocked-other rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-never",
            .families = LAB_BOTH,
            .setup = receive_never,
            .provoke = send_both,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "reader-not-reading-dual",
            .title = "IPv4 to a socket of both families that nobody reads",
            .expects = "reader-not-reading",
            .never = "reader-cpu-bound reader-blocked-other rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-dual",
            .setup = receive_dual,
            .provoke = send_fast,
    },
    {
            .id = "reader-not-reading-many",
            .title = "A program that reads none of its eight ports",
            .expects = "reader-not-reading",
            .never = "reader-cpu-bound reader-blocked-other rcvbuf-burst",
            .locus = "socket-queue",
            .process = "lab-many",
            .setup = receive_many,
            .provoke = send_to_many,
    },
    {
            .id = "reader-cpu-bound",
            .quick = true,
            .title = "A reader that computes too long for each datagram",
            .expects = "reader-cpu-bound",
            .never = "reader-not-reading reader-blocked-other rcvbuf-burst reader-overload",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-busy",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_busy,
            .provoke = send_fast,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "reader-overload",
            .title = "More than a whole group of readers can take",
            .expects = "reader-overload",
            .never = "reuseport-imbalance reader-cpu-bound shared-socket-contention",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-all",
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_overloaded,
            .provoke = send_many_flows,
    },
    {
            .id = "reader-overload-crowd",
            .title = "More than many threads at one socket can take",
            .expects = "reader-overload",
            .never = "reader-cpu-bound shared-socket-contention reader-not-reading",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-crowd",
            .needs = NEEDS_TWO_CPUS,
            .setup = receive_crowded,
            .provoke = send_many_flows,
    },
    {
            .id = "reader-cpu-starved",
            .title = "A reader whose CPU another program takes",
            .expects = "reader-cpu-starved",
            .never = "reader-cpu-bound reader-not-reading reader-blocked-other",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-starved",
            .needs = NEEDS_ROOT | NEEDS_TWO_CPUS,
            .tools = "taskset",
            .setup = receive_starved,
            .provoke = send_both,
            .fix = FIX_COMMAND,
            .fix_match = "renice",
    },
    {
            .id = "reader-softirq",
            .title = "Reception that fills the reader's CPU",
            .expects = "reader-softirq",
            .never = "reader-not-reading reader-blocked-other",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-softirq",
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .setup = receive_beside_softirq,
            .provoke = send_flood,
    },
    {
            .id = "reader-blocked-lock",
            .title = "A reader that sleeps in a lock",
            .expects = "reader-blocked-other",
            .never = "reader-not-reading reader-cpu-bound reader-blocked-disk rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-lock",
            .setup = receive_locked,
            .provoke = send_and_trickle,
            .fix = FIX_BIGGER_FAILS,
    },
    {
            .id = "reader-blocked-query",
            .title = "A reader that waits for an answer from elsewhere for each datagram",
            .expects = "reader-blocked-other",
            .never = "reader-not-reading reader-cpu-bound reader-blocked-disk rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-asks",
            .families = LAB_BOTH,
            .setup = receive_asking,
            .provoke = send_fast,
            .fix = FIX_BIGGER_FAILS,
    },
};
SCENARIO_LIST(scenarios_reader, scenarios);
