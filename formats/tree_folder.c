// SPDX-License-Identifier: GPL-2.0-or-later
// File trees of folders
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "formats/input.h"
#include "formats/tree_private.h"

#define PATH_SIZE 4096

struct walk {
    struct tree_builder *builder;
    char path[PATH_SIZE];
    int depth;
};

static int walk_folder(struct walk *walk, int fd);

static int read_file(struct walk *walk, int folder, const char *name, int64_t size) {
    int r = tree_offer(walk->builder, walk->path, size);
    if (r <= 0)
        return r;
    // O_NOFOLLOW and O_NONBLOCK: it may have become something else since it was looked at.
    _cleanup_close_ int fd =
            openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
    char *text;
    size_t length;
    if (fd < 0 || (r = input_read(fd, TREE_FILE_MAX_BYTES, &text, &length)) == -EFBIG) {
        walk->builder->tree.too_large += fd >= 0;
        return 0; // one that cannot be read does not stop the others
    }
    if (r == -ENOMEM)
        return r;
    return r < 0 ? 0 : tree_keep(walk->builder, walk->path, text, length);
}

static int enter(struct walk *walk, int folder, const char *name) {
    if (walk->depth >= TREE_MAX_DEPTH)
        return tree_refuse(walk->builder, walk->path);
    int fd = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_DIRECTORY);
    if (fd < 0)
        return 0;
    walk->depth++;
    int r = walk_folder(walk, fd);
    walk->depth--;
    return r;
}

static int visit(struct walk *walk, int folder, const char *name) {
    struct stat status;
    if (fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) < 0)
        return 0;
    if (S_ISDIR(status.st_mode))
        return enter(walk, folder, name);
    if (S_ISREG(status.st_mode))
        return read_file(walk, folder, name, status.st_size);
    if (S_ISLNK(status.st_mode) && walk->builder->wanted(walk->path))
        return tree_refuse(walk->builder, walk->path);
    return 0;
}

// Takes over fd.
static int walk_folder(struct walk *walk, int fd) {
    DIR *folder = fdopendir(fd);
    size_t length = strlen(walk->path);
    int r = 0;
    if (!folder) {
        close(fd);
        return -ENOMEM;
    }
    for (struct dirent *entry; r == 0 && (entry = readdir(folder));) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        int n = snprintf(
                walk->path + length, PATH_SIZE - length, "%s%s", length ? "/" : "", entry->d_name);
        if ((size_t) n < PATH_SIZE - length)
            r = visit(walk, dirfd(folder), entry->d_name);
    }
    walk->path[length] = '\0';
    closedir(folder);
    return r;
}

int tree_read_folder(int fd, tree_wanted *wanted, struct tree *ret) {
    struct tree_builder builder = { .wanted = wanted };
    struct walk walk = { .builder = &builder };
    int own = openat(fd, ".", O_RDONLY | O_CLOEXEC | O_DIRECTORY);
    int r = own < 0 ? -errno : walk_folder(&walk, own);
    tree_sort(&builder.tree);
    *ret = builder.tree;
    return r;
}
