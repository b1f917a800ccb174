// SPDX-License-Identifier: GPL-2.0-or-later
// File tree under construction
#pragma once

#include <stdint.h>

#include "formats/tree.h"

struct tree_builder {
    struct tree tree;
    tree_wanted *wanted;
    size_t seen, kept_bytes;
};

// Whether a path stays inside of the tree. Takes "./" and "/" at its begin off.
const char *tree_inside(const char *path);
int tree_refuse(struct tree_builder *builder, const char *path); // 0 or -ENOMEM
// Counts a file of that size. 1: it is to be read; 0: it is not; -errno: beyond a limit.
int tree_offer(struct tree_builder *builder, const char *path, int64_t size);
// Takes over `text`. 0 or -errno; then `text` is freed.
int tree_keep(struct tree_builder *builder, const char *path, char *text, size_t length);
void tree_sort(struct tree *tree);
