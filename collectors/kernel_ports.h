// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel ports
//
// What the kernel itself receives UDP for. Its sockets have an inode like any other, but no process
// holds them.
#pragma once

#include "collectors/rtnl.h"

#define KERNEL_USER_SIZE 16

struct kernel_port {
    uint16_t port; // 0: not told, so that it may be any
    char user[KERNEL_USER_SIZE];
};

struct kernel_ports {
    struct rtnl rtnl;
    struct kernel_port *items; // of the interfaces of this process's network namespace
    size_t n, capacity;
    int64_t read_ms; // 0: never
};
#define KERNEL_PORTS_EMPTY ((struct kernel_ports){ .rtnl = RTNL_CLOSED })
#define KERNEL_PORTS_FRESH_MS 10000

// Reads the interfaces anew unless that was done a moment ago. 0 or -errno; what was known stays.
int kernel_ports_read(struct kernel_ports *ports, int64_t now_ms);
void kernel_ports_done(struct kernel_ports *ports);

// Adds the port of an RTM_NEWLINK message, if it is a tunnel over UDP. 0 or -ENOMEM.
int kernel_ports_add_message(struct kernel_ports *ports, struct nlmsghdr *message);

// Who uses the port, given that no process holds it; "": nothing known. `own`: in the namespace
// whose interfaces were read.
const char *kernel_ports_user(const struct kernel_ports *ports, bool own, uint16_t port);
