// SPDX-License-Identifier: GPL-2.0-or-later
// Asking a socket
//
// What only a socket option tells: it is asked on a copy of its owner's descriptor (pidfd_getfd,
// since 5.6; takes CAP_SYS_PTRACE), which is there for some microseconds only.
#pragma once

#include <sys/types.h>

#include "core/table.h"

struct socket_options {
    cell has_filter;                 // 1, 0
    cell rcvbuf_bytes, sndbuf_bytes; // CELL_NULL: not told
};

// 0; -EPERM: it may not be copied; -ENOSYS: not on this kernel; -ESRCH, -EBADF, -ESTALE: the
// process, the descriptor or the socket behind it is another by now; or another -errno.
int socket_ask(pid_t pid, int fd, uint32_t inode, struct socket_options *ret);
