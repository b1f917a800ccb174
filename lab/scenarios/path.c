// SPDX-License-Identifier: GPL-2.0-or-later
// Path scenarios
//
// What the IP layer and UDP itself refuse, without any configuration in the way.
#include "lab/scenarios/common.h"

#define ALL_IP "ip-bad-header ip-truncated ip-wrong-address ip-no-route ip-discard"

static int bad_checksums_small(struct lab *lab) {
    return send_damaged(lab, FRAME_BAD_CHECKSUM, SMALL);
}

static int bad_checksums_large(struct lab *lab) {
    return send_damaged(lab, FRAME_BAD_CHECKSUM, MEDIUM);
}

static int short_lengths(struct lab *lab) {
    return send_damaged(lab, FRAME_SHORT_UDP, MEDIUM);
}

static int long_lengths(struct lab *lab) {
    return send_damaged(lab, FRAME_LONG_UDP, SMALL);
}

static int bad_headers(struct lab *lab) {
    return send_damaged(lab, FRAME_BAD_IP_CHECKSUM, SMALL);
}

static int bad_versions(struct lab *lab) {
    return send_damaged(lab, FRAME_BAD_VERSION, SMALL);
}

static int cut_short(struct lab *lab) {
    return send_damaged(lab, FRAME_TRUNCATED, MEDIUM);
}

// ---- A tunnel between the two

static int tunnel_end(struct lab *lab, enum lab_place place) {
    bool v6 = lab_family(lab) == 6, here = place == LAB_RECEIVER;
    return lab_run(lab, place,
            "ip link add vx0 address 02:00:00:00:77:0%c type vxlan id 77 dstport 4789 remote %s "
            "dev %s && sysctl -q -w net.ipv6.conf.vx0.accept_dad=0; "
            "ip address add %s%s dev vx0 && ip link set vx0 up",
            here ? 'b' : 'a', lab_address(lab, here ? LAB_SENDER : LAB_RECEIVER, 1),
            here ? "b1" : "a1",
            here ? v6 ? "fd88::2" : "10.88.0.2"
            : v6 ? "fd88::1"
                 : "10.88.0.1",
            v6 ? "/64 nodad" : "/24");
}

static int tunnel(struct lab *lab) {
    if (tunnel_end(lab, LAB_RECEIVER) < 0)
        return lab_skip(lab, "needs vxlan");
    int r = tunnel_end(lab, LAB_SENDER);
    return r < 0 ? r : receive_all(lab);
}

static int bad_checksums_in_tunnel(struct lab *lab) {
    bool v6 = lab_family(lab) == 6;
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = "02:00:00:00:77:0b",
                    .device = "vx0",
                    .from = v6 ? "fd88::1" : "10.88.0.1",
                    .to = v6 ? "fd88::2" : "10.88.0.2",
                    .damage = FRAME_BAD_CHECKSUM,
                    .size = SMALL,
                    .count = 300,
                    .rate = 1000 });
}

// ---- Addresses

static int send_to(struct lab *lab, const char *address) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = LAB_MAC_RECEIVER,
                    .to = address,
                    .size = SMALL,
                    .count = 300,
                    .rate = 1000 });
}

// In a network that the receiver has a route to: IPv6 calls others unroutable.
static int foreign_addresses(struct lab *lab) {
    return send_to(lab, lab_family(lab) == 6 ? "fd77:1::99" : "10.77.1.99");
}

// What it says has names in place of what it cannot know.
static int add_address(struct lab *lab, const char *command) {
    if (!command)
        return lab_fail(lab, "it does not tell how to add an address");
    return lab_run(lab, LAB_RECEIVER,
            "ADDRESS=%s; DEVICE=b1; ip address add $ADDRESS dev $DEVICE%s",
            lab_family(lab) == 6 ? "fd77:1::99/128" : "10.77.1.99/32",
            lab_family(lab) == 6 ? " nodad" : "");
}

static int nowhere(struct lab *lab) {
    return send_to(lab, lab_family(lab) == 6 ? "fd99::1" : "10.99.0.1");
}

// IPv4 looks for a route only where it would forward.
static int be_router(struct lab *lab) {
    int r = lab_family(lab) == 6 ? 0 : lab_sysctl(lab, LAB_RECEIVER, "net/ipv4/ip_forward", "1");
    return r < 0 ? r : receive_all(lab);
}

static int switch_ipv6_off(struct lab *lab) {
    int r = lab_link(lab, 2);
    if (r == 0)
        r = receive_all(lab);
    if (r == 0)
        r = lab_sysctl(lab, LAB_RECEIVER, "net/ipv6/conf/b2/disable_ipv6", "1");
    return r;
}

static int send_where_ipv6_is_off(struct lab *lab) {
    int r = lab_send(lab, LAB_SENDER, &(struct stream){ .count = 1500, .rate = 5000 });
    return r < 0 ? r
                 : lab_send(lab, LAB_SENDER,
                           &(struct stream){ .mac = "02:00:00:00:02:0b",
                                   .device = "a2",
                                   .from = "fd77:2::1",
                                   .to = "fd77:2::2",
                                   .size = SMALL,
                                   .count = 1000,
                                   .rate = 3000 });
}

// ---- Near misses

// Fewer of each than any network has of them.
static int strays(struct lab *lab) {
    static const enum frame_damage damages[] = { FRAME_BAD_IP_CHECKSUM, FRAME_BAD_VERSION,
        FRAME_TRUNCATED, FRAME_OTHER_MAC, FRAME_UNKNOWN_PROTOCOL };
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof(damages) / sizeof(damages[0]); i++)
        r = lab_send(lab, LAB_SENDER,
                &(struct stream){ .flow = LAB_STRAY,
                        .mac = LAB_MAC_RECEIVER,
                        .damage = damages[i],
                        .count = 5,
                        .rate = 100 });
    if (r == 0)
        r = lab_send(
                lab, LAB_SENDER, &(struct stream){ .size = MEDIUM, .count = 3000, .rate = 5000 });
    return r;
}

static int sound_frames(struct lab *lab) {
    int r = send_damaged(lab, FRAME_SOUND, SMALL);
    return r < 0 ? r : send_damaged(lab, FRAME_SOUND, MEDIUM);
}

static const struct scenario scenarios[] = {
    { .id = "checksum-bad",
            .quick = true,
            .quick_ipv6 = true,
            .title = "Short datagrams with a bad checksum, seen when they arrive",
            .expects = "checksum-bad",
            .never = "checksum-offload malformed-datagrams",
            .locus = "checksum",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = bad_checksums_small },
    { .id = "checksum-bad-late",
            .title = "Long ones, whose checksum is looked at when they are read",
            .expects = "checksum-bad",
            .never = "checksum-offload malformed-datagrams socket-filter udp-memory",
            .locus = "checksum",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = bad_checksums_large },
    { .id = "checksum-offload",
            .title = "Bad checksums that come out of a tunnel",
            .expects = "checksum-offload",
            .never = "checksum-bad malformed-datagrams",
            .locus = "checksum",
            .families = LAB_BOTH,
            .setup = tunnel,
            .provoke = bad_checksums_in_tunnel },
    { .id = "malformed-short",
            .title = "A UDP header that says less than 8 bytes",
            .expects = "malformed-datagrams",
            .never = "checksum-bad socket-filter",
            .locus = "malformed",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = short_lengths },
    { .id = "malformed-long",
            .title = "A UDP header that says more than came",
            .expects = "malformed-datagrams",
            .never = "checksum-bad socket-filter",
            .locus = "malformed",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = long_lengths },
    { .id = "ip-bad-header",
            .title = "IPv4 headers with a bad checksum",
            .expects = "ip-bad-header",
            .never = "checksum-bad ip-truncated",
            .locus = "ip-input",
            .families = LAB_IPV4,
            .setup = receive_all,
            .provoke = bad_headers },
    { .id = "ip-bad-version",
            .title = "IP headers of a version that does not exist",
            .expects = "ip-bad-header",
            .never = "ip-truncated",
            .locus = "ip-input",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = bad_versions },
    { .id = "ip-truncated",
            .title = "Packets shorter than their IP header says",
            .expects = "ip-truncated",
            .never = "ip-bad-header malformed-datagrams",
            .locus = "ip-input",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = cut_short },
    { .id = "ip-wrong-address",
            .title = "Packets for an address that the receiver does not have",
            .expects = "ip-wrong-address",
            .never = "ip-no-route",
            .locus = "ip-input",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = foreign_addresses,
            .fix = FIX_OWN,
            .fix_match = "ip address add",
            .own_fix = add_address },
    { .id = "ip-no-route",
            .title = "Packets for a network that no route leads to",
            .expects = "ip-no-route",
            .never = "ip-wrong-address",
            .locus = "ip-input",
            .families = LAB_BOTH,
            .setup = be_router,
            .provoke = nowhere },
    { .id = "ip-discard",
            .title = "IPv6 packets on an interface where it is switched off",
            .expects = "ip-discard",
            .never = "ip-wrong-address ip-no-route",
            .locus = "ip-input",
            .families = LAB_IPV6,
            .setup = switch_ipv6_off,
            .provoke = send_where_ipv6_is_off },
    { .id = "strays",
            .title = "A few broken packets in much traffic",
            .never = ALL_IP,
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = strays },
    { .id = "frames-sound",
            .title = "Hand-made frames without a fault",
            .never = "checksum-bad malformed-datagrams",
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = sound_frames },
};
SCENARIO_LIST(scenarios_path, scenarios);
