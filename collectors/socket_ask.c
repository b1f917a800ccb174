// SPDX-License-Identifier: GPL-2.0-or-later
// Asking a socket
#include "collectors/socket_ask.h"

#include <errno.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "core/cleanup.h"

#ifndef SO_MEMINFO // since 4.12
#define SO_MEMINFO 55
#endif

// net/core/filter.c, sk_get_filter(): the length of a classic filter, 0 for none; one that was
// loaded as eBPF is not shown.
static cell get_filter(int fd) {
    socklen_t n = 0;
    if (getsockopt(fd, SOL_SOCKET, SO_GET_FILTER, NULL, &n) == 0)
        return n > 0;
    return errno == EACCES ? 1 : CELL_NULL;
}

static void get_limits(int fd, struct socket_options *options) {
    uint32_t memory[SK_MEMINFO_VARS];
    socklen_t n = sizeof(memory);
    if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, memory, &n) < 0 ||
            n <= SK_MEMINFO_SNDBUF * sizeof(memory[0]))
        return;
    options->rcvbuf_bytes = memory[SK_MEMINFO_RCVBUF];
    options->sndbuf_bytes = memory[SK_MEMINFO_SNDBUF];
}

int socket_ask(pid_t pid, int fd, uint32_t inode, struct socket_options *ret) {
    struct stat status;
    _cleanup_close_ int process = (int) syscall(SYS_pidfd_open, pid, 0);
    if (process < 0)
        return -errno;
    _cleanup_close_ int copy = (int) syscall(SYS_pidfd_getfd, process, fd, 0);
    if (copy < 0)
        return -errno;
    if (fstat(copy, &status) < 0)
        return -errno;
    if (!S_ISSOCK(status.st_mode) || status.st_ino != inode)
        return -ESTALE;
    *ret = (struct socket_options){ get_filter(copy), CELL_NULL, CELL_NULL };
    get_limits(copy, ret);
    return 0;
}
