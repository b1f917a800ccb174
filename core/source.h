// SPDX-License-Identifier: GPL-2.0-or-later
// Source directory
//
// Where /proc, /sys and /run are read: the live host, or a directory that holds the same files.
// Paths are relative: "proc/net/snmp". Below a directory no path leads out of it (openat2,
// RESOLVE_IN_ROOT).
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Who wants the kernel's netlink answers as they come.
struct source_tap {
    // A datagram of the dump of that name; NULL: the dump begins, perhaps again.
    void (*take)(void *data, const char *dump, const void *datagram, size_t n);
    void *data;
};

struct source {
    int root;     // directory fd
    bool live;    // the running host
    char *buffer; // what source_read() returned last, NUL-terminated
    size_t size, capacity;
    const struct source_tap *tap; // NULL: nobody
};

// root: NULL or "/" for the live host. 0 or -errno.
int source_init(struct source *source, const char *root);
void source_done(struct source *source);

// openat() below the root with O_CLOEXEC | O_RDONLY | flags. A file descriptor or -errno.
int source_open(const struct source *source, const char *path, int flags);

// Reads a symbolic link itself, such as proc/1/ns/net. The length, or -errno; the text has no NUL
// at its end.
ssize_t source_read_link(const struct source *source, const char *path, char *text, size_t size);

// A file that stays open between steps.
struct source_file {
    int fd; // -1: not open
};
#define SOURCE_FILE_CLOSED ((struct source_file){ -1 })
void source_file_close(struct source_file *file);

// Reads the whole file from offset 0 into source->buffer, opening it at `path` if it is not open; a
// /proc file is read to its end, which takes several calls (one returns about a page, and the last
// nothing). At most SOURCE_MAX_BYTES are read. Returns 0, -errno (-ENOENT, -EACCES, ...; the file is
// then closed), -EFBIG.
int source_read(struct source *source, struct source_file *file, const char *path);
// The same for a list of /proc of which no record is longer than record_bytes: a read that leaves
// room for one more in its page was the last. It saves the read that finds nothing more, for which
// the kernel goes through all that it lists (net/udp: the sockets of all namespaces).
int source_read_records(
        struct source *source, struct source_file *file, const char *path, size_t record_bytes);
// As record_bytes: the kernel makes the file in one piece (single_open(), and all of sysfs), so
// that a read that returns less than was asked for was the last.
#define SOURCE_ONE_RECORD SIZE_MAX
// The same in one call, of whole lines from the beginning that are no more than so many bytes: a
// list is written as far as it is asked for.
int source_read_lines(
        struct source *source, struct source_file *file, const char *path, size_t bytes);
// The same for a file that is opened and closed for this one read, relative to a directory fd.
int source_read_at(struct source *source, int dir, const char *path);
#define SOURCE_MAX_BYTES ((size_t) 64 << 20)
