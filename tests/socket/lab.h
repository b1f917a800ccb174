// SPDX-License-Identifier: GPL-2.0-or-later
// Socket lab
//
// Real sockets in a private network namespace, and the socket collector that looks at them.
#pragma once

#include <linux/sock_diag.h>
#include <sys/types.h>

#include "collectors/socket.h"
#include "tests/collectors/rig.h"

// Whether this process may have a network namespace of its own.
bool may_unshare(void);
// Enters a new one, with loopback up.
bool enter_namespace(void);

extern struct rig rig;
void set_up(void); // in a namespace of its own
void tear_down(void);
void look(void); // a second after the one before
void peek(void);

// A socket with the smallest buffer, which holds a few datagrams; option: one to set to 1, or 0. A
// descriptor or -errno.
int try_open(int family, int protocol, uint16_t port, const char *address, int option);
int open_socket(uint16_t port); // of 127.0.0.1
// Sends n datagrams to a port of 127.0.0.1.
void flood_from(int fd, uint16_t port, unsigned n);
void flood(uint16_t port, unsigned n);
void drain(int fd);

// What the socket says itself.
struct memory {
    uint32_t of[SK_MEMINFO_VARS];
};
struct memory memory_of(int fd);
cell drops_of(int fd);
uint32_t inode_of(int fd);

// Its row: the index or -1; cells, of which the first two must be there; what was told of the look
// before.
long row_of(int fd);
cell value(int fd, int column);
const char *text(int fd, int column);
cell before(int fd, int column);
// The drops are as the socket says, and were so many before.
void check_drops(int fd, cell were);

// Other namespaces of this host have sockets too.
const char *own_name(void);
size_t own_rows(void);
size_t own_sockets(void); // watched

const struct watched_socket *watched(uint32_t inode); // or NULL
const struct watched_owner *owner(pid_t pid);         // or NULL
size_t owners_of(
        uint32_t inode, const struct watched_owner **ret_first); // how many; the first of them

// Processes that wait for each other, and hand sockets over.
void unix_pair(int fds[2]);
void say(int fd);
void hear(int fd);
void send_socket(int over, int fd);
int receive_socket(int over);
void end_process(pid_t pid);
uint64_t start_time_of(pid_t pid);
