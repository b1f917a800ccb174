// SPDX-License-Identifier: GPL-2.0-or-later
// File trees
#include "formats/tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/tree_private.h"

void tree_done(struct tree *tree) {
    for (size_t i = 0; i < tree->n; i++) {
        free(tree->file[i].path);
        free(tree->file[i].text);
    }
    free(tree->file);
    free(tree->first_refused);
    *tree = (struct tree){ 0 };
}

const char *tree_inside(const char *path) {
    while (strncmp(path, "./", 2) == 0 || *path == '/')
        path += *path == '/' ? 1 : 2;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        size_t n = strcspn(at, "/");
        if (n == 2 && strncmp(at, "..", 2) == 0)
            return NULL;
    }
    return path;
}

int tree_refuse(struct tree_builder *builder, const char *path) {
    struct tree *tree = &builder->tree;
    if (tree->refused++ == 0)
        tree->first_refused = strdup(path);
    return tree->first_refused ? 0 : -ENOMEM;
}

int tree_offer(struct tree_builder *builder, const char *path, int64_t size) {
    if (++builder->seen > TREE_MAX_SEEN)
        return -EFBIG;
    if (!builder->wanted(path))
        return 0;
    if (size > (int64_t) TREE_FILE_MAX_BYTES) {
        builder->tree.too_large++;
        return 0;
    }
    return 1;
}

int tree_keep(struct tree_builder *builder, const char *path, char *text, size_t length) {
    struct tree *tree = &builder->tree;
    char *name = strdup(path);
    struct tree_file *files = NULL;
    builder->kept_bytes += length;
    bool fits = tree->n < TREE_MAX_FILES && builder->kept_bytes <= TREE_MAX_BYTES;
    if (fits && (tree->n & (tree->n - 1)) == 0) // a power of two: full
        files = reallocarray(tree->file, tree->n ? tree->n * 2 : 1, sizeof(*files));
    else if (fits)
        files = tree->file;
    if (!name || !files) {
        free(name);
        free(text);
        return fits ? -ENOMEM : -EFBIG;
    }
    tree->file = files;
    tree->file[tree->n++] = (struct tree_file){ name, text, length };
    return 0;
}

static int by_path(const void *a, const void *b) {
    const struct tree_file *x = a, *y = b;
    return strcmp(x->path, y->path);
}

void tree_sort(struct tree *tree) {
    if (tree->n > 0)
        qsort(tree->file, tree->n, sizeof(*tree->file), by_path);
}

const struct tree_file *tree_find(const struct tree *tree, const char *path) {
    struct tree_file key = { .path = (char *) path };
    return tree->n > 0 ? bsearch(&key, tree->file, tree->n, sizeof(key), by_path) : NULL;
}
