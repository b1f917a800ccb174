// SPDX-License-Identifier: GPL-2.0-or-later
// Mount fill
#include "collectors/list.h"

enum { MOUNT, DEVICE, DISK, FSTYPE, SIZE, USED, AVAILABLE, INODES, INODES_USED, READ_ONLY, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [MOUNT] = { "mount", COLUMN_KEY_TEXT, "", "mount point", "mount point" },
    [DEVICE] = { "device", COLUMN_TEXT, "", "what is mounted, such as /dev/mapper/vg-var", "mount source" },
    [DISK] = { "disk", COLUMN_TEXT, "", "its row in table disk; empty where it has none", "major:minor" },
    [FSTYPE] = { "fstype", COLUMN_TEXT, "", "file system type", "filesystem type" },
    [SIZE] = { "size_bytes", COLUMN_GAUGE, "bytes", "size", "f_blocks" },
    [USED] = { "used_bytes", COLUMN_GAUGE, "bytes", "space in use", "f_blocks - f_bfree" },
    [AVAILABLE] = { "available_bytes", COLUMN_GAUGE, "bytes",
                    "space left for programs without privileges; df shows used / (used + available)",
                    "f_bavail" },
    [INODES] = { "inodes", COLUMN_GAUGE, "files", "files it can hold; 0 where there is no such limit",
                 "f_files" },
    [INODES_USED] = { "inodes_used", COLUMN_GAUGE, "files", "files it holds", "f_files - f_ffree" },
    [READ_ONLY] = { "read_only", COLUMN_GAUGE, "", "1: mounted read-only, also after an error",
                    "mount options" },
};

const struct table mount_table = { "mount", "fill of each local file system that can fill up", "mount point",
                                   "/proc/self/mountinfo, statvfs(3)", columns, N_COLUMNS, 1 };
