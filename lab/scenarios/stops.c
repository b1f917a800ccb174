// SPDX-License-Identifier: GPL-2.0-or-later
// Stop scenarios
//
// Readers that somebody stops: by a signal, a debugger, a freezer or a quota.
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lab/fault.h"
#include "lab/scenario.h"

#define NEIGHBOUR (LAB_PORT + 1)
#define FAST 5000 // datagrams/s: 50 ms fill a buffer of the usual size

static int receive(struct lab *lab, const struct reader *reader) {
    return lab_receive(lab, LAB_RECEIVER, reader, NULL);
}

static int send_fast(struct lab *lab) {
    struct stream stream = { .rate = FAST, .count = FAST * 6 / 10 };
    return lab_send(lab, LAB_SENDER, &stream);
}

static int receive_stopped(struct lab *lab) {
    int stopped,
            r = lab_receive(lab, LAB_RECEIVER, &(struct reader){ .name = "lab-stopped" }, &stopped);
    if (r == 0)
        r = receive(lab, &(struct reader){ .name = "lab-short", .port = NEIGHBOUR });
    return r < 0 ? r : lab_signal(lab, lab_reader_pid(lab, stopped), SIGSTOP);
}

// A stop for less than its buffer lasts does no harm.
static int send_with_short_stops(struct lab *lab) {
    struct stream slow = { .flow = 1, .port = NEIGHBOUR, .rate = 200, .count = 120 };
    pid_t neighbour = lab_reader_pid(lab, 1);
    int r = lab_send_begin(lab, LAB_SENDER, &slow);
    if (r == 0)
        r = lab_send_begin(
                lab, LAB_SENDER, &(struct stream){ .rate = FAST, .count = FAST * 6 / 10 });
    for (int i = 0; r == 0 && i < 3; i++) {
        r = lab_signal(lab, neighbour, SIGSTOP) ?: lab_pause(lab, 100);
        lab_signal(lab, neighbour, SIGCONT);
        r = r ?: lab_pause(lab, 50);
    }
    return r < 0 ? r : lab_sent(lab);
}

static int hold(struct lab_child *child, void *data) {
    pid_t pid = *(pid_t *) data;
    if (ptrace(PTRACE_SEIZE, pid, NULL, NULL) < 0 ||
            ptrace(PTRACE_INTERRUPT, pid, NULL, NULL) < 0 || waitpid(pid, NULL, __WALL) < 0)
        return 1;
    lab_child_ready(child);
    for (;;)
        pause();
}

static int receive_traced(struct lab *lab) {
    int traced,
            r = lab_receive(lab, LAB_RECEIVER, &(struct reader){ .name = "lab-traced" }, &traced);
    if (r < 0)
        return r;
    pid_t pid = lab_reader_pid(lab, traced);
    struct lab_spawn spawn = { .name = "lab-debugger", .play = hold, .data = &pid, .waits = true };
    return lab_spawn(lab, &spawn, NULL);
}

static int receive_frozen(struct lab *lab, const char *controller) {
    struct fault_group group;
    int r = fault_group(lab, controller, "frozen", &group);
    if (r == 0)
        r = receive(lab, &(struct reader){ .name = "lab-frozen", .cgroups = group.path });
    return r < 0 ? r : fault_freeze(lab, &group, true);
}

static int receive_frozen_v1(struct lab *lab) {
    return receive_frozen(lab, "freezer");
}

static int receive_frozen_v2(struct lab *lab) {
    return receive_frozen(lab, "");
}

static int receive_throttled(struct lab *lab) {
    struct fault_group group;
    int r = fault_group(lab, "cpu", "quota", &group);
    if (r == 0)
        r = fault_quota(lab, &group, 10);
    return r < 0 ? r
                 : receive(lab,
                           &(struct reader){
                                   .name = "lab-quota", .work_us = 50, .cgroups = group.path });
}

static int receive_throttled_above(struct lab *lab) {
    struct fault_group parent, group;
    int r = fault_group(lab, "cpu", "parent", &parent);
    if (r == 0)
        r = fault_quota(lab, &parent, 10);
    if (r == 0)
        r = fault_group_below(lab, &parent, "child", &group);
    return r < 0 ? r
                 : receive(lab,
                           &(struct reader){
                                   .name = "lab-child", .work_us = 50, .cgroups = group.path });
}

static const struct scenario scenarios[] = {
    {
            .id = "reader-stopped",
            .quick = true,
            .title = "A stopped reader, beside one that is stopped for moments",
            .expects = "reader-stopped",
            .never = "reader-not-reading reader-blocked-other rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-stopped",
            .setup = receive_stopped,
            .provoke = send_with_short_stops,
            .fix = FIX_COMMAND,
            .fix_match = "kill -CONT",
    },
    {
            .id = "reader-traced",
            .title = "A reader that a debugger holds",
            .expects = "reader-stopped",
            .never = "reader-not-reading reader-blocked-other rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-traced",
            .setup = receive_traced,
            .provoke = send_fast,
    },
    {
            .id = "reader-frozen",
            .title = "A reader that its control group (version 1) freezes",
            .expects = "reader-stopped",
            .never = "reader-not-reading reader-blocked-disk",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-frozen",
            .needs = NEEDS_FREEZER,
            .setup = receive_frozen_v1,
            .provoke = send_fast,
            .fix = FIX_COMMAND,
            .fix_match = "freezer.state",
    },
    {
            .id = "reader-frozen-v2",
            .title = "A reader that its control group (version 2) freezes",
            .expects = "reader-stopped",
            .never = "reader-not-reading reader-blocked-other",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-frozen",
            .needs = NEEDS_ROOT,
            .setup = receive_frozen_v2,
            .provoke = send_fast,
            .fix = FIX_COMMAND,
            .fix_match = "cgroup.freeze",
    },
    {
            .id = "reader-throttled",
            .title = "A reader that its CPU quota stops",
            .expects = "reader-throttled",
            .never = "reader-cpu-bound reader-cpu-starved rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-quota",
            .needs = NEEDS_CGROUP_CPU,
            .setup = receive_throttled,
            .provoke = send_fast,
            .fix = FIX_COMMAND,
    },
    {
            .id = "reader-throttled-above",
            .title = "A reader that the CPU quota of its parent group stops",
            .expects = "reader-throttled",
            .never = "reader-cpu-bound reader-cpu-starved rcvbuf-burst",
            .locus = "socket-queue",
            .port = LAB_PORT,
            .process = "lab-child",
            .needs = NEEDS_CGROUP_CPU,
            .setup = receive_throttled_above,
            .provoke = send_fast,
            .fix = FIX_COMMAND,
    },
};
SCENARIO_LIST(scenarios_stops, scenarios);
