// SPDX-License-Identifier: GPL-2.0-or-later
// Ports that lost datagrams
#include "collectors/lossy_ports.h"

#include <stddef.h>

static struct lossy_port *find(struct lossy_ports *ports, uint64_t place, uint16_t port) {
    struct lossy_port *oldest = NULL;
    for (unsigned i = 0; i < ports->n; i++) {
        struct lossy_port *item = &ports->items[i];
        if (item->place == place && item->port == port)
            return item;
        if (!oldest || item->until_ms < oldest->until_ms)
            oldest = item;
    }
    return ports->n < LOSSY_PORTS ? &ports->items[ports->n++] : oldest;
}

void lossy_ports_add(struct lossy_ports *ports, uint64_t place, uint16_t port, int64_t now_ms) {
    *find(ports, place, port) =
            (struct lossy_port){ .place = place, .port = port, .until_ms = now_ms + LOSSY_PORT_MS };
}

bool lossy_ports_has(
        const struct lossy_ports *ports, uint64_t place, uint16_t port, int64_t now_ms) {
    for (unsigned i = 0; i < ports->n; i++) {
        const struct lossy_port *item = &ports->items[i];
        if (item->place == place && item->port == port)
            return item->until_ms > now_ms;
    }
    return false;
}
