// SPDX-License-Identifier: GPL-2.0-or-later
// Readers' queues
//
// Looked at from outside: of a reader that is stopped or asleep too.
#include <errno.h>
#include <linux/sock_diag.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/reader.h"

static int borrow_socket(int pidfd, int number) {
    int fd = (int) syscall(SYS_pidfd_getfd, pidfd, number, 0);
    return fd < 0 ? -errno : fd;
}

static int borrow_process(int pid) {
    int fd = (int) syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

long reader_drain(int pid, const struct reader_place *place, struct truth *truth) {
    long n = 0;
    _cleanup_close_ int pidfd = borrow_process(pid);
    if (pidfd < 0)
        return pidfd;
    for (int i = 0; i < atomic_load(&place->n_sockets); i++) {
        _cleanup_close_ int fd = borrow_socket(pidfd, place->sockets[i]);
        if (fd < 0)
            return fd;
        while (reader_take(fd, MSG_DONTWAIT, truth) >= 0)
            n++;
    }
    return n;
}

int reader_queued(
        int pid, const struct reader_place *place, int64_t *ret_bytes, int64_t *ret_drops) {
    int64_t bytes = 0, drops = 0;
    _cleanup_close_ int pidfd = borrow_process(pid);
    if (pidfd < 0)
        return pidfd;
    for (int i = 0; i < atomic_load(&place->n_sockets); i++) {
        uint32_t info[SK_MEMINFO_VARS] = { 0 };
        socklen_t size = sizeof info;
        _cleanup_close_ int fd = borrow_socket(pidfd, place->sockets[i]);
        if (fd < 0)
            return fd;
        if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, info, &size) < 0)
            return -errno;
        bytes += info[SK_MEMINFO_RMEM_ALLOC];
        drops += info[SK_MEMINFO_DROPS];
    }
    *ret_bytes = bytes;
    *ret_drops = drops;
    return 0;
}
