// SPDX-License-Identifier: GPL-2.0-or-later
// Lab links
//
// Veth pairs between the sender's (aN) and the receiver's namespace (bN), with fixed neighbours, so
// that nothing has to be resolved.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "lab/private.h"

static int stay(struct lab_child *child, void *data) {
    if (unshare(CLONE_NEWNET) < 0)
        return 1;
    lab_child_ready(child);
    for (;;)
        pause();
}

static int keep_sender(struct lab *lab) {
    static const struct lab_spawn spawn = {
        .place = LAB_RECEIVER, .name = "lab-sender", .play = stay, .waits = true
    };
    char path[LAB_PATH_SIZE];
    pid_t pid;
    int r = lab_spawn(lab, &spawn, &pid);
    if (r < 0)
        return r;
    snprintf(path, sizeof(path), "/proc/%d/ns/net", (int) pid);
    lab->netns[LAB_SENDER] = open(path, O_RDONLY | O_CLOEXEC);
    return lab->netns[LAB_SENDER] < 0 ? -errno : 0;
}

static const char *mac(enum lab_place place, int link, char *text, size_t size) {
    snprintf(text, size, "02:00:00:00:%02x:%02x", link, place == LAB_RECEIVER ? 0x0b : 0x0a);
    return text;
}

// One end: its addresses, and how the other one is reached.
static int set_up_end(struct lab *lab, enum lab_place place, int n) {
    char other[LAB_PATH_SIZE];
    char letter = place == LAB_RECEIVER ? 'b' : 'a';
    int mine = place == LAB_RECEIVER ? 2 : 1, its = 3 - mine;
    mac(place == LAB_RECEIVER ? LAB_SENDER : LAB_RECEIVER, n, other, sizeof(other));
    int r = lab_run(lab, place,
            "ip address add 10.77.%d.%d/24 dev %c%d && ip link set %c%d up && "
            "ip neighbour replace 10.77.%d.%d lladdr %s dev %c%d",
            n, mine, letter, n, letter, n, n, its, other, letter, n);
    if (r == 0 && lab->has_ipv6)
        r = lab_run(lab, place,
                "ip -6 address add fd77:%d::%d/64 dev %c%d nodad && "
                "ip -6 neighbour replace fd77:%d::%d lladdr %s dev %c%d",
                n, mine, letter, n, n, its, other, letter, n);
    return r;
}

int lab_link(struct lab *lab, int n) {
    char a[LAB_PATH_SIZE], b[LAB_PATH_SIZE];
    int r = lab_run(lab, LAB_SENDER,
            "ip link add a%d address %s type veth peer name b%d address %s netns 1", n,
            mac(LAB_SENDER, n, a, sizeof(a)), n, mac(LAB_RECEIVER, n, b, sizeof(b)));
    if (r == 0)
        r = set_up_end(lab, LAB_SENDER, n);
    return r == 0 ? set_up_end(lab, LAB_RECEIVER, n) : r;
}

// Duplicate address detection and router solicitations would be traffic of their own.
static int quiet(struct lab *lab, enum lab_place place) {
    return lab_run(lab, place,
            "ip link set lo up; for i in all default; do "
            "for s in accept_dad=0 router_solicitations=0 accept_ra=0 mldv1_unsolicited_report_interval=0 "
            "mldv2_unsolicited_report_interval=0; do "
            "echo ${s#*=} 2>/dev/null >/proc/sys/net/ipv6/conf/$i/${s%%=*}; done; done; true");
}

int lab_links_init(struct lab *lab) {
    lab->has_ipv6 = access("/proc/net/if_inet6", F_OK) == 0;
    if (lab->family == 6 && !lab->has_ipv6)
        return lab_skip(lab, "this kernel has no IPv6");
    lab->netns[LAB_RECEIVER] = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
    int r = lab->netns[LAB_RECEIVER] < 0 ? -errno : keep_sender(lab);
    if (r == 0)
        r = quiet(lab, LAB_RECEIVER);
    if (r == 0)
        r = quiet(lab, LAB_SENDER);
    return r == 0 ? lab_link(lab, 1) : r;
}
