// SPDX-License-Identifier: GPL-2.0-or-later
// Pair scenarios
//
// Two faults at once: each is named, the one that costs more first.
#include "lab/scenarios/common.h"

#include <signal.h>

enum { CLOSED = 5099, SECOND = 5001 };

static int frames(struct lab *lab, enum frame_damage damage, uint32_t flow, long count, long rate) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){ .flow = flow,
                    .mac = LAB_MAC_RECEIVER,
                    .damage = damage,
                    .size = SMALL,
                    .count = count,
                    .rate = rate });
}

static int to_port(struct lab *lab, uint32_t flow, long port, long count, long rate) {
    return lab_send(lab, LAB_SENDER,
            &(struct stream){
                    .flow = flow, .port = port, .size = 100, .count = count, .rate = rate });
}

static int two(int first, struct lab *lab, uint32_t flow, long port, long count, long rate) {
    return first < 0 ? first : to_port(lab, flow, port, count, rate);
}

// ---- A reader that never reads beside something else

static int never_reads(struct lab *lab) {
    int r = receive_all(lab);
    return r < 0 ? r
                 : lab_receive(lab, LAB_RECEIVER,
                           &(struct reader){
                                   .name = "lab-never", .behaviour = play_never, .port = SECOND },
                           NULL);
}

static int checksums_and_never(struct lab *lab) {
    return two(frames(lab, FRAME_BAD_CHECKSUM, 0, 400, 2000), lab, 1, SECOND, 2500, 5000);
}

static int closed_and_never(struct lab *lab) {
    return two(to_port(lab, 0, CLOSED, 300, 1500), lab, 1, SECOND, 3000, 5000);
}

static int lengths_and_headers(struct lab *lab) {
    bool v6 = lab_family(lab) == 6;
    int r = frames(lab, FRAME_LONG_UDP, 0, 250, 1500);
    return r < 0 ? r : frames(lab, v6 ? FRAME_BAD_VERSION : FRAME_BAD_IP_CHECKSUM, 1, 1000, 3000);
}

// ---- Fragments beside something else

static int brief_reassembly(struct lab *lab) {
    int r = lab_sysctl(lab, LAB_RECEIVER,
            lab_family(lab) == 6 ? "net/ipv6/ip6frag_time" : "net/ipv4/ipfrag_time", "1");
    return r < 0 ? r : receive_all(lab);
}

static int fragments_and_checksums(struct lab *lab) {
    int r = lab_send(lab, LAB_SENDER,
            &(struct stream){ .mac = LAB_MAC_RECEIVER,
                    .mtu = MTU,
                    .skip = 2,
                    .size = LARGE,
                    .count = 800,
                    .rate = 3000 });
    if (r == 0)
        r = frames(lab, FRAME_BAD_CHECKSUM, 1, 250, 1000);
    return r < 0 ? r : lab_pause(lab, 1100);
}

static int brief_reassembly_and_stopped(struct lab *lab) {
    int r = brief_reassembly(lab);
    return r < 0 ? r : lab_signal(lab, lab_reader_pid(lab, 0), SIGSTOP);
}

static int fragments_and_stopped(struct lab *lab) {
    int r = lab_send(lab, LAB_SENDER,
            &(struct stream){ .flow = 1,
                    .mac = LAB_MAC_RECEIVER,
                    .mtu = MTU,
                    .skip = 2,
                    .size = LARGE,
                    .count = 250,
                    .rate = 3000 });
    if (r == 0)
        r = to_port(lab, 0, LAB_PORT, 8000, 10000);
    return r < 0 ? r : lab_pause(lab, 900);
}

// ---- Both directions

static int slow_link(struct lab *lab) {
    int r = lab_receive(
            lab, LAB_SENDER, &(struct reader){ .name = "lab-peer", .rcvbuf = 2000000 }, NULL);
    if (r == 0)
        r = lab_run(lab, LAB_RECEIVER,
                "tc qdisc add dev b1 root tbf rate 8mbit burst 4000 limit 20000");
    return r;
}

static int queue_and_closed(struct lab *lab) {
    int r = lab_send_begin(lab, LAB_RECEIVER,
            &(struct stream){ .to = lab_address(lab, LAB_SENDER, 1),
                    .size = MEDIUM,
                    .count = 3000,
                    .rate = 6000 });
    if (r == 0)
        r = to_port(lab, 1, CLOSED, 300, 1000);
    return r < 0 ? r : lab_sent(lab);
}

// ---- Two readers

static int cannot_keep_up(struct lab *lab) {
    int r = never_reads(lab);
    return r < 0 ? r
                 : lab_receive(lab, LAB_RECEIVER,
                           &(struct reader){
                                   .name = "lab-slow", .work_us = 1000, .port = SECOND + 1 },
                           NULL);
}

static int slow_and_never(struct lab *lab) {
    int r = lab_send_begin(lab, LAB_SENDER,
            &(struct stream){ .flow = 1, .port = SECOND, .count = 2000, .rate = 3000 });
    if (r == 0)
        r = to_port(lab, 2, SECOND + 1, 9000, 12000);
    return r < 0 ? r : lab_sent(lab);
}

static const struct scenario scenarios[] = {
    { .id = "pair-never-and-checksum",
            .quick = true,
            .title = "A reader that never reads, and bad checksums for another",
            .expects = "reader-not-reading",
            .also = "checksum-bad",
            .port = SECOND,
            .process = "lab-never",
            .families = LAB_BOTH,
            .setup = never_reads,
            .provoke = checksums_and_never },
    { .id = "pair-never-and-closed",
            .title = "A reader that never reads, and a closed port",
            .expects = "reader-not-reading",
            .also = "no-listener",
            .port = SECOND,
            .process = "lab-never",
            .families = LAB_BOTH,
            .setup = never_reads,
            .provoke = closed_and_never },
    { .id = "pair-header-and-length",
            .title = "Broken IP headers, and broken UDP headers",
            .expects = "ip-bad-header",
            .also = "malformed-datagrams",
            .families = LAB_BOTH,
            .setup = receive_all,
            .provoke = lengths_and_headers },
    { .id = "pair-fragment-and-checksum",
            .title = "Fragments that are lost, and bad checksums",
            .expects = "frag-lost",
            .also = "checksum-bad",
            .families = LAB_BOTH,
            .setup = brief_reassembly,
            .provoke = fragments_and_checksums },
    { .id = "pair-stopped-and-fragment",
            .title = "A stopped reader, and fragments that are lost",
            .expects = "reader-stopped",
            .also = "frag-lost",
            .port = LAB_PORT,
            .process = "lab-reader",
            .families = LAB_BOTH,
            .setup = brief_reassembly_and_stopped,
            .provoke = fragments_and_stopped },
    { .id = "pair-queue-and-closed",
            .title = "A send queue that overflows, and a closed port",
            .expects = "qdisc-overflow",
            .also = "no-listener",
            .families = LAB_BOTH,
            .tools = "tc",
            .setup = slow_link,
            .provoke = queue_and_closed },
    { .id = "pair-slow-and-never",
            .title = "A reader that computes too long, and one that never reads",
            .expects = "reader-cpu-bound",
            .also = "reader-not-reading",
            .port = SECOND + 1,
            .process = "lab-slow",
            .families = LAB_BOTH,
            .setup = cannot_keep_up,
            .provoke = slow_and_never },
};
SCENARIO_LIST(scenarios_pairs, scenarios);
