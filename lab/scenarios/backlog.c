// SPDX-License-Identifier: GPL-2.0-or-later
// Backlog scenarios
//
// The queue of packets that another CPU is to take. Its limits are those of the whole host, so that
// they are short for no longer than a burst.
#include "lab/scenarios/common.h"

#define USUAL_BACKLOG "1000"

// Packets that come in on the first CPU are taken by the last one.
static int steer(struct lab *lab) {
    int r = receive_all(lab);
    if (r == 0 &&
            lab_run(lab, LAB_RECEIVER, "printf %%x %d >/sys/class/net/b1/queues/rx-0/rps_cpus",
                    1 << (lab_last_cpu(lab) - 1)) < 0)
        return lab_skip(lab, "needs RPS");
    return r;
}

static int fast(struct lab *lab, long count) {
    return lab_send(lab, LAB_SENDER, &(struct stream){ .size = 100, .count = count, .cpu = 1 });
}

static int short_backlog(struct lab *lab) {
    int r = lab_sysctl(lab, LAB_HOST, "net/core/netdev_max_backlog", "4");
    return r < 0 ? r : steer(lab);
}

static int burst(struct lab *lab) {
    return fast(lab, 2000);
}

// One flow may take half of a queue of 128.
static int limit_flows(struct lab *lab) {
    int r = lab_sysctl(lab, LAB_HOST, "net/core/netdev_max_backlog", "128");
    if (r == 0)
        r = lab_sysctl(lab, LAB_HOST, "net/core/flow_limit_cpu_bitmap", "1");
    return r < 0 ? r : steer(lab);
}

static int long_backlog(struct lab *lab) {
    int r = lab_sysctl(lab, LAB_HOST, "net/core/netdev_max_backlog", USUAL_BACKLOG);
    return r < 0 ? r : steer(lab);
}

static int steady(struct lab *lab) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .size = 100, .count = 5000, .rate = 10000, .cpu = 1 });
}

static const struct scenario scenarios[] = {
    { .id = "backlog-overflow",
            .title = "More than the backlog of a CPU holds, over veth",
            .expects = "backlog-overflow",
            .never = "peer-backlog sndbuf-full tx-driver nic-unwanted-frames",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .quick = true,
            .setup = short_backlog,
            .provoke = burst,
            .fix = FIX_COMMAND },
    { .id = "backlog-flow-limit",
            .title = "One flow that takes more than half of the backlog",
            .expects = "backlog-flow-limit",
            .never = "peer-backlog sndbuf-full",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .setup = limit_flows,
            .provoke = burst,
            .fix = FIX_COMMAND },
    { .id = "backlog-busy",
            .title = "Much through the backlog of another CPU",
            .never = "backlog-overflow backlog-flow-limit",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .no_loss = true,
            .setup = long_backlog,
            .provoke = steady },
};
SCENARIO_LIST(scenarios_backlog, scenarios);
