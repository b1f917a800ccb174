// SPDX-License-Identifier: GPL-2.0-or-later
// Backlog scenarios
//
// The queue of packets that another CPU is to take. Its limits are those of the whole host, so that
// they are short for no longer than a burst.
#include "lab/scenarios/common.h"

#define USUAL_BACKLOG "1000"
// Rules before the verdict, so that a CPU takes microseconds for each packet.
#define TRIED_PORTS 1000
// And so many that it takes ten of them.
#define MANY_PORTS 4000

static int slow_down(struct lab *lab, int ports) {
    return lab_run(lab, LAB_RECEIVER,
            "{ echo 'table inet lab { chain in { type filter hook prerouting priority 0;'; "
            "seq %d | sed 's/.*/udp dport & counter/'; echo '}'; echo '}'; } | nft -f -",
            ports);
}

// Packets that come in on the first CPU are taken by the last one, which takes its time. The reader
// keeps out of its way.
static int steer(struct lab *lab, const char *interface, const char *backlog, int ports) {
    int r = lab_sysctl(lab, LAB_HOST, "net/core/netdev_max_backlog", backlog);
    if (r == 0)
        r = lab_receive(lab, LAB_RECEIVER,
                &(struct reader){ .name = "lab-reader", .rcvbuf = 2000000, .cpu = 1 }, NULL);
    if (r == 0)
        r = slow_down(lab, ports);
    if (r == 0 &&
            lab_run(lab, LAB_RECEIVER, "printf %%x %d >/sys/class/net/%s/queues/rx-0/rps_cpus",
                    1 << (lab_last_cpu(lab) - 1), interface) < 0)
        return lab_skip(lab, "needs RPS");
    return r;
}

static int send_bursts(struct lab *lab, enum lab_place from, long burst, long count) {
    return lab_send(lab, from,
            &(struct stream){ .size = 100,
                    .count = count,
                    .burst = burst,
                    .pause_ms = 10,
                    .sndbuf = 200000,
                    .cpu = 1 });
}

static int short_backlog(struct lab *lab) {
    return steer(lab, "b1", "40", TRIED_PORTS);
}

static int short_backlog_here(struct lab *lab) {
    return steer(lab, "lo", "40", TRIED_PORTS);
}

static int bursts(struct lab *lab) {
    return send_bursts(lab, LAB_SENDER, 100, 3000);
}

static int bursts_here(struct lab *lab) {
    return send_bursts(lab, LAB_RECEIVER, 100, 3000);
}

// One flow may take half of a queue, of which the bursts need more.
static int limit_flows(struct lab *lab) {
    int r = lab_sysctl(lab, LAB_HOST, "net/core/flow_limit_cpu_bitmap", "1");
    return r < 0 ? r : steer(lab, "b1", "200", TRIED_PORTS);
}

static int long_bursts(struct lab *lab) {
    return send_bursts(lab, LAB_SENDER, 180, 5400);
}

static int long_backlog(struct lab *lab) {
    return steer(lab, "b1", USUAL_BACKLOG, TRIED_PORTS);
}

static int saturate(struct lab *lab) {
    return steer(lab, "b1", "100", MANY_PORTS);
}

// More than it can take, all the time.
static int flood(struct lab *lab) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .size = 100,
                    .count = 60000,
                    .burst = 60,
                    .pause_ms = 1,
                    .sndbuf = 200000,
                    .cpu = 1 });
}

static const struct scenario scenarios[] = {
    { .id = "backlog-overflow",
            .quick = true,
            .title = "More than the backlog of a CPU holds, over veth",
            .expects = "backlog-overflow",
            .never = "rx-one-cpu peer-backlog sndbuf-full tx-driver nic-unwanted-frames",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .setup = short_backlog,
            .provoke = bursts,
            .fix = FIX_COMMAND },
    { .id = "backlog-overflow-loopback",
            .title = "The same over loopback, where no sender is told",
            .expects = "backlog-overflow",
            .never = "rx-one-cpu peer-backlog sndbuf-full nic-unwanted-frames",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .setup = short_backlog_here,
            .provoke = bursts_here,
            .fix = FIX_COMMAND },
    { .id = "backlog-flow-limit",
            .title = "One flow that takes more than half of the backlog",
            .expects = "backlog-flow-limit",
            .never = "peer-backlog sndbuf-full",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .setup = limit_flows,
            .provoke = long_bursts,
            .fix = FIX_COMMAND },
    { .id = "rx-one-cpu",
            .title = "All reception on one CPU, which cannot take it",
            .expects = "rx-one-cpu",
            .never = "peer-backlog sndbuf-full tx-driver nic-unwanted-frames",
            .locus = "backlog",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .setup = saturate,
            .provoke = flood },
    { .id = "backlog-busy",
            .title = "The same bursts through a backlog of the usual length",
            .never = "backlog-overflow backlog-flow-limit",
            .families = LAB_BOTH,
            .needs = NEEDS_TWO_CPUS | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .no_loss = true,
            .setup = long_backlog,
            .provoke = bursts },
};
SCENARIO_LIST(scenarios_backlog, scenarios);
