// SPDX-License-Identifier: GPL-2.0-or-later
// Database opening
//
// What the writer does with the database beside writing steps. All of it may wait for the disk.
#pragma once

#include "core/alerts.h"
#include "core/store.h"
#include "daemon/outbox.h"

struct database_options {
    const char *path;
    const struct table *const *tables;
    size_t n_tables;
    const char *boot_id, *host, *kernel;
    int64_t step_ms;
};

// Makes the folder if it is missing (0750, of group udpdiag where that exists), opens the database,
// and sets a damaged one aside. 0 or -errno as store_open(); *ret_error is then a text to free().
int database_open(const struct database_options *options, struct outbox *outbox, struct store **ret,
        char **ret_error);
// Says in the database who writes it. 0 or -errno.
int database_sign(struct store *store, const struct database_options *options, int64_t now_ms);

// The absolute values of the run before.
struct seed {
    struct rows *totals; // one per table
    size_t n_tables;
    int64_t wall_ms, boottime_ms;
};
struct seed *seed_free(struct seed *seed); // returns NULL
// 0, 1: none of this boot, or -errno.
int database_seed(struct store *store, const struct database_options *options, struct seed **ret);
