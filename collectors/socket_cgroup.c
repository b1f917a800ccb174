// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup of a socket
#include "collectors/socket_cgroup.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>

#include "core/cleanup.h"

#define FILEID_KERNFS 0xfe // include/linux/exportfs.h: the handle of a cgroup is its id

static int open_by_id(int mount, uint64_t id) {
    union {
        struct file_handle handle;
        char room[sizeof(struct file_handle) + sizeof(id)];
    } of = { .handle = { .handle_bytes = sizeof(id), .handle_type = FILEID_KERNFS } };
    memcpy(of.handle.f_handle, &id, sizeof(id));
    return open_by_handle_at(mount, &of.handle, O_PATH | O_CLOEXEC);
}

static char *path_of(int fd, const char *mount) {
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof(path) - 1);
    size_t skip = strlen(mount);
    if (n < (ssize_t) skip || memcmp(path, mount, skip) != 0)
        return NULL;
    path[n] = '\0';
    return strdup(path[skip] ? path + skip : "/");
}

char *socket_cgroup_path(uint64_t id) {
    static const char *const mounts[] = { "/sys/fs/cgroup", "/sys/fs/cgroup/unified" };
    for (size_t i = 0; id && i < sizeof(mounts) / sizeof(mounts[0]); i++) {
        struct statfs status;
        _cleanup_close_ int mount = open(mounts[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (mount < 0 || fstatfs(mount, &status) < 0 || status.f_type != CGROUP2_SUPER_MAGIC)
            continue;
        _cleanup_close_ int group = open_by_id(mount, id);
        return group >= 0 ? path_of(group, mounts[i]) : NULL;
    }
    return NULL;
}
