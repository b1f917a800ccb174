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

static int write_last(struct store *store, struct store_table *t) {
    const struct rows *last = &t->last_rows.rows;
    int r = t->last || last->n == 0 ? 0 : store_prepare_text(store, sql_last(t->table), &t->last);
    for (size_t i = 0; r >= 0 && i < last->n; i++) {
        bind_step(t->last, store->next_step - 1, last, rows_at(last, i));
        r = store_run(store, t->last);
    }
    objects_clear(&t->last_rows);
    return r;
}

static int write_boottime(struct store *store) {
    char value[32];
    snprintf(value, sizeof(value), "%" PRId64, store->boottime_ms);
    return store_set_meta(store, "last_boottime_ms", value);
}

int store_flush(struct store *store) {
    if (store->next_step == store->begun_at_step)
        return 0;
    int r = write_boottime(store);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = write_last(store, &store->tables[i]);
    if (r >= 0 && rollup_is_late(store))
        r = rollup_write(store);
    if (r < 0)
        store->failed = r;
    return r;
}

static int write_rows(struct store *store, struct store_table *t, const struct rows *rows) {
    int r = t->insert || rows->n == 0 ? 0
                                      : store_prepare_text(store, sql_insert(t->table), &t->insert);
    for (size_t i = 0; r >= 0 && i < rows->n; i++) {
        bind_step(t->insert, store->next_step, rows, rows_at(rows, i));
        r = store_run(store, t->insert);
    }
    return r;
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

static int remember_last(struct store_table *t, const struct rows *total) {
    struct objects *last = &t->last_rows;
    last->hint = 0;
    for (size_t i = 0; i < total->n; i++) {
        const cell *row = rows_at(total, i);
        uint32_t object = objects_find(last, total, row);
        if (object == NO_OBJECT)
            object = objects_add(last, total, row);
        if (object == NO_OBJECT ||
                rows_copy(&last->rows, rows_at(&last->rows, object), total, row) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int write_table(struct store *store, size_t table, const struct step *step) {
    struct store_table *t = &store->tables[table];
    int r = write_rows(store, t, &step->growth[table]);
    if (r >= 0)
        r = remember_last(t, &step->total[table]);
    return r < 0 ? r : write_outcome(store, table, step);
}

static int write_in_transaction(struct store *store, const struct step *step) {
    if (store->failed)
        return store->failed;
    int r = store->mode == STORE_MEMORY ? 0 : rollup_add(store, step);
    if (r >= 0)
        r = insert_step(store, step);
    for (size_t i = 0; r >= 0 && i < store->n_tables; i++)
        r = write_table(store, i, step);
    store->boottime_ms = step->boottime_ms;
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
