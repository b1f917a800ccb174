// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite store
//
// Per declared table T: T (one row per object and step), T_minute and T_hour (the same, rolled up;
// gauges also as <name>_max), T_last (absolute values of the newest row). step, step_minute,
// step_hour say when and how long. Beside them: meta (key, value), outcome (table_name, state as
// outcome_name() has it, reason, cost_us, at_ms) and alert. The schema is generated from the
// declarations. A store is used by one thread at a time.
//
// Beside the database PATH stand PATH-wal and PATH-shm (SQLite's log and its index, which must stay
// for readers who may not write), PATH-lock (the writer's process number) and PATH-ballast (space
// to give back when the file system is full).
#pragma once

#include <sqlite3.h>
#include <stdint.h>

#include "core/sample.h"

enum store_mode {
    STORE_READ,   // an existing database, by a reader without write permission
    STORE_WRITE,  // the daemon
    STORE_MEMORY, // live, snapshots, the daemon's recent past: steps only; `path` is ignored
};
#define STORE_SCHEMA 1

struct store;

// Opens, creates, or extends (new tables and columns) the database. On failure *ret_error is a text
// for people (free() it), such as "udpdiag.db: schema 7 is newer than this udpdiag understands
// (1)". 0, -ENOENT (no database), -EACCES, -EPROTONOSUPPORT (newer schema), -EUCLEAN (damaged),
// -EBUSY (another writer), or another -errno.
int store_open(const char *path, enum store_mode mode, const struct table *const *tables,
        size_t n_tables, struct store **ret, char **ret_error);
struct store *store_close(struct store *store); // returns NULL
// Gives back the statements of the store, its window and its companion, which are most of what one
// in memory takes; they are prepared anew when they are needed. Call it outside a transaction.
void store_rest(struct store *store);
// Windows of this store are far apart: what one of them takes is given back as it goes on.
void store_be_thrifty(struct store *store);

// Moves a damaged database out of the way, to PATH.damaged (one is kept), with its log, so that
// store_open() makes a new one; what is readable in it stays there for sqlite3's .recover.
// 0, -EBUSY (a writer has it open), or another -errno.
int store_set_aside(const char *path);

sqlite3 *store_db(struct store *store);
const char *store_error(struct store *store); // text of the last error

// Something of a caller's that lives as long as the connection, such as statements prepared on it:
// store_close() calls `release` with it. A store has one.
void store_set_companion(struct store *store, void *companion, void (*release)(void *companion));
void *store_companion(const struct store *store); // NULL: none

// All below: 0 or -errno. -ENOSPC: the file system or the size limit is full: roll back, call
// store_maintain() and try again; what was committed before stays. -EUCLEAN: damaged, see
// store_set_aside(). -EIO.
//
// Steps belong between begin and commit, a few seconds of them at a time. The commit brings T_last
// up to date; T_minute and T_hour follow when the minute is over, when the store is closed, opened
// again after a crash, or asked to. A single store_write_step() outside makes its own transaction.
int store_begin(struct store *store);
int store_commit(struct store *store);
int store_rollback(struct store *store);
int store_write_step(struct store *store, const struct step *step);
int store_roll_up(struct store *store); // inside a transaction, or in one of its own

// Absolute values of the objects that are there as of the newest look, and when that was;
// *ret_wall_ms is 0 where there is none.
int store_last(struct store *store, size_t table, struct rows *ret_totals);
int store_last_time(struct store *store, int64_t *ret_wall_ms, int64_t *ret_boottime_ms);

int store_set_meta(struct store *store, const char *key, const char *value);
// Copies the value into buffer; 1 where there is none.
int store_get_meta(struct store *store, const char *key, char *buffer, size_t size);

struct retention {
    int64_t steps_s, minutes_s, hours_s; // how long each resolution is kept
    int64_t max_bytes; // database file and write-ahead log together, at least STORE_MIN_BYTES
};
#define RETENTION_DEFAULT ((struct retention){ 86400, 30 * 86400, 365 * 86400, INT64_C(256) << 20 })
#define STORE_MIN_BYTES (INT64_C(4) << 20)

// Deletes what is too old and keeps the size below the limit, the oldest detail first; a bounded
// amount of work per call. Call it outside a transaction, once after opening (it sets the limit),
// then every minute, and after -ENOSPC. `now_ms` is the wall clock. -ESTALE: the file was removed
// or replaced by another; close the store and open it again.
int store_maintain(struct store *store, const struct retention *retention, int64_t now_ms);
