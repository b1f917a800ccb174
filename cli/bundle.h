// SPDX-License-Identifier: GPL-2.0-or-later
// Bundle of files
//
// A new folder, or an archive (.tar, .tar.gz, .tar.xz, .tar.zst) that appears under its name when
// it is complete.
#pragma once

#include <stddef.h>

struct bundle;

// An existing folder must be empty; an existing file is not replaced. 0, -EEXIST, -ENOTEMPTY, or
// another -errno.
int bundle_new(const char *path, struct bundle **ret);
// 0 or -errno.
int bundle_put(struct bundle *bundle, const char *path, const char *text, size_t length);
int bundle_finish(struct bundle *bundle);
// Without bundle_finish(): an archive that was begun is removed; a folder stays as far as it got.
struct bundle *bundle_free(struct bundle *bundle); // returns NULL
