// SPDX-License-Identifier: GPL-2.0-or-later
// Socket lab
#include "tests/socket/lab.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/list.h"
#include "core/cleanup.h"

struct rig rig;

bool enter_namespace(void) {
    if (unshare(CLONE_NEWNET) < 0)
        return false;
    struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
    _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    return ioctl(fd, SIOCSIFFLAGS, &request) == 0;
}

void set_up(void) {
    ck_assert(enter_namespace());
    rig_start(&rig, &socket_collector, NULL);
    rig.context.now_ms = 1000000;
}

void tear_down(void) {
    rig_stop(&rig);
}

void look(void) {
    rig.context.now_ms += 1000;
    rig_look(&rig);
    ck_assert_msg(rig.outcome.state == OUTCOME_OK, "%s", rig.outcome.reason);
}

void peek(void) {
    socket_collector.peek(&rig.context, rig.state);
}

int try_open(int family, int protocol, uint16_t port, const char *address, int option) {
    int fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, protocol), small = 2048, one = 1;
    struct sockaddr_in in = { .sin_family = AF_INET, .sin_port = htons(port) };
    struct sockaddr_in6 in6 = { .sin6_family = AF_INET6, .sin6_port = htons(port) };
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof(small));
    if (option)
        setsockopt(fd, SOL_SOCKET, option, &one, sizeof(one));
    inet_pton(family, address, family == AF_INET ? (void *) &in.sin_addr : (void *) &in6.sin6_addr);
    int r = family == AF_INET ? bind(fd, (struct sockaddr *) &in, sizeof(in))
                              : bind(fd, (struct sockaddr *) &in6, sizeof(in6));
    if (r < 0) {
        r = -errno;
        close(fd);
        return r;
    }
    return fd;
}

int open_socket(uint16_t port) {
    int fd = try_open(AF_INET, 0, port, "127.0.0.1", 0);
    ck_assert_int_ge(fd, 0);
    return fd;
}

void flood_from(int fd, uint16_t port, unsigned n) {
    static const char data[100];
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(port) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (unsigned i = 0; i < n; i++)
        ck_assert_int_eq(sendto(fd, data, sizeof(data), 0, (struct sockaddr *) &to, sizeof(to)),
                sizeof(data));
}

void flood(uint16_t port, unsigned n) {
    _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    flood_from(fd, port, n);
}

void drain(int fd) {
    char data[200];
    while (recv(fd, data, sizeof(data), MSG_DONTWAIT) >= 0)
        ;
}

struct memory memory_of(int fd) {
    struct memory memory = { { 0 } };
    socklen_t n = sizeof(memory);
    ck_assert_int_eq(getsockopt(fd, SOL_SOCKET, SO_MEMINFO, &memory, &n), 0);
    return memory;
}

cell drops_of(int fd) {
    return memory_of(fd).of[SK_MEMINFO_DROPS];
}

uint32_t inode_of(int fd) {
    struct stat status;
    ck_assert_int_eq(fstat(fd, &status), 0);
    return (uint32_t) status.st_ino;
}

long row_of(int fd) {
    uint32_t inode = inode_of(fd);
    for (size_t i = 0; i < rig.rows.n; i++)
        if (rows_at(&rig.rows, i)[SOCKET_INODE] == (cell) inode)
            return (long) i;
    return -1;
}

cell value(int fd, int column) {
    long i = row_of(fd);
    ck_assert_msg(i >= 0, "the socket has no row");
    return rows_at(&rig.rows, (size_t) i)[column];
}

const char *text(int fd, int column) {
    return rows_text(&rig.rows, value(fd, column));
}

cell before(int fd, int column) {
    ck_assert_int_ge(row_of(fd), 0);
    return rows_before_at(&rig.rows, (size_t) row_of(fd))[column];
}

const char *own_name(void) {
    for (size_t i = 0; i < rig.netns.n; i++)
        if (rig.netns.items[i].inode == rig.netns.own_inode)
            return rig.netns.items[i].name;
    ck_abort_msg("this process has no namespace");
    return NULL;
}

size_t own_rows(void) {
    size_t n = 0;
    for (size_t i = 0; i < rig.rows.n; i++)
        n += strcmp(rows_text(&rig.rows, rows_at(&rig.rows, i)[SOCKET_NETNS]), own_name()) == 0;
    return n;
}

size_t own_sockets(void) {
    size_t n = 0;
    for (size_t i = 0; i < rig.watch.n_sockets; i++)
        n += strcmp(rig.watch.sockets[i].netns, own_name()) == 0;
    return n;
}

const struct watched_socket *watched(uint32_t inode) {
    for (size_t i = 0; i < rig.watch.n_sockets; i++)
        if (rig.watch.sockets[i].inode == inode)
            return &rig.watch.sockets[i];
    return NULL;
}

size_t owners_of(uint32_t inode, const struct watched_owner **ret_first) {
    size_t n = 0;
    for (size_t i = rig.watch.n_owners; i-- > 0;)
        if (rig.watch.owners[i].inode == inode) {
            *ret_first = &rig.watch.owners[i];
            n++;
        }
    return n;
}

const struct watched_owner *owner(pid_t pid) {
    for (size_t i = 0; i < rig.watch.n_owners; i++)
        if (rig.watch.owners[i].pid == pid)
            return &rig.watch.owners[i];
    return NULL;
}

void check_drops(int fd, cell were) {
    ck_assert_int_eq(value(fd, SOCKET_DROPS), drops_of(fd));
    ck_assert_int_eq(before(fd, SOCKET_DROPS), were);
}

void unix_pair(int fds[2]) {
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds), 0);
}

void say(int fd) {
    if (write(fd, "", 1) != 1)
        _exit(1);
}

void hear(int fd) {
    char byte;
    ck_assert_int_eq(read(fd, &byte, 1), 1);
}

void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

uint64_t start_time_of(pid_t pid) {
    char path[64], data[1024];
    unsigned long long ticks;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    size_t n = fread(data, 1, sizeof(data) - 1, file);
    data[n] = '\0';
    const char *rest = strrchr(data, ')') + 2;
    for (int field = 3; field < 22; field++)
        rest = strchr(rest, ' ') + 1;
    ck_assert_int_eq(sscanf(rest, "%llu", &ticks), 1);
    return ticks;
}

void send_socket(int over, int fd) {
    char control[CMSG_SPACE(sizeof(fd))] = { 0 }, byte = 0;
    struct iovec data = { &byte, 1 };
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)
    };
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    *header = (struct cmsghdr){
        .cmsg_level = SOL_SOCKET, .cmsg_type = SCM_RIGHTS, .cmsg_len = CMSG_LEN(sizeof(fd))
    };
    memcpy(CMSG_DATA(header), &fd, sizeof(fd));
    if (sendmsg(over, &message, 0) != 1)
        _exit(1);
}

int receive_socket(int over) {
    char control[CMSG_SPACE(sizeof(int))], byte;
    int fd;
    struct iovec data = { &byte, 1 };
    struct msghdr message = {
        .msg_iov = &data, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof(control)
    };
    ck_assert_int_eq(recvmsg(over, &message, MSG_CMSG_CLOEXEC), 1);
    memcpy(&fd, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof(fd));
    return fd;
}

bool may_unshare(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWNET) < 0 ? errno : 0);
    int status = -1;
    waitpid(pid, &status, 0);
    return status == 0;
}
