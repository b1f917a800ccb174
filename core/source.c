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

// fs/seq_file.c, seq_read() and seq_read_iter(), since 3.10 at least: a read ends where the records
// do, where it gave all that was asked for, or before a record that its buffer has no room for.
// That buffer is a page at first, and grows until it holds the first record: never less than this.
#define SEQ_BUFFER_BYTES ((size_t) 4096)

// Whether a read of n bytes, of `room` that were asked for, was the last. Where nothing is known of
// the records, only a read of 0 bytes is.
static bool is_last(size_t n, size_t room, size_t record_bytes) {
    if (n == 0)
        return true;
    if (record_bytes == SOURCE_ONE_RECORD)
        return n < room;
    return record_bytes > 0 && n + record_bytes <= SEQ_BUFFER_BYTES && n < room;
}

// How much to ask for: of sysctls the kernel takes, and clears, as much memory as that
// (fs/proc/proc_sysctl.c, proc_sys_call_handler()).
static size_t room_of(const struct source *source, size_t record_bytes) {
    size_t room = source->capacity - 1 - source->size;
    bool short_records = record_bytes > 0 && record_bytes != SOURCE_ONE_RECORD;
    return short_records && room > SEQ_BUFFER_BYTES ? SEQ_BUFFER_BYTES : room;
}

static int read_to_end(struct source *source, int fd, size_t record_bytes) {
    source->size = 0;
    for (;;) {
        if (source->size + 1 >= source->capacity) {
            int r = make_room(source);
            if (r < 0)
                return r;
        }
        size_t room = room_of(source, record_bytes);
        ssize_t n = pread(fd, source->buffer + source->size, room, (off_t) source->size);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -errno;
        source->size += (size_t) n;
        if (is_last((size_t) n, room, record_bytes))
            break;
    }
    source->buffer[source->size] = '\0';
    return 0;
}

// Without the last line, if it is cut.
static int read_lines(struct source *source, int fd, size_t bytes) {
    if (bytes >= source->capacity)
        bytes = source->capacity - 1;
    ssize_t n;
    do
        n = pread(fd, source->buffer, bytes, 0);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return -errno;
    const char *newline = memrchr(source->buffer, '\n', (size_t) n);
    source->size = newline ? (size_t) (newline - source->buffer) + 1 : 0;
    source->buffer[source->size] = '\0';
    return 0;
}

static int keep_open(const struct source *source, struct source_file *file, const char *path) {
    if (file->fd >= 0)
        return 0;
    int fd = source_open(source, path, 0);
    if (fd < 0)
        return fd;
    file->fd = fd;
    return 0;
}

int source_read(struct source *source, struct source_file *file, const char *path) {
    return source_read_records(source, file, path, 0);
}

int source_read_records(
        struct source *source, struct source_file *file, const char *path, size_t record_bytes) {
    int r = keep_open(source, file, path);
    if (r == 0)
        r = read_to_end(source, file->fd, record_bytes);
    if (r < 0)
        source_file_close(file);
    return r;
}

int source_read_lines(
        struct source *source, struct source_file *file, const char *path, size_t bytes) {
    int r = keep_open(source, file, path);
    if (r == 0)
        r = read_lines(source, file->fd, bytes);
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
