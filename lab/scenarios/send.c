// SPDX-License-Identifier: GPL-2.0-or-later
// Send scenarios
//
// What is sent from the host that is looked at, and does not get out of it.
#include "lab/fault.h"
#include "lab/scenarios/common.h"

#define NFT_OUTPUT(type, table)                                                                    \
    "nft add table " table " lab && nft add chain " table " lab out '{ type " type                 \
    " hook output priority 0; }' && nft add rule " table " lab out udp dport %d "

static int receive_there(struct lab *lab) {
    return lab_receive(
            lab, LAB_SENDER, &(struct reader){ .name = "lab-peer", .rcvbuf = 2000000 }, NULL);
}

static int send_out(struct lab *lab, struct stream stream) {
    if (!stream.to)
        stream.to = lab_address(lab, LAB_SENDER, 1);
    return lab_send(lab, LAB_RECEIVER, &stream);
}

static int send_out_small(struct lab *lab) {
    return send_out(lab, (struct stream){ .size = 100, .count = 300, .rate = 1000 });
}

// ---- The send buffer, and the queue below

static int slow_link(struct lab *lab, long limit_bytes) {
    int r = receive_there(lab);
    if (r == 0 &&
            lab_run(lab, LAB_RECEIVER,
                    "tc qdisc add dev b1 root handle 8001: tbf rate 8mbit burst 4000 limit %ld",
                    limit_bytes) < 0)
        return lab_skip(lab, "needs the tbf qdisc");
    return r;
}

static int slow_link_long_queue(struct lab *lab) {
    return slow_link(lab, 4000000);
}

static int slow_link_short_queue(struct lab *lab) {
    return slow_link(lab, 20000);
}

// "Its rate limit is the brake: raise it": only who set it knows to what.
static int raise_rate(struct lab *lab, const char *command) {
    return lab_run(lab, LAB_RECEIVER,
            "tc qdisc change dev b1 root handle 8001: tbf rate 400mbit burst 100000 limit 1000000");
}

static int slow_link_few_packets(struct lab *lab) {
    int r = slow_link(lab, 4000000);
    return r < 0 ? r
                 : lab_run(lab, LAB_RECEIVER,
                           "tc qdisc add dev b1 parent 8001:1 handle 10: pfifo limit 20");
}

static int as_told(struct lab *lab, const char *command) {
    return command ? lab_run(lab, LAB_RECEIVER, "%s", command)
                   : lab_fail(lab, "it does not tell how to lengthen the queue");
}

static int impatient(struct lab *lab) {
    return send_out(lab, (struct stream){ .size = MEDIUM,
                                 .count = 1000,
                                 .rate = 4000,
                                 .sndbuf = 8192,
                                 .impatient = true });
}

static int patient(struct lab *lab) {
    return send_out(
            lab, (struct stream){ .size = MEDIUM, .count = 300, .rate = 4000, .sndbuf = 8192 });
}

static int too_fast(struct lab *lab) {
    return send_out(lab, (struct stream){ .size = MEDIUM, .count = 1000, .rate = 4000 });
}

static int slow_enough(struct lab *lab) {
    return send_out(lab, (struct stream){ .size = MEDIUM, .count = 300, .rate = 500 });
}

// ---- Routes and filters

static int nowhere(struct lab *lab) {
    return send_out(lab, (struct stream){ .to = lab_family(lab) == 6 ? "fd99::1" : "10.99.0.1",
                                 .count = 300,
                                 .rate = 1000 });
}

static int refuse(struct lab *lab) {
    int r = receive_there(lab);
    return r < 0 ? r : lab_run(lab, LAB_RECEIVER, NFT_OUTPUT("filter", "inet") "drop", LAB_PORT);
}

// What is to be looked for is the rule; it is there, and goes.
static int stop_refusing(struct lab *lab, const char *command) {
    char found[256];
    if (!command || lab_read(lab, LAB_RECEIVER, found, sizeof(found), "%s", command) < 0)
        return lab_fail(lab, "what it says does not show the rule");
    return lab_run(lab, LAB_RECEIVER, "nft flush chain inet lab out");
}

// They are made for the link that their route names, and then sent over a narrower one.
static int narrow_detour(struct lab *lab) {
    int family = lab_family(lab), r = lab_link(lab, 2);
    if (r == 0)
        r = receive_there(lab);
    if (r == 0)
        r = lab_run(lab, LAB_RECEIVER,
                "ip link set b2 mtu 1280 && ip -%d route add %s via %s dev b2 table 77 && "
                "ip -%d rule add fwmark 7 table 77",
                family, lab_address(lab, LAB_SENDER, 1), lab_address(lab, LAB_SENDER, 2), family);
    if (r < 0)
        return r;
    return family == 6 ? lab_run(lab, LAB_RECEIVER, NFT_OUTPUT("route", "ip6") "meta mark set 7",
                                 LAB_PORT)
                       : lab_run(lab, LAB_RECEIVER, NFT_OUTPUT("route", "ip") "meta mark set 7",
                                 LAB_PORT);
}

static int send_whole(struct lab *lab) {
    return send_out(
            lab, (struct stream){ .size = 1400, .count = 300, .rate = 1000, .whole = true });
}

static int send_fitting(struct lab *lab) {
    return send_out(
            lab, (struct stream){ .size = 1000, .count = 300, .rate = 1000, .whole = true });
}

// ---- Devices without a way on

static int to_other_side(struct lab *lab) {
    return send_out(lab, (struct stream){ .to = lab_family(lab) == 6 ? "fd88::1" : "10.88.0.1",
                                 .count = 1000,
                                 .rate = 2500 });
}

// Little multicast chatter of its own beside what is sent.
static int keep_quiet(struct lab *lab, const char *interface) {
    return lab_run(lab, LAB_RECEIVER, "sysctl -q -w net.ipv6.conf.%s.%s 2>/dev/null; true",
            interface, lab_family(lab) == 6 ? "router_solicitations=0" : "disable_ipv6=1");
}

static int tunnel(struct lab *lab) {
    bool v6 = lab_family(lab) == 6;
    if (lab_run(lab, LAB_RECEIVER,
                "ip link add vx0 type vxlan id 77 dstport 4789 dev b1 nolearning") < 0)
        return lab_skip(lab, "needs vxlan");
    int r = keep_quiet(lab, "vx0");
    return r < 0 ? r
                 : lab_run(lab, LAB_RECEIVER,
                           "ip address add %s dev vx0 && ip link set vx0 up && "
                           "ip neighbour replace %s lladdr 02:00:00:00:77:01 dev vx0",
                           v6 ? "fd88::2/64 nodad" : "10.88.0.2/24", v6 ? "fd88::1" : "10.88.0.1");
}

static int unread_device(struct lab *lab) {
    int r = fault_unread_tap(lab, "tap0");
    if (r == 0)
        r = keep_quiet(lab, "tap0");
    if (r == 0)
        r = lab_run(lab, LAB_RECEIVER,
                "ip address add %s dev tap0 && ip link set tap0 txqueuelen 100 up && "
                "ip neighbour replace %s lladdr 02:00:00:00:77:01 dev tap0",
                lab_family(lab) == 6 ? "fd88::2/64 nodad" : "10.88.0.2/24",
                lab_family(lab) == 6 ? "fd88::1" : "10.88.0.1");
    return r < 0 ? r : to_other_side(lab); // as much as it holds
}

static const struct scenario scenarios[] = {
    { .id = "sndbuf-full",
            .quick = true,
            .title = "A sender that does not wait for room in its send buffer",
            .expects = "sndbuf-full",
            .never = "qdisc-overflow backlog-overflow peer-backlog send-filtered",
            .locus = "send-buffer",
            .families = LAB_BOTH,
            .tools = "tc",
            .setup = slow_link_long_queue,
            .provoke = impatient },
    { .id = "sndbuf-waits",
            .title = "A sender that waits for room there",
            .never = "sndbuf-full qdisc-overflow",
            .families = LAB_BOTH,
            .tools = "tc",
            .no_loss = true,
            .setup = slow_link_long_queue,
            .provoke = patient },
    { .id = "qdisc-overflow",
            .quick = true,
            .title = "More than the send queue of the interface holds",
            .expects = "qdisc-overflow",
            .never = "sndbuf-full backlog-overflow peer-backlog send-filtered",
            .locus = "qdisc",
            .families = LAB_BOTH,
            .tools = "tc",
            .setup = slow_link_short_queue,
            .provoke = too_fast,
            .fix = FIX_OWN,
            .fix_match = "tc qdisc show",
            .own_fix = raise_rate },
    { .id = "qdisc-overflow-fifo",
            .title = "More packets than a queue of a fixed length holds",
            .expects = "qdisc-overflow",
            .never = "sndbuf-full backlog-overflow peer-backlog send-filtered",
            .locus = "qdisc",
            .families = LAB_BOTH,
            .tools = "tc",
            .setup = slow_link_few_packets,
            .provoke = too_fast,
            .fix = FIX_OWN,
            .fix_match = "pfifo limit",
            .own_fix = as_told },
    { .id = "qdisc-shapes",
            .title = "A send queue that delays and does not drop",
            .never = "qdisc-overflow sndbuf-full",
            .families = LAB_BOTH,
            .tools = "tc",
            .no_loss = true,
            .setup = slow_link_short_queue,
            .provoke = slow_enough },
    { .id = "send-no-route",
            .title = "A program that sends to where no route leads",
            .expects = "send-no-route",
            .never = "send-filtered sndbuf-full",
            .locus = "send-route",
            .families = LAB_BOTH,
            .setup = receive_there,
            .provoke = nowhere },
    { .id = "send-filtered",
            .title = "A firewall rule that refuses what is sent",
            .expects = "send-filtered",
            .never = "sndbuf-full send-no-route",
            .locus = "send-filter",
            .families = LAB_BOTH,
            .tools = "nft",
            .setup = refuse,
            .provoke = send_out_small,
            .fix = FIX_OWN,
            .fix_match = "nft list ruleset",
            .own_fix = stop_refusing },
    { .id = "send-too-big",
            .title = "Datagrams too big for the link, which may not be cut",
            .expects = "send-too-big",
            .never = "sndbuf-full send-filtered",
            .locus = "send-fragment",
            .families = LAB_BOTH,
            .tools = "nft",
            .setup = narrow_detour,
            .provoke = send_whole },
    { .id = "send-fits",
            .title = "Smaller ones over the same link",
            .never = "send-too-big",
            .families = LAB_BOTH,
            .tools = "nft",
            .no_loss = true,
            .setup = narrow_detour,
            .provoke = send_fitting },
    { .id = "tunnel-no-destination",
            .title = "A tunnel without an entry for the address behind it",
            .expects = "tunnel-no-destination",
            .never = "tx-driver sndbuf-full",
            .locus = "neighbour",
            .families = LAB_BOTH,
            .setup = tunnel,
            .provoke = to_other_side },
    { .id = "tx-driver",
            .title = "An interface of a program that takes nothing from it",
            .expects = "tx-driver",
            .never = "sndbuf-full qdisc-overflow tunnel-no-destination",
            .locus = "tx-driver",
            .families = LAB_BOTH,
            .setup = unread_device,
            .provoke = to_other_side },
};
SCENARIO_LIST(scenarios_send, scenarios);
