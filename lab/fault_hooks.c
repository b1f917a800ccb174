// SPDX-License-Identifier: GPL-2.0-or-later
// Interface hooks
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/if_ether.h>
#include <linux/if_tun.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/fault.h"
#include "lab/process.h"

// Where in a frame without VLAN the protocol above IP is told.
enum { AT_ETHERTYPE = 12, AT_PROTOCOL = 23, AT_NEXT_HEADER = 20, LEAST_FRAME = 34 };

#define OP(c, d, s, o, i)                                                                          \
    { .code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i) }

static int load_drop_udp(void) {
    const struct bpf_insn program[] = {
        OP(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_2, BPF_REG_1, offsetof(struct xdp_md, data), 0),
        OP(BPF_LDX | BPF_MEM | BPF_W, BPF_REG_3, BPF_REG_1, offsetof(struct xdp_md, data_end), 0),
        OP(BPF_ALU64 | BPF_MOV | BPF_X, BPF_REG_4, BPF_REG_2, 0, 0),
        OP(BPF_ALU64 | BPF_ADD | BPF_K, BPF_REG_4, 0, 0, LEAST_FRAME),
        OP(BPF_JMP | BPF_JGT | BPF_X, BPF_REG_4, BPF_REG_3, 6, 0),
        OP(BPF_LDX | BPF_MEM | BPF_H, BPF_REG_5, BPF_REG_2, AT_ETHERTYPE, 0),
        OP(BPF_LDX | BPF_MEM | BPF_B, BPF_REG_4, BPF_REG_2, AT_PROTOCOL, 0),
        OP(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_5, 0, 1, htons(ETH_P_IP)),
        OP(BPF_LDX | BPF_MEM | BPF_B, BPF_REG_4, BPF_REG_2, AT_NEXT_HEADER, 0),
        OP(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, XDP_DROP),
        OP(BPF_JMP | BPF_JEQ | BPF_K, BPF_REG_4, 0, 1, IPPROTO_UDP),
        OP(BPF_ALU64 | BPF_MOV | BPF_K, BPF_REG_0, 0, 0, XDP_PASS),
        OP(BPF_JMP | BPF_EXIT, 0, 0, 0, 0),
    };
    union bpf_attr load = { .prog_type = BPF_PROG_TYPE_XDP,
        .insn_cnt = sizeof(program) / sizeof(program[0]),
        .insns = (uintptr_t) program,
        .license = (uintptr_t) "GPL" };
    int fd = (int) syscall(SYS_bpf, BPF_PROG_LOAD, &load, sizeof(load));
    return fd < 0 ? -errno : fd;
}

// By its name in a file system, so that it is the interface that holds it, as with other tools.
int fault_xdp_drop(struct lab *lab, const char *interface) {
    char path[FAULT_PATH_SIZE];
    const char *scratch = lab_scratch(lab);
    _cleanup_close_ int fd = load_drop_udp();
    if (fd < 0)
        return lab_skip(lab, "needs XDP programs: %s", strerror(-fd));
    int r = lab_run(
            lab, LAB_RECEIVER, "mkdir -p %s/bpf && mount -t bpf lab %s/bpf", scratch, scratch);
    if (r < 0)
        return lab_skip(lab, "needs a bpf file system");
    snprintf(path, sizeof(path), "%s/bpf/drop", scratch);
    union bpf_attr pin = { .pathname = (uintptr_t) path, .bpf_fd = (uint32_t) fd };
    if (syscall(SYS_bpf, BPF_OBJ_PIN, &pin, sizeof(pin)) < 0)
        return lab_fail(lab, "pinning an XDP program: %s", strerror(errno));
    if (lab_run(lab, LAB_RECEIVER, "ip link set dev %s xdp pinned %s", interface, path) < 0)
        return lab_skip(lab, "needs XDP on veth");
    return 0;
}

// Classic programs: the protocol is UDP: shot (2), else on to the next filter (-1).
int fault_tc_drop(struct lab *lab, const char *interface) {
    const struct {
        const char *protocol;
        int at;
    } filters[] = { { "ip", AT_PROTOCOL }, { "ipv6", AT_NEXT_HEADER } };
    if (lab_run(lab, LAB_RECEIVER, "tc qdisc add dev %s clsact", interface) < 0)
        return lab_skip(lab, "needs the clsact qdisc");
    for (int i = 0; i < 2; i++)
        if (lab_run(lab, LAB_RECEIVER,
                    "tc filter add dev %s ingress pref %d protocol %s bpf direct-action "
                    "bytecode '4,48 0 0 %d,21 0 1 17,6 0 0 2,6 0 0 4294967295'",
                    interface, 10 + i, filters[i].protocol, filters[i].at) < 0)
            return lab_skip(lab, "needs tc filters by BPF");
    return 0;
}

// ---- An interface that belongs to a program

static int play_tap(struct lab_child *child, void *data) {
    struct ifreq request = { .ifr_flags = IFF_TAP | IFF_NO_PI };
    _cleanup_close_ int fd = open("/dev/net/tun", O_RDWR | O_CLOEXEC);
    snprintf(request.ifr_name, sizeof(request.ifr_name), "%s", (const char *) data);
    if (fd < 0 || ioctl(fd, TUNSETIFF, &request) < 0)
        return 1;
    lab_child_ready(child);
    for (;;)
        pause();
}

int fault_unread_tap(struct lab *lab, const char *interface) {
    char name[IFNAMSIZ];
    snprintf(name, sizeof(name), "%s", interface);
    int r = lab_spawn(lab,
            &(struct lab_spawn){ .name = "lab-tap", .play = play_tap, .data = name, .waits = true },
            NULL);
    return r < 0 ? lab_skip(lab, "needs TUN") : 0;
}
