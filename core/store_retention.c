// SPDX-License-Identifier: GPL-2.0-or-later
// Store retention
#include "core/store_private.h"

#include <errno.h>
#include <inttypes.h>

// Deleted at once, in one transaction: so many steps at most, some ten thousand rows, some ten
// milliseconds; and so many pages of them as a share of the log takes.
#define CHUNK_STEPS 600
#define CHUNK_MIN_STEPS 10
#define CHUNK_LOG_SHARE 8
#define ROUNDS 8 // chunks per call, when the size asks for it
#define MAX_ALERTS "10000"
// Objects that are present have a row in this time.
#define MIN_STEPS_S (STORE_PRESENT_MS / 1000 + 60)
// Pages kept free, so that what comes until the next call finds room.
#define RESERVE_SHARE 64
#define RESERVE_MIN_PAGES 64

// What is given up for size, in this order: each down to so many of its steps.
static const struct {
    enum level level;
    int64_t keep;
} sacrifices[] = {
    { LEVEL_STEP, 3600 },
    { LEVEL_MINUTE, 24 * 60 },
    { LEVEL_STEP, 600 },
    { LEVEL_HOUR, 30 * 24 },
    { LEVEL_MINUTE, 60 },
    { LEVEL_STEP, MIN_STEPS_S },
    { LEVEL_HOUR, 24 },
    { LEVEL_MINUTE, 2 },
    { LEVEL_HOUR, 2 },
};

static int delete_from(struct store *store, const char *table, const char *suffix, int64_t before) {
    char sql[256];
    snprintf(sql, sizeof(sql), "DELETE FROM main.\"%s%s\" WHERE step<%" PRId64, table, suffix,
            before);
    return store_exec(store, sql);
}

static int delete_level(struct store *store, enum level level, int64_t before) {
    int r = store_begin(store);
    if (r < 0)
        return r;
    r = delete_from(store, "step", levels[level].suffix, before);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = delete_from(store, store->tables[i].table->name, levels[level].suffix, before);
    if (r >= 0)
        return store_commit(store);
    store_rollback(store);
    return r;
}

// How many of n steps to delete at once, if all pages were theirs.
static int chunk_of(struct store *store, int64_t n, int64_t *ret) {
    int64_t pages = 1, budget = store->log_bytes / CHUNK_LOG_SHARE / store->page_bytes;
    int r = store_integer(store, "PRAGMA main.page_count", &pages);
    *ret = budget && pages ? n * budget / pages : CHUNK_STEPS;
    if (*ret > CHUNK_STEPS)
        *ret = CHUNK_STEPS;
    if (*ret < CHUNK_MIN_STEPS)
        *ret = CHUNK_MIN_STEPS;
    return r;
}

static int edges(struct store *store, enum level level, int64_t *ret_oldest, int64_t *ret_newest) {
    char sql[128];
    *ret_oldest = 0;
    *ret_newest = -1;
    snprintf(sql, sizeof(sql), "SELECT min(step) FROM main.step%s", levels[level].suffix);
    int r = store_integer(store, sql, ret_oldest);
    snprintf(sql, sizeof(sql), "SELECT max(step) FROM main.step%s", levels[level].suffix);
    return r < 0 ? r : store_integer(store, sql, ret_newest);
}

// Only what stands before the first step that is young enough: a clock that was wrong for a while
// in between must not cost the history.
static int first_young_step(struct store *store, int64_t cutoff_ms, int64_t limit, int64_t *ret) {
    _cleanup_statement_ sqlite3_stmt *steps = NULL;
    int r = store_prepare(store, "SELECT step,end_ms FROM main.step ORDER BY step LIMIT ?", &steps);
    if (r < 0)
        return r;
    sqlite3_bind_int64(steps, 1, limit + 1);
    int rc;
    while ((rc = sqlite3_step(steps)) == SQLITE_ROW) {
        *ret = sqlite3_column_int64(steps, 0);
        if (sqlite3_column_int64(steps, 1) >= cutoff_ms)
            return 0;
    }
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}

static int prune_age(struct store *store, enum level level, int64_t keep_s, int64_t now_ms) {
    int64_t oldest, newest, cutoff_ms = now_ms - keep_s * 1000;
    int r = edges(store, level, &oldest, &newest);
    if (r < 0 || oldest >= newest)
        return r;
    int64_t before = oldest, chunk;
    r = chunk_of(store, newest - oldest + 1, &chunk);
    if (r >= 0 && level == LEVEL_STEP)
        r = first_young_step(store, cutoff_ms, chunk, &before);
    else if (cutoff_ms / levels[level].ms > oldest)
        before = cutoff_ms / levels[level].ms;
    if (before > oldest + chunk)
        before = oldest + chunk;
    // The newest step stays: its number and time are where we go on.
    if (before > newest)
        before = newest;
    return r < 0 || before <= oldest ? r : delete_level(store, level, before);
}

// 1: there is nothing left to give up.
static int prune_oldest(struct store *store) {
    for (size_t i = 0; i < sizeof(sacrifices) / sizeof(sacrifices[0]); i++) {
        enum level level = sacrifices[i].level;
        int64_t oldest, newest, chunk;
        int r = edges(store, level, &oldest, &newest);
        if (r >= 0)
            r = chunk_of(store, newest - oldest + 1, &chunk);
        if (r < 0)
            return r;
        int64_t excess = newest - oldest + 1 - sacrifices[i].keep;
        if (excess > 0)
            return delete_level(store, level, oldest + (excess < chunk ? excess : chunk));
    }
    return 1;
}

static int count_pages(struct store *store, int64_t *ret_pages, int64_t *ret_free) {
    int r = store_integer(store, "PRAGMA main.page_count", ret_pages);
    return r < 0 ? r : store_integer(store, "PRAGMA main.freelist_count", ret_free);
}

static int shrink(struct store *store, int64_t pages) {
    char sql[64];
    int r = store_room(store);
    if (r < 0)
        return r;
    snprintf(sql, sizeof(sql), "PRAGMA main.incremental_vacuum(%" PRId64 ")", pages);
    return store_exec(store, sql);
}

static int prune_size(struct store *store, int64_t max_pages) {
    int64_t reserve = max_pages / RESERVE_SHARE;
    if (reserve < RESERVE_MIN_PAGES)
        reserve = RESERVE_MIN_PAGES;
    int64_t at_once = store->log_bytes / 4 / store->page_bytes;
    for (int round = 0; round < ROUNDS; round++) {
        int64_t pages = 0, unused = 0;
        int r = count_pages(store, &pages, &unused);
        if (r < 0)
            return r;
        if (max_pages - (pages - unused) < reserve)
            r = prune_oldest(store);
        else if (pages > max_pages && unused > 0)
            r = shrink(store, at_once ? at_once : unused);
        else
            return 0;
        if (r != 0)
            return r < 0 ? r : 0;
    }
    return 0;
}

// Objects that are gone, and old alerts.
static int prune_rest(struct store *store, int64_t keep_s, int64_t now_ms) {
    int64_t present = 0;
    bool sure = false;
    char sql[256];
    int r = store_present_step(store, &present, &sure);
    if (r >= 0)
        r = store_begin(store);
    if (r < 0)
        return r;
    for (size_t i = 0; r >= 0 && sure && i < store->n_tables; i++)
        r = delete_from(store, store->tables[i].table->name, "_last", present);
    snprintf(sql, sizeof(sql),
            "DELETE FROM main.alert WHERE end_ms<%" PRId64 " OR (end_ms IS NOT NULL AND "
            "id<=(SELECT max(id) FROM main.alert)-" MAX_ALERTS ")",
            now_ms - keep_s * 1000);
    if (r >= 0)
        r = store_exec(store, sql);
    if (r >= 0)
        return store_commit(store);
    store_rollback(store);
    return r;
}

// On a full file system the database cannot grow: what it has must do.
static int apply_limit(struct store *store, int64_t max_bytes, int64_t *ret_max_pages) {
    int64_t pages = 0, unused = 0;
    int r = store->max_bytes == max_bytes ? 0 : store_limit(store, max_bytes);
    if (r >= 0)
        r = count_pages(store, &pages, &unused);
    if (r < 0)
        return r;
    *ret_max_pages = store_max_pages(store);
    if (store->starved && pages < *ret_max_pages)
        *ret_max_pages = pages;
    return store_set_max_pages(store, *ret_max_pages);
}

static int maintain_once(struct store *store, const struct retention *retention, int64_t now_ms) {
    const int64_t keep_s[N_LEVELS] = {
        [LEVEL_STEP] = retention->steps_s > MIN_STEPS_S ? retention->steps_s : MIN_STEPS_S,
        [LEVEL_MINUTE] = retention->minutes_s,
        [LEVEL_HOUR] = retention->hours_s,
    };
    int64_t max_pages = 0;
    int r = apply_limit(store, retention->max_bytes, &max_pages);
    for (enum level level = LEVEL_STEP; r >= 0 && level < N_LEVELS; level++)
        r = prune_age(store, level, keep_s[level], now_ms);
    if (r >= 0)
        r = prune_size(store, max_pages);
    return r < 0 ? r : prune_rest(store, retention->hours_s, now_ms);
}

int store_maintain(struct store *store, const struct retention *retention, int64_t now_ms) {
    if (store->mode == STORE_READ || store->in_transaction)
        return store_fail_text(store, -EINVAL, "not now");
    int r = store_file_unchanged(store);
    if (r < 0)
        return r;
    if (store->starved && store_file_system_has_room(store))
        store->starved = false;
    if (!store->starved)
        ballast_fill(store);
    r = maintain_once(store, retention, now_ms);
    if ((r == -ENOSPC || store->starved) && ballast_release(store))
        r = maintain_once(store, retention, now_ms);
    return r;
}
