// SPDX-License-Identifier: GPL-2.0-or-later
// Source folders
//
// A folder whose files are read one after the other. On the running host it is held open: a process
// or control group that goes, and another that comes in its place, are then not mixed up, since all
// files of the first say that it is gone.
#pragma once

#include <sys/types.h>

#include "core/source.h"

struct folder {
    int fd; // -1: files are opened by their path
    const char *path;
};
#define FOLDER_CLOSED ((struct folder){ -1, NULL })

// `path` must live as long as the folder. 0 or -errno.
int folder_open(const struct source *source, const char *path, struct folder *ret);
void folder_close(struct folder *folder);

// Reads a file of it into source->buffer. 0 or -errno; -ESRCH or -ENOENT: the process is gone.
int folder_read(struct source *source, const struct folder *folder, const char *file);
// A file descriptor, or -errno.
int folder_open_file(
        const struct source *source, const struct folder *folder, const char *file, int flags);
// The target of a symbolic link, terminated. Its length, cut to what fits, or -errno.
ssize_t folder_read_link(const struct source *source, const struct folder *folder, const char *file,
        char *text, size_t size);
