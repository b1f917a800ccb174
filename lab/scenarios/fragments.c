// SPDX-License-Identifier: GPL-2.0-or-later
// Fragment scenarios
#include "lab/scenarios/common.h"

enum { STORY_READERS = 15 };

#define EXPIRED_MS 1300 // after ipfrag_time of 1 s
#define MIB (INT64_C(1) << 20)
#define COUNTED "fragments are counted, not datagrams"
#define OTHERS "frag-memory frag-lost frag-too-far frag-overlap"

// Neither limit may cross the other on the way.
static int limit_reassembly(struct lab *lab, int64_t high, int64_t seconds) {
    const struct {
        const char *v4, *v6;
        int64_t value;
    } steps[] = {
        { "net/ipv4/ipfrag_low_thresh", "net/ipv6/ip6frag_low_thresh", 1 },
        { "net/ipv4/ipfrag_high_thresh", "net/ipv6/ip6frag_high_thresh", high },
        { "net/ipv4/ipfrag_low_thresh", "net/ipv6/ip6frag_low_thresh", high * 3 / 4 },
        { "net/ipv4/ipfrag_time", "net/ipv6/ip6frag_time", seconds },
    };
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof(steps) / sizeof(steps[0]); i++)
        r = lab_sysctl_number(lab, LAB_RECEIVER, lab_family(lab) == 6 ? steps[i].v6 : steps[i].v4,
                steps[i].value);
    return r;
}

static int roomy_and_brief(struct lab *lab) {
    int r = limit_reassembly(lab, 4 * MIB, 1);
    return r < 0 ? r : receive_all(lab);
}

static int send_fragments(struct lab *lab, struct stream stream) {
    stream.mac = LAB_MAC_RECEIVER;
    stream.mtu = stream.mtu ?: MTU;
    return lab_send(lab, LAB_SENDER, &stream);
}

// The same, and waits until what is not whole by then is given up.
static int send_incomplete(struct lab *lab, struct stream stream) {
    int r = send_fragments(lab, stream);
    return r < 0 ? r : lab_pause(lab, EXPIRED_MS);
}

// ---- Memory

static int short_memory(struct lab *lab) {
    int r = limit_reassembly(lab, 65536, 30);
    return r < 0 ? r : receive_all(lab);
}

static int send_huge(struct lab *lab) {
    return lab_send(
            lab, LAB_SENDER, &(struct stream){ .size = HUGE_SIZE, .count = 60, .rate = 100 });
}

// Buffers of the usual size take four of them each.
static int many_readers(struct lab *lab) {
    int r = 0;
    for (long port = LAB_PORT; r == 0 && port < LAB_PORT + STORY_READERS; port++)
        r = lab_receive(lab, LAB_RECEIVER,
                &(struct reader){ .name = "lab-reader", .port = port, .rcvbuf = 2000000 }, NULL);
    return r;
}

// Each arrives until many of them are under way at once; what the memory could not hold then stays
// there, and no more arrive.
static int route(struct lab *lab) {
    const struct stream one = { .size = HUGE_SIZE, .count = 30, .rate = 200 };
    const struct stream many = { .size = HUGE_SIZE,
        .count = 60,
        .beside = 60,
        .ports = STORY_READERS,
        .spoof = 60,
        .from = lab_family(lab) == 6 ? "fd77:1::65" : "10.77.1.101" };
    int r = lab_send(lab, LAB_SENDER, &one);
    if (r == 0)
        r = send_fragments(lab, many);
    if (r == 0)
        r = lab_pause(lab, 50);
    return r < 0 ? r : lab_send(lab, LAB_SENDER, &one);
}

// ---- Lost on the way

static int leave_out_middle(struct lab *lab) {
    return send_incomplete(
            lab, (struct stream){ .size = LARGE, .count = 250, .rate = 1000, .skip = 2 });
}

// Connection tracking reassembles IPv6 before the host does, by limits and counters of its own.
static int tracked_and_brief(struct lab *lab) {
    int r = receive_all(lab);
    if (r == 0)
        r = lab_run(lab, LAB_RECEIVER,
                "nft add table ip6 lab && nft add chain ip6 lab in '{ type filter hook prerouting "
                "priority 0; }' && nft add rule ip6 lab in ct state new counter accept");
    return r < 0 ? r
                 : lab_sysctl(lab, LAB_RECEIVER, "net/netfilter/nf_conntrack_frag6_timeout", "1");
}

static int leave_out_head(struct lab *lab) {
    return send_incomplete(
            lab, (struct stream){ .size = LARGE, .count = 250, .rate = 1000, .skip = 1 });
}

static int leave_out_some(struct lab *lab) {
    int r = lab_send_begin(lab, LAB_SENDER,
            &(struct stream){ .flow = 1, .size = LARGE, .count = 1500, .rate = 3000 });
    if (r == 0)
        r = leave_out_middle(lab);
    return r < 0 ? r : lab_sent(lab);
}

// ---- In the wrong place

static int overlap(struct lab *lab) {
    return send_incomplete(
            lab, (struct stream){
                         .size = LARGE, .count = 250, .rate = 1000, .mtu = 1400, .overlap = 2 });
}

static int overlap_last(struct lab *lab) {
    return send_fragments(
            lab, (struct stream){
                         .size = LARGE, .count = 250, .rate = 1000, .mtu = 1400, .overlap = 3 });
}

// More of them in turn than may come between two fragments of one (64).
static int far_apart(struct lab *lab) {
    return send_incomplete(
            lab, (struct stream){ .size = LARGE, .count = 300, .rate = 3000, .beside = 100 });
}

// What waits for the rest of it fills the memory to nine tenths.
static int memory_for_hundred(struct lab *lab) {
    int r = limit_reassembly(lab, 280000, 30);
    return r < 0 ? r : receive_all(lab);
}

static int first_halves(struct lab *lab) {
    return send_fragments(
            lab, (struct stream){
                         .flow = LAB_STRAY, .size = 2000, .count = 100, .rate = 500, .skip = 2 });
}

// ---- Near misses

static int large_ones(struct lab *lab) {
    return lab_send(lab, LAB_SENDER, &(struct stream){ .size = 8000, .count = 600, .rate = 1000 });
}

static int backwards(struct lab *lab) {
    return send_fragments(
            lab, (struct stream){ .size = LARGE, .count = 600, .rate = 1000, .backwards = true });
}

// They wait for company until their time is over, while their datagrams were delivered.
static int late_duplicates(struct lab *lab) {
    int r = lab_send(
            lab, LAB_SENDER, &(struct stream){ .size = LARGE, .count = 2000, .rate = 3000 });
    return r < 0 ? r
                 : send_incomplete(lab,
                           (struct stream){ .size = LARGE, .count = 10, .rate = 100, .again = 2 });
}

static const struct scenario scenarios[] = {
    { .id = "frag-memory",
            .quick = true,
            .title = "Datagrams in 41 fragments, and memory for fewer",
            .expects = "frag-memory",
            .never = "frag-lost frag-too-far frag-overlap",
            .locus = "reassembly",
            .families = LAB_BOTH,
            .least_lost = 50,
            .inexact = COUNTED,
            .setup = short_memory,
            .provoke = send_huge,
            .fix = FIX_COMMAND },
    { .id = "router-story",
            .title = "A router that reassembles: fast for a moment, and then nothing",
            .expects = "frag-memory",
            .never = "frag-lost frag-too-far frag-overlap",
            .locus = "reassembly",
            .families = LAB_BOTH,
            .least_lost = 80,
            .inexact = "what waits in the memory is not given up yet",
            .setup = many_readers,
            .provoke = route,
            .fix = FIX_COMMAND },
    { .id = "frag-memory-near",
            .title = "Reassembly memory that is filled to nine tenths",
            .also = "frag-memory-near",
            .never = OTHERS,
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = memory_for_hundred,
            .provoke = first_halves },
    { .id = "frag-lost",
            .quick = true,
            .title = "One fragment of three lost on the way",
            .expects = "frag-lost",
            .never = "frag-memory frag-too-far frag-overlap",
            .locus = "reassembly",
            .families = LAB_BOTH,
            .setup = roomy_and_brief,
            .provoke = leave_out_middle },
    { .id = "frag-lost-head",
            .title = "The first fragment lost on the way",
            .expects = "frag-lost",
            .never = "frag-memory frag-too-far frag-overlap",
            .locus = "reassembly",
            .families = LAB_BOTH,
            .setup = roomy_and_brief,
            .provoke = leave_out_head },
    { .id = "frag-lost-some",
            .title = "A fragment lost now and then among many that arrive",
            .expects = "frag-lost",
            .never = "frag-memory frag-too-far frag-overlap",
            .locus = "reassembly",
            .families = LAB_BOTH,
            .setup = roomy_and_brief,
            .provoke = leave_out_some },
    { .id = "frag-lost-tracked",
            .title = "The same where connection tracking reassembles, which counts little",
            .expects = "frag-lost",
            .never = "frag-too-far frag-overlap conntrack-full",
            .locus = "reassembly",
            .families = LAB_IPV6,
            .needs = NEEDS_CONNTRACK,
            .tools = "nft",
            .setup = tracked_and_brief,
            .provoke = leave_out_middle },
    { .id = "frag-overlap",
            .title = "Fragments that overlap",
            .expects = "frag-overlap",
            .never = "frag-memory frag-lost frag-too-far",
            .locus = "reassembly",
            .families = LAB_IPV4,
            .setup = roomy_and_brief,
            .provoke = overlap },
    { .id = "frag-overlap-uncounted",
            .title = "The same over IPv6, where no counter tells it: nothing else is blamed",
            .never = OTHERS,
            .locus = "reassembly",
            .families = LAB_IPV6,
            .unnamed = true,
            .setup = roomy_and_brief,
            .provoke = overlap_last },
    { .id = "frag-too-far",
            .title = "Fragments of a hundred datagrams of one source in turn",
            .expects = "frag-too-far",
            .never = "frag-memory frag-lost frag-overlap",
            .locus = "reassembly",
            .families = LAB_IPV4,
            .setup = roomy_and_brief,
            .provoke = far_apart,
            .fix = FIX_COMMAND },
    { .id = "frag-beside",
            .title = "The same over IPv6, which has no such check",
            .expects = "frag-oversized-datagrams",
            .never = OTHERS,
            .families = LAB_IPV6,
            .no_loss = true,
            .setup = roomy_and_brief,
            .provoke = far_apart },
    { .id = "frag-oversized-datagrams",
            .title = "Datagrams in six fragments that all arrive",
            .expects = "frag-oversized-datagrams",
            .never = OTHERS,
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = large_ones },
    { .id = "frag-backwards",
            .title = "Fragments that arrive the last one first",
            .expects = "frag-oversized-datagrams",
            .never = OTHERS,
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = receive_all,
            .provoke = backwards },
    { .id = "frag-late-duplicates",
            .title = "Fragments that come once more after their datagram was whole",
            .expects = "frag-oversized-datagrams",
            .never = OTHERS,
            .families = LAB_BOTH,
            .no_loss = true,
            .setup = roomy_and_brief,
            .provoke = late_duplicates },
};
SCENARIO_LIST(scenarios_fragments, scenarios);
