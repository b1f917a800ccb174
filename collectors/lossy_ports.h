// SPDX-License-Identifier: GPL-2.0-or-later
// Ports that lost datagrams
//
// Remembered for a while, so that the socket that takes over such a port is listed although nothing
// happens to it: whether a restart helped is then seen.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define LOSSY_PORTS 64

struct lossy_port {
    uint64_t place; // its network namespace
    int64_t until_ms;
    uint16_t port;
};

struct lossy_ports {
    struct lossy_port items[LOSSY_PORTS];
    unsigned n;
};

// How long a program may take to come back.
#define LOSSY_PORT_MS 120000

// Something was lost there. Where there are too many, the oldest is forgotten.
void lossy_ports_add(struct lossy_ports *ports, uint64_t place, uint16_t port, int64_t now_ms);
bool lossy_ports_has(
        const struct lossy_ports *ports, uint64_t place, uint16_t port, int64_t now_ms);
