// SPDX-License-Identifier: GPL-2.0-or-later
// Stored history
#pragma once

#include <stdbool.h>

#include "cli/cli.h"
#include "core/store.h"

// Opens the history that the options or the configuration name. 0, -ENOENT (none), or another
// -errno; *ret_reason is then a text for people that names the file, to be freed.
int database_try(const struct cli *cli, struct store **ret, char **ret_reason);
// The same, telling the reason on the standard error: 0 or an exit status.
int database_open(const struct cli *cli, struct store **ret);
// Path of the database, malloc()ed; NULL: out of memory.
char *database_path(const struct cli *cli);

struct database_age {
    int64_t last_ms; // wall clock of the newest look; 0: there is none
    int64_t age_ms;  // before cli->now_ms, not negative
    int64_t step_ms; // as the daemon was set; 1000 where it is not known
    bool fresh;      // the daemon is writing
};
int database_age(
        const struct cli *cli, struct store *store, struct database_age *ret); // 0 or -errno
// Says on the standard error how long ago the history ends. Returns STATUS_NO_DATA.
int database_tell_stale(const struct database_age *age);
// First moment of the history, CELL_NULL where there is none. 0 or -errno.
int database_first(struct store *store, int64_t *ret_ms);
// An integer of the meta table, or CELL_NULL.
int64_t database_meta_integer(struct store *store, const char *key);

// Complains about the last error of the store. Returns STATUS_ERROR.
int database_failed(struct store *store, int error);
void database_close(struct store **store); // for _cleanup_
