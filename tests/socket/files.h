// SPDX-License-Identifier: GPL-2.0-or-later
// Socket files
//
// Sockets of a directory as the kernel lists them in text, and the socket collector that reads it.
#pragma once

#include <stddef.h>

#include "collectors/socket.h"
#include "tests/collectors/rig.h"

#define NAMES                                                                                      \
    "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout "  \
    "inode ref pointer drops             \n"

extern struct rig rig;
void set_up(void);
void tear_down(void);
void look(void); // a second after the one before

struct socket_line {
    unsigned port, inode, queue, drops;
};

void write_udp(const char *path, const struct socket_line *lines, size_t n);
#define WRITE(path, ...)                                                                           \
    write_udp(path, (struct socket_line[]){ __VA_ARGS__ },                                         \
            sizeof((struct socket_line[]){ __VA_ARGS__ }) / sizeof(struct socket_line))

// The row of a port: the index or -1; its cells, of which it must have one; what was told of the
// look before.
long row_of(unsigned port);
cell value(unsigned port, int column);
const char *text(unsigned port, int column);
cell before(unsigned port, int column);
