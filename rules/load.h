// SPDX-License-Identifier: GPL-2.0-or-later
// Rule files on disk
#pragma once

#include <stdio.h>

#include "core/store.h"

// What is done with a file NAME.sql: `id` is NAME; text is NULL where the file is a link to
// /dev/null. 0, 1: it had problems, or -errno.
typedef int load_use(const char *id, const char *path, const char *text, void *data);

// Reads one file and hands it over. A file that cannot be a rule (a device, too big, binary) is a
// problem, printed into `problems`. As `use`; -ENOENT, -EACCES, ... where it cannot be opened.
int load_file(const char *path, FILE *problems, load_use *use, void *data);
// All NAME.sql of a folder, by name; one that is not there has none. 0 or -errno.
int load_folder(const char *path, FILE *problems, load_use *use, void *data);

// A store in memory with a window in which nothing happened: what rules are checked against. 0 or
// -errno.
int load_empty_window(const struct table *const *tables, size_t n_tables, struct store **ret);
