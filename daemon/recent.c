// SPDX-License-Identifier: GPL-2.0-or-later
// Recent past
#include "daemon/recent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "daemon/queue.h"

// Quiet minutes are judged from so many rows per object; lossy steps are judged before any are merged.
#define PENDING_STEPS 16
#define PENDING_BYTES ((size_t) 2 << 20)

struct recent {
    const struct table *const *tables;
    size_t n_tables;
    struct queue *pending;
    struct store *store;
    int64_t newest_ms, judged_ms; // wall clock: end of the newest step, and of the last one judged
    int64_t observed_ms;
};

int recent_new(const struct table *const *tables, size_t n_tables, struct recent **ret, char **ret_error) {
    struct recent *recent = calloc(1, sizeof(*recent));
    if (!recent)
        return -ENOMEM;
    recent->tables = tables;
    recent->n_tables = n_tables;
    recent->pending = queue_new(tables, n_tables, PENDING_STEPS, PENDING_BYTES);
    int r = recent->pending
            ? store_open(NULL, STORE_MEMORY, tables, n_tables, &recent->store, ret_error) : -ENOMEM;
    if (r < 0)
        recent_free(recent);
    else
        *ret = recent;
    return r;
}

struct recent *recent_free(struct recent *recent) {
    if (!recent)
        return NULL;
    store_close(recent->store);
    queue_free(recent->pending);
    free(recent);
    return NULL;
}

static int sqlite_errno(int r) {
    return r == SQLITE_OK || r == SQLITE_DONE || r == SQLITE_ROW ? 0 : r == SQLITE_NOMEM ? -ENOMEM : -EIO;
}

// Forgets steps that ended before.
static int prune(struct recent *recent, int64_t before_ms) {
    char sql[256];
    int r = SQLITE_OK;
    for (size_t i = 0; i < recent->n_tables && r == SQLITE_OK; i++) {
        snprintf(sql, sizeof(sql),
                "DELETE FROM main.\"%s\" WHERE step IN (SELECT step FROM main.step WHERE end_ms < %lld)",
                recent->tables[i]->name, (long long) before_ms);
        r = sqlite3_exec(store_db(recent->store), sql, NULL, NULL, NULL);
    }
    snprintf(sql, sizeof(sql), "DELETE FROM main.step WHERE end_ms < %lld", (long long) before_ms);
    if (r == SQLITE_OK)
        r = sqlite3_exec(store_db(recent->store), sql, NULL, NULL, NULL);
    return sqlite_errno(r);
}

// The wall clock was set: times before and after cannot be compared. Context is lost, loss is not.
static int forget(struct recent *recent) {
    struct step *steps[PENDING_STEPS];
    size_t n;
    while ((n = queue_take(recent->pending, steps, PENDING_STEPS)) > 0)
        queue_done(recent->pending, n);
    recent->judged_ms = 0;
    return prune(recent, INT64_MAX);
}

int recent_add(struct recent *recent, const struct step *step) {
    int r = step->flags & STEP_TIME_JUMP ? forget(recent) : 0;
    if (r < 0)
        return r;
    recent->newest_ms = step->end_ms;
    if (!(step->flags & (STEP_GAP | STEP_SUSPENDED | STEP_BASELINE)))
        recent->observed_ms += step->length_ms;
    return queue_add_copy(recent->pending, step);
}

static int write_pending(struct recent *recent) {
    struct step *steps[PENDING_STEPS];
    size_t n;
    int r = store_begin(recent->store);
    while (r >= 0 && (n = queue_take(recent->pending, steps, PENDING_STEPS)) > 0) {
        for (size_t i = 0; i < n && r >= 0; i++)
            r = store_write_step(recent->store, steps[i]);
        queue_done(recent->pending, n);
    }
    if (r >= 0)
        r = prune(recent, recent->newest_ms - RECENT_WINDOW_MS);
    if (r >= 0)
        return store_commit(recent->store);
    store_rollback(recent->store);
    return r;
}

// loss_step and step are what the judgement left on the connection.
static const char fresh_sql[] =
        "SELECT l.locus, l.direction, l.netns,"
        " CAST(TOTAL(CASE WHEN s.end_ms > ?1 THEN l.datagrams END) AS INTEGER),"
        " CAST(TOTAL(l.datagrams) AS INTEGER),"
        " MIN(CASE WHEN s.end_ms > ?1 AND l.datagrams > 0 THEN s.start_ms END),"
        " MAX(CASE WHEN s.end_ms > ?1 AND l.datagrams > 0 THEN s.end_ms END)"
        " FROM loss_step l JOIN step s USING (step) GROUP BY 1, 2, 3";

static char *copy_column(sqlite3_stmt *statement, int column) {
    const char *text = (const char *) sqlite3_column_text(statement, column);
    return text ? strdup(text) : NULL;
}

static int add_fresh(struct judgement *judgement, sqlite3_stmt *statement) {
    struct fresh *fresh = reallocarray(judgement->fresh, judgement->n_fresh + 1, sizeof(*fresh));
    if (!fresh)
        return -ENOMEM;
    judgement->fresh = fresh;
    fresh = &fresh[judgement->n_fresh++];
    *fresh = (struct fresh){
        .locus = copy_column(statement, 0),
        .direction = copy_column(statement, 1),
        .netns = copy_column(statement, 2),
        .since = sqlite3_column_int64(statement, 3),
        .window = sqlite3_column_int64(statement, 4),
        .first_ms = sqlite3_column_int64(statement, 5),
        .last_ms = sqlite3_column_int64(statement, 6),
    };
    return fresh->locus ? 0 : -ENOMEM;
}

static int read_fresh(struct recent *recent, struct judgement *judgement) {
    sqlite3_stmt *statement;
    int r = sqlite3_prepare_v2(store_db(recent->store), fresh_sql, -1, &statement, NULL);
    if (r != SQLITE_OK)
        return sqlite_errno(r);
    sqlite3_bind_int64(statement, 1, recent->judged_ms);
    int error = 0;
    while (error >= 0 && (r = sqlite3_step(statement)) == SQLITE_ROW)
        error = add_fresh(judgement, statement);
    sqlite3_finalize(statement);
    return error < 0 ? error : sqlite_errno(r);
}

int recent_judge(struct recent *recent, const struct rule_set *rules, const char *host, const char *kernel,
        struct judgement *ret) {
    struct judgement judgement = { .observed_ms = recent->observed_ms };
    struct window window;
    int r = write_pending(recent);
    if (r >= 0)
        r = window_open(recent->store, WINDOW_LIVE, recent->newest_ms - RECENT_WINDOW_MS,
                recent->newest_ms, &window);
    if (r != 0)
        return r;
    r = rules_judge(rules, recent->store, &window, host, kernel, &judgement.verdict);
    if (r >= 0)
        r = read_fresh(recent, &judgement);
    if (r < 0) {
        judgement_done(&judgement);
        return r;
    }
    recent->judged_ms = recent->newest_ms;
    recent->observed_ms = 0;
    *ret = judgement;
    return 0;
}

void judgement_done(struct judgement *judgement) {
    verdict_free(judgement->verdict);
    for (size_t i = 0; i < judgement->n_fresh; i++) {
        free(judgement->fresh[i].locus);
        free(judgement->fresh[i].direction);
        free(judgement->fresh[i].netns);
    }
    free(judgement->fresh);
}
