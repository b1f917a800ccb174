// SPDX-License-Identifier: GPL-2.0-or-later
// Store queries
#include "core/store_private.h"

#include <errno.h>
#include <stdarg.h>
#include <string.h>

static const char *const texts[N_QUERIES] = {
    [QUERY_BEGIN] = "BEGIN IMMEDIATE",
    [QUERY_COMMIT] = "COMMIT",
    [QUERY_ROLLBACK] = "ROLLBACK",
    [QUERY_STEP] = "INSERT INTO main.step(step,end_ms,length_ms,flags) VALUES(?,?,?,?)",
#define ROLLUP(table)                                                                              \
    "INSERT INTO main." table "(step,end_ms,length_ms,gap_ms,flags) VALUES(?,?,?,?,?)"             \
    " ON CONFLICT DO UPDATE SET end_ms=max(end_ms,excluded.end_ms),"                               \
    "length_ms=length_ms+excluded.length_ms,gap_ms=gap_ms+excluded.gap_ms,"                        \
    "flags=flags|excluded.flags"
    [QUERY_STEP_MINUTE] = ROLLUP("step_minute"),
    [QUERY_STEP_HOUR] = ROLLUP("step_hour"),
#undef ROLLUP
    [QUERY_OUTCOME] = "INSERT OR REPLACE INTO main.outcome(table_name,state,reason,cost_us,at_ms)"
                      " VALUES(?,?,?,?,?)",
    [QUERY_SET_META] = "INSERT OR REPLACE INTO main.meta(key,value) VALUES(?,?)",
    [QUERY_GET_META] = "SELECT value FROM main.meta WHERE key=?",
    [QUERY_ALERT_INSERT] = "INSERT INTO main.alert(cause,subject,severity,title,begin_ms,last_ms,"
                           "end_ms,reminders,lost,muted,verdict) VALUES(?,?,?,?,?,?,?,?,?,?,?)",
    [QUERY_ALERT_UPDATE] = "UPDATE main.alert SET cause=?1,subject=?2,severity=?3,title=?4,"
                           "begin_ms=?5,last_ms=?6,end_ms=?7,reminders=?8,lost=?9,muted=?10,"
                           "verdict=?11 WHERE id=?12",
};

static int system_error(int error) {
    return error == ENOSPC || error == EDQUOT ? -ENOSPC : -EIO;
}

static int errno_of(struct store *store, int rc) {
    switch (rc & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return 0;
    case SQLITE_FULL:
        return -ENOSPC;
    case SQLITE_IOERR:
        return system_error(store->db ? sqlite3_system_errno(store->db) : EIO);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return -EUCLEAN;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return -EBUSY;
    case SQLITE_NOMEM:
        return -ENOMEM;
    case SQLITE_READONLY:
        return rc == SQLITE_READONLY_DBMOVED ? -ESTALE : -EROFS;
    case SQLITE_CANTOPEN:
        return sqlite3_system_errno(store->db) == ENOENT ? -ENOENT : -EACCES;
    case SQLITE_PERM:
    case SQLITE_AUTH:
        return -EACCES;
    case SQLITE_INTERRUPT:
        return -EINTR;
    default:
        return -EINVAL;
    }
}

int store_fail_text(struct store *store, int error, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int n = snprintf(store->error, sizeof(store->error),
            "%s: ", store->path ? store->path : "database in memory");
    if (n > 0 && (size_t) n < sizeof(store->error))
        vsnprintf(store->error + n, sizeof(store->error) - (size_t) n, format, arguments);
    va_end(arguments);
    return error;
}

int store_fail(struct store *store, int rc) {
    int r = errno_of(store, rc);
    if (r == 0)
        return 0;
    const char *text = store->db ? sqlite3_errmsg(store->db) : sqlite3_errstr(rc);
    store->damaged |= r == -EUCLEAN;
    if (r == -EUCLEAN)
        return store_fail_text(store, r, "the database is damaged (%s)", text);
    if (r == -ENOSPC && !store_file_system_full(store))
        return store_fail_text(store, r, "the database has reached its size limit");
    if (r == -ENOSPC) {
        store->starved = true;
        return store_fail_text(store, r, "the file system is full");
    }
    return store_fail_text(store, r, "%s", text);
}

int store_prepare(struct store *store, const char *sql, sqlite3_stmt **ret) {
    if (!sql)
        return -ENOMEM;
    int rc = sqlite3_prepare_v3(store->db, sql, -1, SQLITE_PREPARE_PERSISTENT, ret, NULL);
    return store_fail(store, rc);
}

int store_prepare_text(struct store *store, char *sql, sqlite3_stmt **ret) {
    _cleanup_free_ char *text = sql;
    return store_prepare(store, text, ret);
}

int store_query(struct store *store, enum query query, sqlite3_stmt **ret) {
    sqlite3_stmt **statement = &store->queries[query];
    if (!*statement) {
        int r = store_prepare(store, texts[query], statement);
        if (r < 0)
            return r;
    }
    *ret = *statement;
    return 0;
}

int store_run(struct store *store, sqlite3_stmt *statement) {
    int rc = sqlite3_step(statement);
    int r = rc == SQLITE_DONE || rc == SQLITE_ROW ? 0 : store_fail(store, rc);
    sqlite3_reset(statement);
    return r;
}

int store_exec(struct store *store, const char *sql) {
    if (!sql)
        return -ENOMEM;
    return store_fail(store, sqlite3_exec(store->db, sql, NULL, NULL, NULL));
}

int store_integer(struct store *store, const char *sql, int64_t *ret) {
    _cleanup_statement_ sqlite3_stmt *statement = NULL;
    int r = store_prepare(store, sql, &statement);
    if (r < 0)
        return r;
    int rc = sqlite3_step(statement);
    if (rc == SQLITE_ROW && sqlite3_column_type(statement, 0) != SQLITE_NULL)
        *ret = sqlite3_column_int64(statement, 0);
    return rc == SQLITE_ROW || rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}

static int run_simple(struct store *store, enum query query) {
    sqlite3_stmt *statement;
    int r = store_query(store, query, &statement);
    return r < 0 ? r : store_run(store, statement);
}

static void forget_last(struct store *store) {
    for (size_t i = 0; store->tables && i < store->n_tables; i++)
        if (store->tables[i].table)
            objects_clear(&store->tables[i].last_rows);
}

int store_begin(struct store *store) {
    if (store->mode == STORE_READ)
        return store_fail_text(store, -EROFS, "opened for reading only");
    int r = store_room(store);
    if (r >= 0)
        r = run_simple(store, QUERY_BEGIN);
    if (r < 0)
        return r;
    forget_last(store);
    store->in_transaction = true;
    store->failed = 0;
    store->begun_at_step = store->next_step;
    return 0;
}

int store_rollback(struct store *store) {
    if (!store->in_transaction)
        return 0;
    // Some errors have ended the transaction already.
    if (!sqlite3_get_autocommit(store->db))
        run_simple(store, QUERY_ROLLBACK);
    store->in_transaction = false;
    store->next_step = store->begun_at_step;
    forget_last(store);
    rollup_forget(store);
    for (size_t i = 0; i < store->n_tables; i++)
        store->outcomes[i].at_ms = 0;
    return 0;
}

int store_commit(struct store *store) {
    int r = store->failed ? store->failed : store_flush(store);
    if (r >= 0)
        r = run_simple(store, QUERY_COMMIT);
    if (r < 0)
        store_rollback(store);
    else
        store->in_transaction = false;
    return r;
}

int store_set_meta(struct store *store, const char *key, const char *value) {
    sqlite3_stmt *statement;
    int r = store_query(store, QUERY_SET_META, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, value, -1, SQLITE_STATIC);
    return store_run(store, statement);
}

int store_get_meta(struct store *store, const char *key, char *buffer, size_t size) {
    _cleanup_reset_ sqlite3_stmt *statement = NULL;
    int r = store_query(store, QUERY_GET_META, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_text(statement, 1, key, -1, SQLITE_STATIC);
    int rc = sqlite3_step(statement);
    if (rc == SQLITE_DONE)
        return 1;
    if (rc != SQLITE_ROW)
        return store_fail(store, rc);
    const char *value = (const char *) sqlite3_column_text(statement, 0);
    snprintf(buffer, size, "%s", value ? value : "");
    return 0;
}
