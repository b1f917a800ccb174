// SPDX-License-Identifier: GPL-2.0-or-later
// Source directory
#include "core/source.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/cleanup.h"

// Most /proc files fit; it grows for the others and is kept.
#define SOURCE_BUFFER_BYTES ((size_t) 64 << 10)

int source_init(struct source *source, const char *root) {
    bool live = !root || strcmp(root, "/") == 0;
    int fd = open(live ? "/" : root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    char *buffer = malloc(SOURCE_BUFFER_BYTES);
    if (!buffer) {
        close(fd);
        return -ENOMEM;
    }
    *source = (struct source){
        .root = fd, .live = live, .buffer = buffer, .capacity = SOURCE_BUFFER_BYTES
    };
    return 0;
}

void source_done(struct source *source) {
    if (source->root >= 0)
        close(source->root);
    free(source->buffer);
    *source = (struct source){ .root = -1 };
}

int source_open(const struct source *source, const char *path, int flags) {
    flags |= O_RDONLY | O_CLOEXEC;
    if (source->live) {
        int fd = openat(source->root, path, flags);
        return fd < 0 ? -errno : fd;
    }
    // A FIFO planted in a directory that came from elsewhere must not block the open. O_PATH opens
    // nothing, and openat2() refuses to have both.
    if (!(flags & O_PATH))
        flags |= O_NONBLOCK;
    struct open_how how = { .flags = (unsigned) flags, .resolve = RESOLVE_IN_ROOT };
    long fd = syscall(SYS_openat2, source->root, path, &how, sizeof(how));
    return fd < 0 ? -errno : (int) fd;
}

ssize_t source_read_link(const struct source *source, const char *path, char *text, size_t size) {
    ssize_t n;
    if (source->live) {
        n = readlinkat(source->root, path, text, size);
    } else {
        _cleanup_close_ int fd = source_open(source, path, O_PATH | O_NOFOLLOW);
        if (fd < 0)
            return fd;
        n = readlinkat(fd, "", text, size);
    }
    return n < 0 ? -errno : n;
}

void source_file_close(struct source_file *file) {
    if (file->fd >= 0)
        close(file->fd);
    file->fd = -1;
}

static int make_room(struct source *source) {
    if (source->capacity >= SOURCE_MAX_BYTES)
        return -EFBIG;
    char *buffer = realloc(source->buffer, source->capacity * 2);
    if (!buffer)
        return -ENOMEM;
    source->buffer = buffer;
    source->capacity *= 2;
    return 0;
}

// fs/seq_file.c: a read returns what records fit into a buffer of a page.
#define SEQ_BUFFER_BYTES 4096

// A seq_file ends with a read of 0 bytes; any shorter read says nothing about the end, unless it is
// known how long a record may be (else 0).
static int read_to_end(struct source *source, int fd, size_t record_bytes) {
    source->size = 0;
    for (;;) {
        if (source->size + 1 >= source->capacity) {
            int r = make_room(source);
            if (r < 0)
                return r;
        }
        // Of sysctls the kernel takes, and clears, as much memory as is asked for
        // (fs/proc/proc_sysctl.c, proc_sys_call_handler()).
        size_t room = source->capacity - 1 - source->size;
        if (record_bytes > 0 && room > SEQ_BUFFER_BYTES)
            room = SEQ_BUFFER_BYTES;
        ssize_t n = pread(fd, source->buffer + source->size, room, (off_t) source->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        if (n == 0)
            break;
        source->size += (size_t) n;
        if (record_bytes > 0 && (size_t) n + record_bytes <= SEQ_BUFFER_BYTES)
            break;
    }
    source->buffer[source->size] = '\0';
    return 0;
}

int source_read(struct source *source, struct source_file *file, const char *path) {
    return source_read_records(source, file, path, 0);
}

int source_read_records(
        struct source *source, struct source_file *file, const char *path, size_t record_bytes) {
    if (file->fd < 0) {
        int fd = source_open(source, path, 0);
        if (fd < 0)
            return fd;
        file->fd = fd;
    }
    int r = read_to_end(source, file->fd, record_bytes);
    if (r < 0)
        source_file_close(file);
    return r;
}

int source_read_at(struct source *source, int dir, const char *path) {
    _cleanup_close_ int fd = openat(dir, path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    return read_to_end(source, fd, 0);
}
