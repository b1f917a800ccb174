// SPDX-License-Identifier: GPL-2.0-or-later
// SQLite store
#include "core/store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int prepare_open(
        struct store *store, const char *path, const struct table *const *tables, size_t n_tables) {
    store->lock_fd = -1;
    store->n_tables = n_tables;
    store->tables = calloc(n_tables ? n_tables : 1, sizeof(*store->tables));
    store->outcomes = calloc(n_tables ? n_tables : 1, sizeof(*store->outcomes));
    if (store->mode != STORE_MEMORY)
        store->path = strdup(path);
    if (!store->tables || !store->outcomes || (store->mode != STORE_MEMORY && !store->path))
        return -ENOMEM;
    for (size_t i = 0; i < n_tables; i++) {
        struct store_table *t = &store->tables[i];
        t->table = tables[i];
        t->rolled_up = store->mode != STORE_MEMORY;
        t->present = calloc(t->table->n_columns, sizeof(*t->present));
        t->highest = calloc(t->table->n_columns, sizeof(*t->highest));
        if (!t->present || !t->highest)
            return -ENOMEM;
        for (size_t c = 0; c < t->table->n_columns; c++)
            t->highest[c] = column_has_highest(t->table, c);
        pending_init(&t->pending, t->table);
        objects_init(&t->last_rows, t->table);
    }
    return 0;
}

static int connect_to(struct store *store, const char *name, int flags) {
    sqlite3_close(store->db);
    store->db = NULL;
    int rc = sqlite3_open_v2(name, &store->db, flags | SQLITE_OPEN_NOMUTEX, NULL);
    if (rc != SQLITE_OK)
        return store_fail(store, rc);
    sqlite3_extended_result_codes(store->db, 1);
    sqlite3_busy_timeout(store->db, STORE_BUSY_TIMEOUT_MS);
    // A name that no table has is an error, not a piece of text.
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DQS_DDL, 0, NULL);
    // The database may come from someone else: it must not bring code.
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
    sqlite3_db_config(store->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
    if (store->mode == STORE_READ)
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    // Without it the last one to close removes the log and its index, and then a reader who may
    // not create files cannot open the database.
    int keep = 1;
    if (store->mode != STORE_MEMORY)
        sqlite3_file_control(store->db, "main", SQLITE_FCNTL_PERSIST_WAL, &keep);
    // Built-in defaults differ: what is deleted here needs no overwriting.
    return store_exec(store, "PRAGMA temp_store=MEMORY;PRAGMA secure_delete=OFF");
}

// A database whose log is gone (sqlite3 removes it when root looked in last) can be read by those
// who may not create one, as something that does not change: nobody writes without a log.
static int connect_immutable(struct store *store, int before) {
    _cleanup_free_ char *log = store_file_name(store, "-wal");
    if (!log)
        return -ENOMEM;
    if (access(log, F_OK) == 0 || errno != ENOENT)
        return before;
    // A URI: the path's own special characters are written as %XX.
    _cleanup_free_ char *uri = malloc(3 * strlen(store->path) + 32);
    if (!uri)
        return -ENOMEM;
    char *p = stpcpy(uri, "file:");
    for (const char *c = store->path; *c; c++)
        p += strchr("%?#", *c) ? sprintf(p, "%%%02X", (unsigned) *c) : sprintf(p, "%c", *c);
    strcpy(p, "?immutable=1");
    return connect_to(store, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

static int open_reader(struct store *store) {
    int r = store_file_check(store);
    if (r < 0)
        return r;
    r = connect_to(store, store->path, SQLITE_OPEN_READONLY);
    int64_t version = 0;
    if (r == 0)
        r = store_integer(store, "PRAGMA main.user_version", &version);
    if (r == -EACCES || r == -ENOENT || r == -EROFS)
        r = connect_immutable(store, r);
    return r < 0 ? r : store_exec(store, "PRAGMA cache_size=-8000");
}

// auto_vacuum lets a limit that was lowered shrink the file; it must be set before the first table
// is made. synchronous=NORMAL: a crash of the program loses nothing that was committed, a power cut
// loses what came after the last checkpoint, and nothing is ever torn.
static int open_writer(struct store *store) {
    int r = store_file_lock(store);
    if (r >= 0)
        r = store_file_create(store);
    if (r >= 0)
        r = connect_to(store, store->path, SQLITE_OPEN_READWRITE);
    if (r >= 0)
        r = store_exec(store, "PRAGMA main.auto_vacuum=INCREMENTAL;"
                              "PRAGMA main.journal_mode=WAL;"
                              "PRAGMA main.synchronous=NORMAL;"
                              "PRAGMA main.cache_size=-384");
    return r < 0 ? r : store_file_remember(store);
}

static int open_memory(struct store *store) {
    int r = connect_to(store, ":memory:", SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    // Most of its many tables have a few rows.
    return r < 0 ? r
                 : store_exec(store, "PRAGMA main.page_size=1024;PRAGMA temp.page_size=1024;"
                                     "PRAGMA journal_mode=MEMORY");
}

static int open_once(struct store *store) {
    static int (*const open_as[])(struct store *) = {
        [STORE_READ] = open_reader,
        [STORE_WRITE] = open_writer,
        [STORE_MEMORY] = open_memory,
    };
    int r = open_as[store->mode](store);
    if (r >= 0)
        r = store_schema(store);
    int64_t last = 0;
    store->page_bytes = 4096;
    if (r >= 0)
        r = store_integer(store, "PRAGMA main.page_size", &store->page_bytes);
    if (r >= 0 && store->mode != STORE_READ)
        r = store_integer(store, "SELECT max(step) FROM main.step", &last);
    store->next_step = last + 1;
    if (r >= 0 && store->mode == STORE_WRITE)
        r = store_watch_log(store);
    if (r < 0 || store->mode != STORE_WRITE)
        return r;
    // It opens also where nothing can be written: what waits is rolled up later.
    r = store_roll_up(store);
    return r == -ENOSPC ? 0 : r;
}

int store_open(const char *path, enum store_mode mode, const struct table *const *tables,
        size_t n_tables, struct store **ret, char **ret_error) {
    struct store *store = calloc(1, sizeof(*store));
    if (!store)
        return -ENOMEM;
    store->mode = mode;
    int r = prepare_open(store, path, tables, n_tables);
    if (r >= 0)
        r = open_once(store);
    // The log's index cannot be made on a file system that is full to the last block.
    if (r == -ENOSPC && mode == STORE_WRITE && ballast_release(store))
        r = open_once(store);
    if (r < 0) {
        if (ret_error)
            *ret_error = strdup(store->error[0] ? store->error : strerror(-r));
        store_close(store);
        return r;
    }
    if (mode == STORE_WRITE)
        ballast_fill(store);
    *ret = store;
    return 0;
}

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
    *statement = NULL;
}

static void table_rest(struct store_table *t) {
    finalize(&t->insert);
    finalize(&t->last);
    for (size_t level = 0; level < N_LEVELS; level++)
        finalize(&t->rollup[level]);
}

void store_rest(struct store *store) {
    if (store->companion)
        store->release(store->companion);
    store->companion = NULL;
    window_rest(store);
    for (size_t i = 0; i < store->n_tables; i++)
        table_rest(&store->tables[i]);
    for (size_t i = 0; i < N_QUERIES; i++)
        finalize(&store->queries[i]);
}

void store_be_thrifty(struct store *store) {
    store->thrifty = true;
}

static void table_done(struct store_table *t) {
    table_rest(t);
    pending_done(&t->pending);
    objects_done(&t->last_rows);
    free(t->present);
    free(t->highest);
}

struct store *store_close(struct store *store) {
    if (!store)
        return NULL;
    store_rollback(store);
    if (store->mode == STORE_WRITE && store->pending.n > 0)
        (void) store_roll_up(store); // else when it is opened next
    if (store->companion)
        store->release(store->companion);
    window_free(store);
    for (size_t i = 0; store->tables && i < store->n_tables; i++)
        if (store->tables[i].table)
            table_done(&store->tables[i]);
    for (size_t i = 0; i < N_QUERIES; i++)
        sqlite3_finalize(store->queries[i]);
    sqlite3_close(store->db);
    // SQLite's locks belong to the process: ours goes last.
    store_file_unlock(store);
    free(store->tables);
    free(store->outcomes);
    free(store->path);
    free(store);
    return NULL;
}

void store_set_companion(struct store *store, void *companion, void (*release)(void *companion)) {
    store->companion = companion;
    store->release = release;
}

void *store_companion(const struct store *store) {
    return store->companion;
}

sqlite3 *store_db(struct store *store) {
    return store->db;
}

const char *store_error(struct store *store) {
    return store->error;
}
