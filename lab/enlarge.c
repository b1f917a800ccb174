// SPDX-License-Identifier: GPL-2.0-or-later
// Larger buffers
#include <errno.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/private.h"

// The kernel doubles what it is told: what a buffer has now makes twice as much.
static int enlarge(int pidfd, int number) {
    int bytes;
    socklen_t length = sizeof(bytes);
    _cleanup_close_ int fd = (int) syscall(SYS_pidfd_getfd, pidfd, number, 0);
    if (fd < 0 || getsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, &length) < 0)
        return -errno;
    // Only real root may go beyond rmem_max.
    if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)) == 0 ||
            setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes)) == 0)
        return 0;
    return -errno;
}

int lab_enlarge(struct lab *lab) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < lab_readers(lab); i++) {
        const struct reader_place *place = lab_reader(lab, (int) i)->place;
        _cleanup_close_ int pidfd = (int) syscall(SYS_pidfd_open, lab_reader_pid(lab, (int) i), 0);
        if (pidfd < 0)
            return -errno;
        for (int s = 0; r == 0 && s < place->n_sockets; s++)
            r = enlarge(pidfd, place->sockets[s]);
    }
    return r;
}
