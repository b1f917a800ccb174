// SPDX-License-Identifier: GPL-2.0-or-later
// Store fixture
#include "fixture.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct column flow_columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "namespace", NULL },
    { "inode", COLUMN_IDENTITY, "", "inode", NULL },
    { "lost", COLUMN_COUNTER, "datagrams", "lost", NULL },
    { "drop", COLUMN_COUNTER, "packets", "a name that SQL has a meaning for", NULL },
    { "level", COLUMN_GAUGE, "bytes", "level", NULL },
    { "state", COLUMN_TEXT, "", "state", NULL },
};
const struct table flow_table = { "flow", "flows", "namespace", "nowhere", flow_columns, 6, 1 };

static const struct column part_columns[] = {
    { "name", COLUMN_KEY_TEXT, "", "name", NULL },
    { "number", COLUMN_KEY_INTEGER, "", "number", NULL },
    { "count", COLUMN_COUNTER, "events", "count", NULL },
};
const struct table part_table = { "part", "parts", "part", "nowhere", part_columns, 3, 2 };

const struct table *const both_tables[2] = { &flow_table, &part_table };

void fixture_make(struct fixture *fixture) {
    strcpy(fixture->folder, "/tmp/udpdiag-store-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(fixture->folder));
    snprintf(fixture->path, sizeof(fixture->path), "%s/t.db", fixture->folder);
}

void fixture_remove(struct fixture *fixture) {
    static const char *const suffixes[] = { "", "-wal", "-shm", "-lock", "-ballast", ".damaged",
        ".damaged-wal", ".damaged-shm", ".sql" };
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        char path[160];
        snprintf(path, sizeof(path), "%s%s", fixture->path, suffixes[i]);
        unlink(path);
    }
    ck_assert_msg(rmdir(fixture->folder) == 0, "%s is not empty", fixture->folder);
}

struct store *open_tables(
        const char *path, enum store_mode mode, const struct table *const *tables, size_t n) {
    struct store *store = NULL;
    char *error = NULL;
    int r = store_open(path, mode, tables, n, &store, &error);
    ck_assert_msg(r == 0, "store_open: %d %s", r, error);
    return store;
}

struct store *open_store(const char *path, enum store_mode mode) {
    return open_tables(path, mode, both_tables, 2);
}

static cell text(struct rows *rows, const char *word) {
    return word ? rows_put_text(rows, word, strlen(word)) : CELL_NULL;
}

static void put_flow(
        struct rows *rows, const char *netns, cell lost, cell drop, cell level, const char *state) {
    cell *row = rows_add(rows);
    row[0] = text(rows, netns);
    row[1] = 4026531840;
    row[2] = lost;
    row[3] = drop;
    row[4] = level;
    row[5] = text(rows, state);
}

void add_flow(
        struct step *step, const char *netns, cell lost, cell drop, cell level, const char *state) {
    put_flow(&step->growth[FLOW], netns, lost, drop, level, state);
    put_flow(&step->total[FLOW], netns, 1000, 2000, level, state);
}

void add_part(struct step *step, const char *name, cell number, cell count) {
    for (int i = 0; i < 2; i++) {
        struct rows *rows = i ? &step->total[PART] : &step->growth[PART];
        cell *row = rows_add(rows);
        row[0] = text(rows, name);
        row[1] = number;
        row[2] = i ? 5000 : count;
    }
}

struct step *new_step(int64_t end_ms, int64_t length_ms) {
    struct step *step = step_new(both_tables, 2);
    ck_assert_ptr_nonnull(step);
    step->end_ms = end_ms;
    step->length_ms = length_ms;
    step->boottime_ms = end_ms - HOUR_MS + 7200000;
    for (size_t i = 0; i < 2; i++)
        step->outcome[i].state = OUTCOME_OK;
    return step;
}

void write_step(struct store *store, const struct step *step) {
    int r = store_write_step(store, step);
    ck_assert_msg(r == 0, "store_write_step: %d %s", r, store_error(store));
}

void write_seconds(struct store *store, int64_t after_ms, int n) {
    for (int i = 1; i <= n; i++) {
        if (i % 5 == 1)
            ck_assert_int_eq(store_begin(store), 0);
        struct step *step = new_step(after_ms + i * 1000, 1000);
        add_flow(step, "host", 1, 0, i, "up");
        write_step(store, step);
        step_free(step);
        if (i == n)
            ck_assert_int_eq(store_roll_up(store), 0);
        if (i % 5 == 0 || i == n)
            ck_assert_int_eq(store_commit(store), 0);
    }
}

const char *ask(sqlite3 *db, const char *sql) {
    static char answer[4096];
    sqlite3_stmt *statement = NULL;
    int rc = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    ck_assert_msg(rc == SQLITE_OK, "%s: %s", sql, sqlite3_errmsg(db));
    size_t length = 0;
    answer[0] = '\0';
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const char *value = (const char *) sqlite3_column_text(statement, i);
            length += (size_t) snprintf(answer + length, sizeof(answer) - length, "%s%s",
                    i        ? "|"
                    : length ? "\n"
                             : "",
                    value ? value : "NULL");
            ck_assert_uint_lt(length, sizeof(answer));
        }
    }
    ck_assert_msg(rc == SQLITE_DONE, "%s: %s", sql, sqlite3_errmsg(db));
    sqlite3_finalize(statement);
    return answer;
}

void expect(struct store *store, const char *sql, const char *rows) {
    const char *answer = ask(store_db(store), sql);
    ck_assert_msg(strcmp(answer, rows) == 0, "%s\n  gives %s\n  not   %s", sql, answer, rows);
}
