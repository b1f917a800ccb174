// SPDX-License-Identifier: GPL-2.0-or-later
// Stored history
#include "cli/database.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/text.h"

// The daemon commits every few seconds and may be held up by a slow disk for as long again.
#define FRESH_MS 15000
#define STEP_DEFAULT_MS 1000

char *database_path(const struct cli *cli) {
    const char *given = option_text(&cli->globals, GLOBAL_DATABASE);
    char *path;
    if (given)
        return strdup(given);
    return asprintf(&path, "%s%s", cli->root ? cli->root : "",
                   config_values(cli->config)->database) < 0
                   ? NULL
                   : path;
}

static char *open_reason(int error, const char *path, const char *text) {
    char *reason = NULL;
    int n;
    if (error == -ENOENT)
        n = asprintf(&reason, "there is no history at %s", path);
    else if (error == -EACCES || error == -EPERM)
        n = asprintf(&reason, "%s may not be read: be root or join the group udpdiag", path);
    else if (text && *text)
        return strdup(text);
    else
        n = asprintf(&reason, "%s: %s", path, strerror(-error));
    return n < 0 ? NULL : reason;
}

int database_try(const struct cli *cli, struct store **ret, char **ret_reason) {
    _cleanup_free_ char *path = database_path(cli);
    _cleanup_free_ char *text = NULL;
    int r = path ? store_open(path, STORE_READ, collector_tables(), n_collectors, ret, &text)
                 : -ENOMEM;
    if (r < 0)
        *ret_reason = open_reason(r, path ? path : "history", text);
    return r;
}

int database_open(const struct cli *cli, struct store **ret) {
    _cleanup_free_ char *reason = NULL;
    int r = database_try(cli, ret, &reason);
    if (r < 0)
        return r == -ENOENT && reason
                       ? complain(STATUS_NO_DATA, "%s; is udpdiagd running?", reason)
                       : complain(STATUS_ERROR, "%s", reason ? reason : strerror(-r));
    return 0;
}

void database_close(struct store **store) {
    *store = store_close(*store);
}

int64_t database_meta_integer(struct store *store, const char *key) {
    char text[32], *end;
    if (store_get_meta(store, key, text, sizeof(text)) != 0)
        return CELL_NULL;
    intmax_t value = strtoimax(text, &end, 10);
    return end == text || *end ? CELL_NULL : value;
}

int database_age(const struct cli *cli, struct store *store, struct database_age *ret) {
    int64_t boottime_ms, step_ms = database_meta_integer(store, "step_ms");
    struct database_age age = { .step_ms = step_ms > 0 ? step_ms : STEP_DEFAULT_MS };
    int r = store_last_time(store, &age.last_ms, &boottime_ms);
    if (r < 0)
        return r;
    if (age.last_ms > 0 && age.last_ms < cli->now_ms)
        age.age_ms = cli->now_ms - age.last_ms;
    age.fresh = age.last_ms > 0 && age.age_ms <= FRESH_MS + 2 * age.step_ms;
    *ret = age;
    return 0;
}

int database_tell_stale(const struct database_age *age) {
    if (age->last_ms == 0)
        return complain(STATUS_NO_DATA, "the history is empty; is udpdiagd running?");
    fputs("udpdiag: the history ends ", stderr);
    text_put_duration(stderr, (double) age->age_ms / 1e3);
    fputs(" ago; is udpdiagd running?\n", stderr);
    return STATUS_NO_DATA;
}

int database_first(struct store *store, int64_t *ret_ms) {
    static const char sql[] = "SELECT MIN(ms) FROM (SELECT MIN(end_ms) AS ms FROM main.step"
                              " UNION ALL SELECT MIN(end_ms) FROM main.step_minute"
                              " UNION ALL SELECT MIN(end_ms) FROM main.step_hour)";
    sqlite3_stmt *query;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    int r = sqlite3_step(query) == SQLITE_ROW ? 0 : -EIO;
    if (r == 0)
        *ret_ms = sqlite3_column_type(query, 0) == SQLITE_NULL ? CELL_NULL
                                                               : sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return r;
}

int database_failed(struct store *store, int error) {
    if (error == -EIO || error == -EUCLEAN)
        return complain(STATUS_ERROR, "history: %s", store_error(store));
    return complain_errno(error, "history");
}
