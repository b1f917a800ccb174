// SPDX-License-Identifier: GPL-2.0-or-later
// Store internals
//
// Shared by store*.c, alerts.c and window.c only.
#pragma once

#include <sys/types.h>

#include "core/cleanup.h"
#include "core/store.h"
#include "core/store_pending.h"
#include "core/store_sql.h"

// "udpd"
#define STORE_APPLICATION_ID 0x75647064
// An object whose newest row is older than this is gone: each is written once in a keyframe.
#define STORE_PRESENT_MS (2 * STEP_KEYFRAME_MS)

// Meta: the last step that T_minute and T_hour hold.
#define META_ROLLED_STEP "rolled_step"

// Readers never wait for the writer in WAL mode; this is for the moment in which one of them
// recovers the log after a crash.
#define STORE_BUSY_TIMEOUT_MS 2000

// Prepared when first used, then kept.
enum query {
    QUERY_BEGIN,
    QUERY_COMMIT,
    QUERY_ROLLBACK,
    QUERY_STEP,
    QUERY_STEP_MINUTE,
    QUERY_STEP_HOUR,
    QUERY_OUTCOME,
    QUERY_SET_META,
    QUERY_GET_META,
    QUERY_ALERT_INSERT,
    QUERY_ALERT_UPDATE,
    N_QUERIES,
};

struct store_table {
    const struct table *table;
    bool *present;  // columns that the database has; an older one lacks some when it is only read
    bool *highest;  // column_has_highest()
    bool rolled_up; // has T_minute and T_hour; in memory the recent past is short
    struct pending pending;
    struct objects last_rows; // what the open transaction has to write to T_last
    // Prepared when there is a row to write: many tables have none on most hosts.
    sqlite3_stmt *insert, *rollup[N_LEVELS], *last; // rollup: minute and hour only
};

// What was written last of a collector's outcome.
struct outcome_memory {
    struct outcome outcome;
    int64_t at_ms; // 0: not yet
};

struct store_window;

struct store {
    sqlite3 *db;
    enum store_mode mode;
    char *path; // NULL in memory
    struct store_table *tables;
    size_t n_tables;
    sqlite3_stmt *queries[N_QUERIES];
    char error[512];

    bool in_transaction;
    int failed; // what went wrong in it: only a rollback helps
    int64_t next_step, begun_at_step;
    int64_t boottime_ms; // of the newest step
    // Steps of one minute that are not rolled up yet.
    struct {
        bool known; // false: to be found in the database
        size_t n;
        int64_t last_step, end_ms, length_ms, gap_ms;
        unsigned flags;
    } pending;
    int64_t newest_minute;           // that was rolled up, once pending.known
    struct outcome_memory *outcomes; // one per table

    // Files beside the database.
    int lock_fd;
    bool damaged; // something said so since it was opened
    dev_t device; // of the database file
    ino_t inode;
    int64_t max_bytes, log_bytes; // as applied; log_bytes: of max_bytes, what the log may take
    int64_t log_frames;           // written since the log was last emptied
    int64_t page_bytes;
    bool starved; // the file system was full

    struct store_window *window;
    bool thrifty;
    void *companion;
    void (*release)(void *companion);
};

// Sets store->error from SQLite's and returns the errno for an SQLite result code.
int store_fail(struct store *store, int rc);
// The same with a text of our own.
int store_fail_text(struct store *store, int error, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// A prepared statement, reset, without bindings. 0 or -errno.
int store_query(struct store *store, enum query query, sqlite3_stmt **ret);
int store_prepare(struct store *store, const char *sql, sqlite3_stmt **ret);
// The same with a generated text, which is freed. NULL: out of memory.
int store_prepare_text(struct store *store, char *sql, sqlite3_stmt **ret);
// Runs a statement that returns no rows, and resets it. 0 or -errno.
int store_run(struct store *store, sqlite3_stmt *statement);
// Runs SQL text: constants of ours, or generated from declarations. NULL: out of memory.
int store_exec(struct store *store, const char *sql);
// The first column of the first row; *ret stays as it is where there is none.
int store_integer(struct store *store, const char *sql, int64_t *ret);
// The first step that counts as "now" for what objects are present. Not sure: so few steps are kept
// that an object may be present without a row in them.
int store_present_step(struct store *store, int64_t *ret_step, bool *ret_sure);

// store_schema.c: makes or extends the schema, or finds out what a database lacks that is only
// read.
int store_schema(struct store *store);

// store_write.c
int store_flush(struct store *store); // T_last of what the open transaction wrote

// store_rollup.c: inside a transaction
int rollup_add(struct store *store, const struct step *step);
int rollup_write(struct store *store);
bool rollup_is_late(const struct store *store);
void rollup_forget(struct store *store); // a rollback took part of it back

// store_cells.c: rows as parameters and as results, from parameter or column `at` on
// Number of the next parameter.
int store_bind_row(sqlite3_stmt *statement, int at, const struct rows *rows, const cell *row);
// The highest of the gauges that have a column for it, of an object in `pending`.
void store_bind_highest(sqlite3_stmt *statement, int at, const struct store_table *t,
        const struct pending *pending, size_t object);
// Number of the next column, or -ENOMEM.
int store_read_row(
        sqlite3_stmt *statement, int at, const struct store_table *t, struct rows *rows, cell *row);
static inline cell store_read_integer(sqlite3_stmt *statement, int at) {
    return sqlite3_column_type(statement, at) == SQLITE_NULL ? CELL_NULL
                                                             : sqlite3_column_int64(statement, at);
}

// store_file.c
int store_file_check(struct store *store);  // is there one that may be read?
int store_file_lock(struct store *store);   // one writer
int store_file_create(struct store *store); // with the right mode, unless it exists
int store_file_remember(struct store *store);
int store_file_unchanged(struct store *store); // -ESTALE
char *store_file_name(const struct store *store, const char *suffix);
void store_file_unlock(struct store *store);
bool store_file_system_full(const struct store *store);
bool store_file_system_has_room(const struct store *store); // for the ballast, and more
void ballast_fill(struct store *store);
bool ballast_release(struct store *store); // whether there was some

// store_room.c: the size limit
int store_limit(struct store *store, int64_t max_bytes);
int64_t store_max_pages(struct store *store);
int store_set_max_pages(struct store *store, int64_t pages);
int store_watch_log(struct store *store);
int store_room(struct store *store); // before a transaction: 0, or -ENOSPC when the log is too long

// window.c
void window_rest(struct store *store); // gives back its statements
void window_free(struct store *store);

static inline void cleanup_statement(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}
#define _cleanup_statement_ _cleanup_(cleanup_statement)
static inline void cleanup_reset(sqlite3_stmt **statement) {
    sqlite3_reset(*statement);
}
#define _cleanup_reset_ _cleanup_(cleanup_reset)
