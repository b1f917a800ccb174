// SPDX-License-Identifier: GPL-2.0-or-later
// Store schema
//
// Columns are only ever added, so that an older database keeps its history; STORE_SCHEMA is raised
// when that is not enough.
#include "core/store_private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

// An open alert has no end_ms.
static const char fixed_tables[] =
        "CREATE TABLE IF NOT EXISTS main.meta(key TEXT PRIMARY KEY,value TEXT) WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS main.step(step INTEGER PRIMARY KEY,end_ms INTEGER NOT NULL,"
        "length_ms INTEGER NOT NULL,flags INTEGER NOT NULL);"
        "CREATE INDEX IF NOT EXISTS main.step_end ON step(end_ms);"
        "CREATE TABLE IF NOT EXISTS main.step_minute(step INTEGER PRIMARY KEY,"
        "end_ms INTEGER NOT NULL,length_ms INTEGER NOT NULL,gap_ms INTEGER NOT NULL,"
        "flags INTEGER NOT NULL);"
        "CREATE TABLE IF NOT EXISTS main.step_hour(step INTEGER PRIMARY KEY,"
        "end_ms INTEGER NOT NULL,length_ms INTEGER NOT NULL,gap_ms INTEGER NOT NULL,"
        "flags INTEGER NOT NULL);"
        "CREATE TABLE IF NOT EXISTS main.outcome(table_name TEXT PRIMARY KEY,state TEXT,"
        "reason TEXT,cost_us INTEGER,at_ms INTEGER) WITHOUT ROWID;"
        "CREATE TABLE IF NOT EXISTS main.alert(id INTEGER PRIMARY KEY,cause TEXT,subject TEXT,"
        "severity TEXT,title TEXT,begin_ms INTEGER,last_ms INTEGER,end_ms INTEGER,"
        "reminders INTEGER,lost INTEGER,muted INTEGER,verdict TEXT);";

// FNV-1a over all that the schema depends on.
static uint64_t hash_text(uint64_t hash, const char *text) {
    do
        hash = (hash ^ (unsigned char) *text) * UINT64_C(1099511628211);
    while (*text++);
    return hash;
}

static void fingerprint(const struct store *store, char *buffer, size_t size) {
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t i = 0; i < store->n_tables; i++) {
        const struct table *table = store->tables[i].table;
        hash = hash_text(hash, table->name);
        for (size_t c = 0; c < table->n_columns; c++) {
            hash = hash_text(hash, table->columns[c].name);
            hash = (hash ^ (unsigned) table->columns[c].kind) * UINT64_C(1099511628211);
        }
    }
    snprintf(buffer, size, "%016" PRIx64, hash);
}

// What one stored table has. A column of the declaration is looked up by its name.
struct found {
    bool *columns, *highest; // as wide as the declaration
    size_t n_keys, n_known_keys, n;
};

static void note_column(
        const struct table *table, const char *name, bool key, struct found *found) {
    found->n++;
    found->n_keys += key && strcmp(name, "step") != 0;
    int column = table_column(table, name);
    if (column >= 0) {
        found->columns[column] = true;
        found->n_known_keys += key && (size_t) column < table->n_keys;
    }
    size_t length = strlen(name);
    for (size_t i = 0; length > 4 && i < table->n_columns; i++)
        if (strncmp(table->columns[i].name, name, length - 4) == 0 &&
                table->columns[i].name[length - 4] == '\0' &&
                strcmp(name + length - 4, "_max") == 0)
            found->highest[i] = true;
}

static int look_up(
        struct store *store, const struct table *table, const char *suffix, struct found *found) {
    _cleanup_statement_ sqlite3_stmt *info = NULL;
    int r = store_prepare(store, "SELECT name,pk FROM pragma_table_info(? || ?,'main')", &info);
    if (r < 0)
        return r;
    sqlite3_bind_text(info, 1, table->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(info, 2, suffix, -1, SQLITE_STATIC);
    int rc;
    while ((rc = sqlite3_step(info)) == SQLITE_ROW)
        note_column(table, (const char *) sqlite3_column_text(info, 0),
                sqlite3_column_int(info, 1) > 0, found);
    if (rc != SQLITE_DONE)
        return store_fail(store, rc);
    if (found->n > 0 && (found->n_keys != table->n_keys || found->n_known_keys != table->n_keys))
        return store_fail_text(store, -EPROTONOSUPPORT,
                "table %s%s has other keys than this udpdiag understands", table->name, suffix);
    return 0;
}

static int add_column(struct store *store, const struct table *table, const char *suffix, size_t i,
        bool highest) {
    _cleanup_free_ char *sql = sql_add_column(table, suffix, i, highest);
    return store_exec(store, sql);
}

static int extend_variant(
        struct store *store, struct store_table *t, const char *suffix, bool rollup) {
    const struct table *table = t->table;
    _cleanup_free_ bool *columns = calloc(table->n_columns, sizeof(bool));
    _cleanup_free_ bool *highest = calloc(table->n_columns, sizeof(bool));
    if (!columns || !highest)
        return -ENOMEM;
    struct found found = { .columns = columns, .highest = highest };
    int r = look_up(store, table, suffix, &found);
    for (size_t i = table->n_keys; r >= 0 && i < table->n_columns; i++) {
        if (!columns[i])
            r = add_column(store, table, suffix, i, false);
        if (r >= 0 && rollup && t->highest[i] && !highest[i])
            r = add_column(store, table, suffix, i, true);
    }
    return r;
}

// In an empty database all tables are as declared.
static int extend_table(struct store *store, struct store_table *t, bool empty) {
    size_t n_levels = t->rolled_up ? N_LEVELS : 1;
    int r = 0;
    for (enum level level = LEVEL_STEP; r >= 0 && level < n_levels; level++) {
        _cleanup_free_ char *create = sql_create(t->table, level);
        r = store_exec(store, create);
        if (r >= 0 && !empty)
            r = extend_variant(store, t, levels[level].suffix, level != LEVEL_STEP);
    }
    _cleanup_free_ char *create = sql_create_last(t->table);
    if (r >= 0)
        r = store_exec(store, create);
    return r < 0 || empty ? r : extend_variant(store, t, "_last", false);
}

static int extend(struct store *store, const char *declared, bool empty) {
    char mark[128];
    snprintf(mark, sizeof(mark), "PRAGMA main.application_id=%d;PRAGMA main.user_version=%d",
            STORE_APPLICATION_ID, STORE_SCHEMA);
    int r = store_exec(store, "BEGIN IMMEDIATE");
    if (r < 0)
        return r;
    r = store_exec(store, fixed_tables);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = extend_table(store, &store->tables[i], empty);
    if (r >= 0)
        r = store_exec(store, mark);
    if (r >= 0 && empty)
        r = store_set_meta(store, META_ROLLED_STEP, "0");
    if (r >= 0)
        r = store_set_meta(store, "declared", declared);
    if (r >= 0)
        return store_exec(store, "COMMIT");
    sqlite3_exec(store->db, "ROLLBACK", NULL, NULL, NULL);
    return r;
}

// A database of an older daemon that is only read: what it lacks reads as NULL.
static int find_present(struct store *store, struct store_table *t) {
    size_t n = t->table->n_columns;
    _cleanup_free_ bool *highest = calloc(n, sizeof(bool));
    _cleanup_free_ bool *unused = calloc(n, sizeof(bool));
    if (!highest || !unused)
        return -ENOMEM;
    struct found steps = { .columns = t->present, .highest = unused };
    struct found minutes = { .columns = unused, .highest = highest };
    int r = look_up(store, t->table, levels[LEVEL_STEP].suffix, &steps);
    if (r >= 0)
        r = look_up(store, t->table, levels[LEVEL_MINUTE].suffix, &minutes);
    for (size_t i = 0; i < n; i++)
        t->present[i] &= !t->highest[i] || highest[i];
    return r;
}

// Ours has a table meta from its first commit on.
static int check_whole(struct store *store) {
    int64_t n = 0;
    int r = store_integer(store,
            "SELECT count(*) FROM main.sqlite_schema WHERE type='table' AND name='meta'", &n);
    if (r < 0 || n > 0)
        return r;
    store->damaged = true;
    return store_fail_text(store, -EUCLEAN, "the database is damaged (it has no table meta)");
}

static int check_version(struct store *store, bool *ret_new) {
    int64_t application = 0, version = 0, n = 0;
    int r = store_integer(store, "PRAGMA main.application_id", &application);
    if (r >= 0)
        r = store_integer(store, "PRAGMA main.user_version", &version);
    if (r >= 0)
        r = store_integer(store, "SELECT count(*) FROM main.sqlite_schema", &n);
    if (r < 0)
        return r;
    *ret_new = n == 0;
    if (n == 0)
        return 0;
    if (application != STORE_APPLICATION_ID)
        return store_fail_text(store, -EINVAL, "this is the database of another program");
    if (version > STORE_SCHEMA)
        return store_fail_text(store, -EPROTONOSUPPORT,
                "schema %" PRId64 " is newer than this udpdiag understands (%d)", version,
                STORE_SCHEMA);
    return check_whole(store);
}

int store_schema(struct store *store) {
    bool empty = false;
    int r = check_version(store, &empty);
    if (r < 0)
        return r;
    if (empty && store->mode == STORE_READ)
        return store_fail_text(store, -ENOENT, "nothing is stored in it yet");
    char declared[32], stored[32] = "";
    fingerprint(store, declared, sizeof(declared));
    r = empty ? 1 : store_get_meta(store, "declared", stored, sizeof(stored));
    if (r < 0)
        return r;
    bool same = r == 0 && strcmp(stored, declared) == 0;
    if (!same && store->mode != STORE_READ) {
        r = extend(store, declared, empty);
        same = r >= 0;
    }
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++) {
        if (!same)
            r = find_present(store, &store->tables[i]);
        for (size_t c = 0; same && c < store->tables[i].table->n_columns; c++)
            store->tables[i].present[c] = true;
    }
    return r < 0 ? r : 0;
}
