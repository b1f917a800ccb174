// SPDX-License-Identifier: GPL-2.0-or-later
// Filter scenarios
//
// What is configured to stand in the way, or runs full there.
#include "lab/scenarios/common.h"

#include <stdlib.h>
#include <string.h>

#include "lab/fault.h"

// 241 addresses and 13 ports in turn: as many flows as datagrams.
enum { TRACKED = 3000, TRACKED_ADDRESSES = 241, TRACKED_PORTS = 13, CONNTRACK_LEAST = 2000 };

// ---- Reverse path

// A network whose answers leave by the second link, from which packets come in by the first.
static int second_way(struct lab *lab, const char *strict) {
    int r = lab_link(lab, 2);
    if (r == 0)
        r = lab_sysctl(lab, LAB_RECEIVER, "net/ipv4/conf/all/rp_filter", "0");
    if (r == 0)
        r = lab_sysctl(lab, LAB_RECEIVER, "net/ipv4/conf/b2/rp_filter", "0");
    if (r == 0)
        r = lab_sysctl(lab, LAB_RECEIVER, "net/ipv4/conf/b1/rp_filter", strict);
    return r < 0 ? r : receive_all(lab);
}

static int strict_path(struct lab *lab) {
    return second_way(lab, "1");
}

static int loose_path(struct lab *lab) {
    return second_way(lab, "2");
}

static int by_wrong_link(struct lab *lab) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = LAB_MAC_RECEIVER,
                    .from = "10.77.2.1",
                    .to = "10.77.1.2",
                    .count = 300,
                    .rate = 1000 });
}

// ---- Programs at the interface

static int tc_filter(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r : fault_tc_drop(lab, "b1");
}

static int no_tc_filter(struct lab *lab, const char *command) {
    if (!command)
        return lab_fail(lab, "it does not tell how to take the filter away");
    int n = (int) strcspn(command, "P"); // of "pref PREF"
    return lab_run(lab, LAB_RECEIVER, "%.*s10 && %.*s11", n, command, n, command);
}

static int xdp_program(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r : fault_xdp_drop(lab, "b1");
}

static int no_xdp_program(struct lab *lab, const char *command) {
    if (!command)
        return lab_fail(lab, "it does not tell how to take the program off");
    return lab_run(lab, LAB_RECEIVER, "%s", command);
}

// ---- Connection tracking

static int track(struct lab *lab) {
    const char *family = lab_family(lab) == 6 ? "ip6" : "ip";
    return lab_run(lab, LAB_RECEIVER,
            "nft add table %s lab && nft add chain %s lab in '{ type filter hook prerouting "
            "priority 0; }' && nft add rule %s lab in ct state new counter accept",
            family, family, family);
}

// The limit is one for the whole host: what is open there has to fit too.
static int short_table(struct lab *lab) {
    char text[32] = "";
    int64_t open = 0;
    int r = receive_all(lab);
    if (r == 0 && lab_read(lab, LAB_HOST, text, sizeof(text),
                          "cat /proc/sys/net/netfilter/nf_conntrack_count") == 0)
        open = strtoll(text, NULL, 10);
    if (r == 0 && 2 * open > CONNTRACK_LEAST)
        return lab_skip(lab, "needs a host with few tracked connections");
    if (r == 0)
        r = lab_sysctl_number(lab, LAB_HOST, "net/netfilter/nf_conntrack_max", CONNTRACK_LEAST);
    return r < 0 ? r : track(lab);
}

static int nearly_full_table(struct lab *lab) {
    int r = receive_all(lab);
    if (r == 0)
        r = lab_sysctl_number(lab, LAB_HOST, "net/netfilter/nf_conntrack_max", TRACKED * 10 / 9);
    return r < 0 ? r : track(lab);
}

static int roomy_table(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r : track(lab);
}

// Each its own, and the same ones every time.
static int many_flows(struct lab *lab) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = LAB_MAC_RECEIVER,
                    .from = lab_family(lab) == 6 ? "fd77:1::a" : "10.77.1.10",
                    .spoof = TRACKED_ADDRESSES,
                    .sockets = TRACKED_PORTS,
                    .count = TRACKED,
                    .rate = 6000 });
}

// ---- Firewall

static int firewall(struct lab *lab, const char *verdict) {
    return lab_run(lab, LAB_RECEIVER,
            "nft add table inet lab && nft add chain inet lab in '{ type filter hook input "
            "priority 0; }' && nft add rule inet lab in udp dport %d counter %s",
            LAB_PORT, verdict);
}

static int firewall_counts(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r : firewall(lab, "accept");
}

static int firewall_drops(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r : firewall(lab, "drop");
}

static int send_unseen(struct lab *lab) {
    return lab_send(
            lab, LAB_SENDER, &(struct stream){ .flow = LAB_STRAY, .count = 300, .rate = 1000 });
}

// ---- Frames for nobody

static int bridge(struct lab *lab) {
    int r = lab_link(lab, 2);
    if (r == 0)
        r = lab_run(lab, LAB_RECEIVER,
                "ip link add br2 type bridge && ip link set b2 master br2 && "
                "ip link set br2 address 02:00:00:00:02:0b up");
    return r < 0 ? r : receive_all(lab);
}

static int unknown_frames(struct lab *lab) {
    int r = send_small(lab);
    return r < 0 ? r
                 : lab_send(lab, LAB_SENDER,
                           &(struct stream){ .flow = LAB_STRAY,
                                   .mac = "02:00:00:00:02:0b",
                                   .device = "a2",
                                   .damage = FRAME_UNKNOWN_PROTOCOL,
                                   .count = 300,
                                   .rate = 1000 });
}

static const struct scenario scenarios[] = {
    { .id = "rp-filter",
            .quick = true,
            .title = "Packets whose answer would leave by another interface",
            .expects = "rp-filter",
            .never = "ip-wrong-address ip-no-route",
            .locus = "rp-filter",
            .families = LAB_IPV4,
            .setup = strict_path,
            .provoke = by_wrong_link,
            .fix = FIX_COMMAND,
            .fix_match = "rp_filter=2" },
    { .id = "rp-filter-loose",
            .title = "The same, where the filter only asks for a way at all",
            .never = "rp-filter",
            .families = LAB_IPV4,
            .no_loss = true,
            .setup = loose_path,
            .provoke = by_wrong_link },
    { .id = "tc-ingress-drop",
            .title = "A tc filter that drops UDP",
            .expects = "tc-ingress-drop",
            .never = "xdp-drop nic-unwanted-frames",
            .locus = "tc-ingress",
            .families = LAB_BOTH,
            .tools = "tc",
            .setup = tc_filter,
            .provoke = send_small,
            .fix = FIX_OWN,
            .fix_match = "filter del",
            .own_fix = no_tc_filter },
    { .id = "xdp-drop",
            .title = "An XDP program that drops UDP",
            .expects = "xdp-drop",
            .never = "tc-ingress-drop nic-unwanted-frames",
            .locus = "xdp",
            .families = LAB_BOTH,
            .needs = NEEDS_ROOT,
            .setup = xdp_program,
            .provoke = send_small,
            .fix = FIX_OWN,
            .fix_match = "xdp off",
            .own_fix = no_xdp_program },
    { .id = "conntrack-full",
            .title = "More flows than the connection table holds",
            .expects = "conntrack-full",
            .never = "conntrack-race",
            .locus = "conntrack",
            .families = LAB_BOTH,
            .needs = NEEDS_CONNTRACK | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .setup = short_table,
            .provoke = many_flows,
            .fix = FIX_COMMAND },
    { .id = "conntrack-near",
            .title = "A connection table that is filled to nine tenths",
            .also = "conntrack-near",
            .never = "conntrack-full conntrack-race",
            .families = LAB_BOTH,
            .needs = NEEDS_CONNTRACK | NEEDS_HOST_SYSCTL,
            .tools = "nft",
            .no_loss = true,
            .setup = nearly_full_table,
            .provoke = many_flows },
    { .id = "conntrack-busy",
            .title = "As many flows, and room for them",
            .never = "conntrack-full conntrack-race",
            .families = LAB_BOTH,
            .needs = NEEDS_CONNTRACK,
            .tools = "nft",
            .no_loss = true,
            .setup = roomy_table,
            .provoke = many_flows },
    { .id = "firewall-accepts",
            .title = "A firewall rule that counts and accepts",
            .families = LAB_BOTH,
            .tools = "nft",
            .no_loss = true,
            .setup = firewall_counts,
            .provoke = send_small },
    { .id = "firewall-drops",
            .title = "A firewall rule that drops, which no counter tells: nothing else is blamed",
            .families = LAB_BOTH,
            .tools = "nft",
            .no_loss = true,
            .setup = firewall_drops,
            .provoke = send_unseen },
    { .id = "nic-unwanted-frames",
            .title = "Frames of a protocol that nobody takes",
            .expects = "nic-unwanted-frames",
            .never = "nic-ring-overflow nic-drops-unsplit",
            .families = LAB_IPV4,
            .no_loss = true,
            .setup = bridge,
            .provoke = unknown_frames },
};
SCENARIO_LIST(scenarios_filters, scenarios);
