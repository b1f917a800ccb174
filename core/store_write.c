// SPDX-License-Identifier: GPL-2.0-or-later
// Store writing
#include "core/store_private.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

static int bind_step(
        sqlite3_stmt *statement, int64_t step, const struct rows *rows, const cell *row) {
    sqlite3_bind_int64(statement, 1, step);
    return store_bind_row(statement, 2, rows, row);
}

static int prepare_once(struct store *store, sqlite3_stmt **statement, char *sql) {
    _cleanup_free_ char *text = sql;
    return *statement ? 0 : store_prepare(store, text, statement);
}

static int prepare_table(struct store *store, struct store_table *t) {
    if (t->last)
        return 0;
    int r = prepare_once(store, &t->insert, sql_insert(t->table));
    for (enum level level = LEVEL_MINUTE; r >= 0 && t->rolled_up && level < N_LEVELS; level++)
        r = prepare_once(store, &t->rollup[level], sql_rollup(t->table, level));
    return r < 0 ? r : prepare_once(store, &t->last, sql_last(t->table));
}

// When a step is rolled up: its minute and hour are those in which it ended.
static int64_t rolled_step(int64_t end_ms, enum level level) {
    int64_t number = end_ms / levels[level].ms;
    return end_ms % levels[level].ms < 0 ? number - 1 : number;
}

static int write_rollup(struct store *store, struct store_table *t, enum level level) {
    const struct rows *sums = &t->pending.sums.rows;
    int64_t step = rolled_step(store->pending.end_ms, level);
    for (size_t i = 0; i < sums->n; i++) {
        int at = bind_step(t->rollup[level], step, sums, rows_at(sums, i));
        store_bind_highest(t->rollup[level], at, t, i);
        int r = store_run(store, t->rollup[level]);
        if (r < 0)
            return r;
    }
    return 0;
}

static int write_last(struct store *store, struct store_table *t) {
    const struct rows *total = &t->pending.total;
    for (size_t i = 0; i < total->n; i++) {
        bind_step(t->last, store->next_step - 1, total, rows_at(total, i));
        int r = store_run(store, t->last);
        if (r < 0)
            return r;
    }
    return 0;
}

static int write_rolled_step(struct store *store, enum level level, enum query query) {
    sqlite3_stmt *statement;
    int r = store_query(store, query, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_int64(statement, 1, rolled_step(store->pending.end_ms, level));
    sqlite3_bind_int64(statement, 2, store->pending.end_ms);
    sqlite3_bind_int64(statement, 3, store->pending.length_ms);
    sqlite3_bind_int64(statement, 4, store->pending.gap_ms);
    sqlite3_bind_int64(statement, 5, store->pending.flags);
    return store_run(store, statement);
}

static int write_boottime(struct store *store) {
    char value[32];
    snprintf(value, sizeof(value), "%" PRId64, store->pending.boottime_ms);
    return store_set_meta(store, "last_boottime_ms", value);
}

static int flush_table(struct store *store, struct store_table *t) {
    int r = prepare_table(store, t);
    for (enum level level = LEVEL_MINUTE; r >= 0 && t->rolled_up && level < N_LEVELS; level++)
        r = write_rollup(store, t, level);
    if (r >= 0)
        r = write_last(store, t);
    pending_clear(&t->pending);
    return r;
}

static int write_rolled_steps(struct store *store) {
    int r = write_rolled_step(store, LEVEL_MINUTE, QUERY_STEP_MINUTE);
    return r < 0 ? r : write_rolled_step(store, LEVEL_HOUR, QUERY_STEP_HOUR);
}

int store_flush(struct store *store) {
    if (store->pending.n == 0)
        return 0;
    int r = store->mode == STORE_MEMORY ? 0 : write_rolled_steps(store);
    if (r >= 0)
        r = write_boottime(store);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = flush_table(store, &store->tables[i]);
    store->pending.n = 0;
    if (r < 0)
        store->failed = r;
    return r;
}

static int write_rows(struct store *store, struct store_table *t, const struct rows *rows) {
    for (size_t i = 0; i < rows->n; i++) {
        bind_step(t->insert, store->next_step, rows, rows_at(rows, i));
        int r = store_run(store, t->insert);
        if (r < 0)
            return r;
    }
    return 0;
}

// Written when it differs, and now and then for its cost.
static int write_outcome(struct store *store, size_t table, const struct step *step) {
    const struct outcome *outcome = &step->outcome[table];
    struct outcome_memory *before = &store->outcomes[table];
    int64_t age = step->end_ms - before->at_ms;
    if (outcome->state == OUTCOME_NOT_DUE ||
            (before->at_ms && age >= 0 && age < STEP_KEYFRAME_MS &&
                    before->outcome.state == outcome->state &&
                    strcmp(before->outcome.reason, outcome->reason) == 0))
        return 0;
    sqlite3_stmt *statement;
    int r = store_query(store, QUERY_OUTCOME, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_text(statement, 1, store->tables[table].table->name, -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 2, outcome_name(outcome->state), -1, SQLITE_STATIC);
    sqlite3_bind_text(statement, 3, outcome->reason, -1, SQLITE_STATIC);
    sqlite3_bind_int64(statement, 4, outcome->cost_us);
    sqlite3_bind_int64(statement, 5, step->end_ms);
    r = store_run(store, statement);
    *before = (struct outcome_memory){ *outcome, step->end_ms };
    return r;
}

static int insert_step(struct store *store, const struct step *step) {
    sqlite3_stmt *statement;
    int r = store_query(store, QUERY_STEP, &statement);
    if (r < 0)
        return r;
    sqlite3_bind_int64(statement, 1, store->next_step);
    sqlite3_bind_int64(statement, 2, step->end_ms);
    sqlite3_bind_int64(statement, 3, step->length_ms);
    sqlite3_bind_int64(statement, 4, step->flags);
    return store_run(store, statement);
}

static int add_pending(struct store *store, const struct step *step) {
    if (store->pending.n > 0 && rolled_step(store->pending.end_ms, LEVEL_MINUTE) !=
                                        rolled_step(step->end_ms, LEVEL_MINUTE)) {
        int r = store_flush(store);
        if (r < 0)
            return r;
    }
    if (store->pending.n++ == 0)
        store->pending.length_ms = store->pending.gap_ms = store->pending.flags = 0;
    store->pending.end_ms = step->end_ms;
    store->pending.boottime_ms = step->boottime_ms;
    store->pending.length_ms += step->length_ms;
    store->pending.gap_ms += step->flags & STEP_GAP ? step->length_ms : 0;
    store->pending.flags |= step->flags;
    for (size_t i = 0; i < store->n_tables; i++) {
        int r = pending_add(&store->tables[i].pending, &step->growth[i], &step->total[i]);
        if (r < 0)
            return r;
    }
    return 0;
}

static int write_in_transaction(struct store *store, const struct step *step) {
    if (store->failed)
        return store->failed;
    int r = add_pending(store, step);
    if (r >= 0)
        r = insert_step(store, step);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++) {
        r = prepare_table(store, &store->tables[i]);
        if (r >= 0)
            r = write_rows(store, &store->tables[i], &step->growth[i]);
        if (r >= 0)
            r = write_outcome(store, i, step);
    }
    store->next_step++;
    store->failed = r < 0 ? r : 0;
    return r;
}

int store_write_step(struct store *store, const struct step *step) {
    if (store->in_transaction)
        return write_in_transaction(store, step);
    int r = store_begin(store);
    if (r < 0)
        return r;
    r = write_in_transaction(store, step);
    if (r >= 0)
        return store_commit(store);
    store_rollback(store);
    return r;
}
