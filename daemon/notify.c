// SPDX-License-Identifier: GPL-2.0-or-later
// Service notification
#include "daemon/notify.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#include "core/cleanup.h"

int notify(const char *state) {
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    if (!path || !*path)
        return 0;
    size_t n = strlen(path);
    if ((*path != '/' && *path != '@') || n >= sizeof(address.sun_path))
        return -EAFNOSUPPORT;
    memcpy(address.sun_path, path, n);
    if (*path == '@')
        address.sun_path[0] = '\0';
    _cleanup_close_ int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    socklen_t length = (socklen_t) (offsetof(struct sockaddr_un, sun_path) + n);
    if (sendto(fd, state, strlen(state), MSG_DONTWAIT | MSG_NOSIGNAL, (struct sockaddr *) &address,
                length) < 0)
        return -errno;
    return 0;
}
