// SPDX-License-Identifier: GPL-2.0-or-later
// Store room
//
// The size limit covers the database file and its log. The log has a share of its own: it is
// written back at a quarter of it, no transaction begins above half of it, and the other half is
// for that transaction. Only a reader that stays in one read transaction lets it come so far.
#include "core/store_private.h"

#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>

#define LOG_SHARE 8
#define LOG_MIN_BYTES (INT64_C(1) << 20)
#define LOG_MAX_BYTES (INT64_C(8) << 20) // thousands of pages: checkpoints are rare enough
#define FRAME_HEADER_BYTES 24

int64_t store_max_pages(struct store *store) {
    return (store->max_bytes - store->log_bytes) / store->page_bytes;
}

int store_set_max_pages(struct store *store, int64_t pages) {
    char sql[64];
    snprintf(sql, sizeof(sql), "PRAGMA main.max_page_count=%" PRId64, pages);
    return store_exec(store, sql);
}

int store_limit(struct store *store, int64_t max_bytes) {
    char sql[64];
    if (max_bytes < STORE_MIN_BYTES)
        max_bytes = STORE_MIN_BYTES;
    int64_t log_bytes = max_bytes / LOG_SHARE;
    if (log_bytes < LOG_MIN_BYTES)
        log_bytes = LOG_MIN_BYTES;
    if (log_bytes > LOG_MAX_BYTES)
        log_bytes = LOG_MAX_BYTES;
    store->log_bytes = store->mode == STORE_MEMORY ? 0 : log_bytes;
    store->max_bytes = max_bytes;
    snprintf(sql, sizeof(sql), "PRAGMA main.journal_size_limit=%" PRId64, store->log_bytes);
    return store_exec(store, sql);
}

static int64_t log_length(struct store *store) {
    return store->log_frames * (store->page_bytes + FRAME_HEADER_BYTES);
}

// Called after each commit.
static int on_commit(void *data, sqlite3 *db, const char *name, int frames) {
    struct store *store = data;
    store->log_frames = frames;
    if (log_length(store) <= store->log_bytes / 4)
        return SQLITE_OK;
    int rc = sqlite3_wal_checkpoint_v2(db, name, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL);
    // The commit has succeeded; a file system without room for it shows again when maintaining.
    store->starved |= rc == SQLITE_FULL;
    return SQLITE_OK;
}

int store_watch_log(struct store *store) {
    sqlite3_wal_hook(store->db, on_commit, store);
    _cleanup_free_ char *log = store_file_name(store, "-wal");
    struct stat status;
    if (log && stat(log, &status) == 0)
        store->log_frames = status.st_size / (store->page_bytes + FRAME_HEADER_BYTES);
    return store_limit(store, RETENTION_DEFAULT.max_bytes);
}

int store_room(struct store *store) {
    if (store->mode == STORE_MEMORY || log_length(store) <= store->log_bytes / 2)
        return 0;
    sqlite3_busy_timeout(store->db, 0);
    int frames = (int) store->log_frames;
    int rc = sqlite3_wal_checkpoint_v2(store->db, "main", SQLITE_CHECKPOINT_RESTART, &frames, NULL);
    sqlite3_busy_timeout(store->db, STORE_BUSY_TIMEOUT_MS);
    if (rc == SQLITE_OK) {
        store->log_frames = 0;
        return 0;
    }
    if (rc != SQLITE_BUSY)
        return store_fail(store, rc);
    return store_fail_text(
            store, -ENOSPC, "a program that reads it for long keeps its log from being emptied");
}
