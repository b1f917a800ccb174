// SPDX-License-Identifier: GPL-2.0-or-later
// Store rollup
//
// T_minute and T_hour are written when a minute is over, or when they are asked for. What is
// pending until then stands in T alone: after a crash or a rollback it is added up again from
// there.
#include "core/store_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

static int write_rows(struct store *store, struct store_table *t, enum level level) {
    const struct rows *sums = &t->pending.sums.rows;
    sqlite3_stmt **rollup = &t->rollup[level];
    int r = *rollup || sums->n == 0
                    ? 0
                    : store_prepare_text(store, sql_rollup(t->table, level), rollup);
    for (size_t i = 0; r >= 0 && i < sums->n; i++) {
        sqlite3_bind_int64(*rollup, 1, level_step_at(level, store->pending.end_ms));
        int at = store_bind_row(*rollup, 2, sums, rows_at(sums, i));
        store_bind_highest(*rollup, at, t, &t->pending, i);
        r = store_run(store, *rollup);
    }
    return r;
}

static int write_table(struct store *store, struct store_table *t) {
    int r = write_rows(store, t, LEVEL_MINUTE);
    return r < 0 ? r : write_rows(store, t, LEVEL_HOUR);
}

static int write_step(struct store *store, enum level level, enum query query) {
    sqlite3_stmt *statement;
    int r = store_query(store, query, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_int64(statement, 1, level_step_at(level, store->pending.end_ms));
    sqlite3_bind_int64(statement, 2, store->pending.end_ms);
    sqlite3_bind_int64(statement, 3, store->pending.length_ms);
    sqlite3_bind_int64(statement, 4, store->pending.gap_ms);
    sqlite3_bind_int64(statement, 5, store->pending.flags);
    return store_run(store, statement);
}

static int write_rolled_step(struct store *store, int64_t step) {
    char value[32];
    snprintf(value, sizeof(value), "%" PRId64, step);
    return store_set_meta(store, META_ROLLED_STEP, value);
}

static int64_t minute_of(int64_t end_ms) {
    return level_step_at(LEVEL_MINUTE, end_ms);
}

void rollup_forget(struct store *store) {
    for (size_t i = 0; store->tables && i < store->n_tables; i++)
        if (store->tables[i].table)
            pending_clear(&store->tables[i].pending);
    store->pending.n = 0;
    store->pending.known = false;
}

int rollup_write(struct store *store) {
    if (store->pending.n == 0)
        return 0;
    int r = write_step(store, LEVEL_MINUTE, QUERY_STEP_MINUTE);
    if (r >= 0)
        r = write_step(store, LEVEL_HOUR, QUERY_STEP_HOUR);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = write_table(store, &store->tables[i]);
    if (r >= 0)
        r = write_rolled_step(store, store->pending.last_step);
    if (r < 0)
        return r;
    if (store->newest_minute < minute_of(store->pending.end_ms))
        store->newest_minute = minute_of(store->pending.end_ms);
    rollup_forget(store);
    store->pending.known = true;
    return 0;
}

// A step without its rows.
static int begin_step(
        struct store *store, int64_t step, int64_t end_ms, int64_t length_ms, unsigned flags) {
    int r = 0;
    if (store->pending.n > 0 && minute_of(store->pending.end_ms) != minute_of(end_ms))
        r = rollup_write(store);
    if (r < 0)
        return r;
    if (store->pending.n++ == 0)
        store->pending.length_ms = store->pending.gap_ms = store->pending.flags = 0;
    store->pending.last_step = step;
    store->pending.end_ms = end_ms;
    store->pending.length_ms += length_ms;
    store->pending.gap_ms += flags & STEP_GAP ? length_ms : 0;
    store->pending.flags |= flags;
    return 0;
}

static char *select_rows(const struct table *table) {
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return NULL;
    fputs("SELECT ", out);
    sql_columns(out, table, table->n_columns, "");
    fprintf(out, " FROM main.\"%s\" WHERE step=?", table->name);
    fclose(out);
    return text;
}

static int read_rows(struct store *store, struct store_table *t, int64_t step, struct rows *rows) {
    _cleanup_statement_ sqlite3_stmt *statement = NULL;
    int r = store_prepare_text(store, select_rows(t->table), &statement);
    if (r < 0)
        return r;
    sqlite3_bind_int64(statement, 1, step);
    int rc;
    while ((rc = sqlite3_step(statement)) == SQLITE_ROW) {
        cell *row = rows_add(rows);
        r = row ? store_read_row(statement, 0, t, rows, row) : -ENOMEM;
        if (r < 0)
            return r;
    }
    return rc == SQLITE_DONE ? pending_add(&t->pending, rows) : store_fail(store, rc);
}

static int read_step(struct store *store, int64_t step) {
    int r = 0;
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++) {
        struct rows rows;
        rows_init(&rows, store->tables[i].table);
        r = read_rows(store, &store->tables[i], step, &rows);
        rows_done(&rows);
    }
    return r;
}

static int read_steps(struct store *store, int64_t rolled) {
    _cleanup_statement_ sqlite3_stmt *steps = NULL;
    int r = store_prepare(store,
            "SELECT step,end_ms,length_ms,flags FROM main.step WHERE step>? ORDER BY step", &steps);
    if (r < 0)
        return r;
    sqlite3_bind_int64(steps, 1, rolled);
    int rc;
    while ((rc = sqlite3_step(steps)) == SQLITE_ROW) {
        int64_t step = sqlite3_column_int64(steps, 0), end_ms = sqlite3_column_int64(steps, 1);
        if (minute_of(end_ms) < store->newest_minute)
            continue;
        r = begin_step(store, step, end_ms, sqlite3_column_int64(steps, 2),
                (unsigned) sqlite3_column_int64(steps, 3));
        if (r >= 0)
            r = read_step(store, step);
        if (r < 0)
            return r;
    }
    return rc == SQLITE_DONE ? 0 : store_fail(store, rc);
}

// What earlier commits left to be rolled up. Where nothing says how far they came, it is nothing:
// an older udpdiagd rolled up with each commit.
static int recall(struct store *store) {
    char value[32] = "";
    store->newest_minute = INT64_MIN;
    rollup_forget(store);
    int r = store_integer(store, "SELECT max(step) FROM main.step_minute", &store->newest_minute);
    if (r >= 0)
        r = store_get_meta(store, META_ROLLED_STEP, value, sizeof(value));
    if (r == 0)
        r = read_steps(store, strtoll(value, NULL, 10));
    store->pending.known = r >= 0;
    return r < 0 ? r : 0;
}

int rollup_add(struct store *store, const struct step *step) {
    int r = store->pending.known ? 0 : recall(store);
    if (r >= 0)
        r = begin_step(store, store->next_step, step->end_ms, step->length_ms, step->flags);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = pending_add(&store->tables[i].pending, &step->growth[i]);
    return r;
}

// Minutes before the newest one are taken for whole: after the clock was set back they do not wait.
bool rollup_is_late(const struct store *store) {
    return store->pending.n > 0 && minute_of(store->pending.end_ms) < store->newest_minute;
}

static int roll_up_here(struct store *store) {
    int r = store->failed;
    if (r == 0 && store->pending.known)
        store->failed = r = rollup_write(store);
    return r;
}

int store_roll_up(struct store *store) {
    if (store->in_transaction)
        return roll_up_here(store);
    int r = store_begin(store);
    if (r < 0)
        return r;
    if (!store->pending.known)
        r = recall(store);
    if (r >= 0)
        r = rollup_write(store);
    if (r >= 0)
        return store_commit(store);
    store_rollback(store);
    return r;
}
