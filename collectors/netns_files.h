// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace files
//
// What the collectors that read files of /proc/PID/net have in common: a row for each namespace,
// filled from one or several files.
#pragma once

#include "collectors/netns.h"
#include "collectors/proc_pairs.h"

struct netns_file {
    const char *name; // below proc/PID/net
    parse_function *parse;
    const char *always;  // a column that it has on every kernel
    size_t record_bytes; // as source_read_records() takes it
};

struct netns_reader;

// Keeps `table` and `files`. 0 or -ENOMEM.
int netns_reader_new(const struct table *table, const struct netns_file *files, size_t n_files,
        struct netns_reader **ret);
struct netns_reader *netns_reader_free(struct netns_reader *reader); // returns NULL

// Adds a row for each namespace that has at least one of the files. `absent` is the reason given
// where there is none at all. A problem with one file or namespace does not keep the others from
// being read.
void netns_reader_collect(struct netns_reader *reader, struct collect_context *context,
        const char *absent, struct rows *rows, struct outcome *outcome);
