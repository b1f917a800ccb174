// SPDX-License-Identifier: GPL-2.0-or-later
// Source folders
#include "collectors/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "core/cleanup.h"

int folder_open(const struct source *source, const char *path, struct folder *ret) {
    int fd = source_open(source, path, O_PATH | O_DIRECTORY);
    if (fd < 0)
        return fd;
    if (!source->live) { // only a path from the root cannot lead out of it
        close(fd);
        fd = -1;
    }
    *ret = (struct folder){ fd, path };
    return 0;
}

void folder_close(struct folder *folder) {
    if (folder->fd >= 0)
        close(folder->fd);
    *folder = FOLDER_CLOSED;
}

int folder_open_file(
        const struct source *source, const struct folder *folder, const char *file, int flags) {
    if (folder->fd >= 0) {
        int fd = openat(folder->fd, file, O_RDONLY | O_CLOEXEC | flags);
        return fd < 0 ? -errno : fd;
    }
    char path[PATH_MAX];
    int n = snprintf(path, sizeof(path), "%s/%s", folder->path, file);
    return n < (int) sizeof(path) ? source_open(source, path, flags) : -ENAMETOOLONG;
}

int folder_read(struct source *source, const struct folder *folder, const char *file) {
    if (folder->fd >= 0)
        return source_read_at(source, folder->fd, file);
    struct source_file opened = { folder_open_file(source, folder, file, 0) };
    if (opened.fd < 0)
        return opened.fd;
    int r = source_read(source, &opened, file);
    source_file_close(&opened);
    return r;
}

ssize_t folder_read_link(const struct source *source, const struct folder *folder, const char *file,
        char *text, size_t size) {
    ssize_t n;
    if (folder->fd >= 0) {
        n = readlinkat(folder->fd, file, text, size - 1);
    } else {
        _cleanup_close_ int fd = folder_open_file(source, folder, file, O_PATH | O_NOFOLLOW);
        if (fd < 0)
            return fd;
        n = readlinkat(fd, "", text, size - 1);
    }
    if (n < 0)
        return -errno;
    text[n] = '\0';
    return n;
}
