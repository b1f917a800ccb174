// SPDX-License-Identifier: GPL-2.0-or-later
// File trees
//
// The files of a capture or support bundle, from a folder or from an archive (tar, in any of the
// usual compressions), in memory. Links, devices, and paths with .. are left out: nothing outside
// is followed.
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct tree_file {
    char *path; // without / at its begin
    char *text; // as it is, with a NUL behind it
    size_t length;
};

struct tree {
    struct tree_file *file; // by path
    size_t n;
    size_t refused;      // links that are not followed, paths with ..
    char *first_refused; // NULL: none
    size_t too_large;    // wanted, but larger than TREE_FILE_MAX_BYTES
};

#define TREE_FILE_MAX_BYTES ((size_t) 16 << 20)
#define TREE_MAX_BYTES ((size_t) 64 << 20)   // of all files that are kept
#define TREE_MAX_FILES ((size_t) 100000)     // kept
#define TREE_MAX_SEEN ((size_t) 2000000)     // in an archive or folder
#define TREE_MAX_UNPACKED ((size_t) 2 << 30) // of an archive, also of what is not kept
#define TREE_MAX_DEPTH 32

// Which of the files are wanted.
typedef bool tree_wanted(const char *path);

// 0 or -errno; -EFBIG: beyond one of the limits; -EBADMSG: no archive, or a damaged one (what was
// read before the damage is kept, so that the caller may go on with it).
int tree_read_folder(int fd, tree_wanted *wanted, struct tree *ret);
int tree_read_archive(int fd, tree_wanted *wanted, struct tree *ret);
void tree_done(struct tree *tree);
const struct tree_file *tree_find(const struct tree *tree, const char *path); // NULL: not there
