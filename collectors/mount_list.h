// SPDX-License-Identifier: GPL-2.0-or-later
// Mounted devices
//
// The local file systems that can fill up, each once: not those without storage, not images that
// are always full, not the same device mounted again.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "collectors/proc_pairs.h"
#include "collectors/scan.h"
#include "core/source.h"

// One line of mountinfo; texts are as the file has them, with octal escapes.
struct mountinfo {
    int64_t id; // also told by statx(2): what is mounted at this path now
    uint32_t device_major, device_minor;
    struct span root, point, fstype, source,
            options; // options of the file system, not of the mount
};
bool parse_mountinfo_line(struct span line, struct mountinfo *ret);
// Copies text, with \ooo replaced by the byte it means, and ends it. Returns the length.
size_t mountinfo_decode(struct span text, char *buffer);

struct mount {
    int64_t id;
    uint32_t device_major, device_minor;
    uint32_t disk_major, disk_minor; // the block device it lies on; 0:n where that is not known
    bool whole;                      // its root is mounted, not a directory of it
    // The file system itself is read-only, also after an error. The mount's own flag says less: a
    // service may see everything through read-only mounts.
    bool read_only;
    size_t point, fstype, source; // offsets into text
};

struct mount_list {
    struct source_file file;
    struct mount *items;
    size_t n, capacity;
    char *text;
    size_t text_capacity;
};
#define MOUNT_LIST_EMPTY ((struct mount_list){ .file = SOURCE_FILE_CLOSED })
#define MOUNT_LIST_PATH "proc/self/mountinfo"

// Chooses the mounts of a mountinfo text. 0 or -ENOMEM.
int mount_list_parse(
        struct mount_list *list, const char *text, size_t length, struct parse_problem *problem);
// Reads it. 0 or -errno.
int mount_list_read(struct mount_list *list, struct source *source, struct parse_problem *problem);
// Whether something was mounted or unmounted since mount_list_read(); true where that cannot be
// known.
bool mount_list_changed(const struct mount_list *list, const struct source *source);
void mount_list_done(struct mount_list *list);
