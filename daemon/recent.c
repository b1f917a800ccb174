// SPDX-License-Identifier: GPL-2.0-or-later
// Recent past
#include "daemon/recent.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/memory.h"
#include "daemon/queue.h"

// Quiet minutes are judged from so many rows per object; lossy steps are judged before any are
// merged.
#define PENDING_STEPS 16
#define PENDING_BYTES ((size_t) 2 << 20)
// A window also knows objects that had a row shortly before it.
#define KEEP_MS (RECENT_WINDOW_MS + STEP_KEYFRAME_MS)

// What the open store has of each step: all tables, or those that are asked for in quiet times.
// Making their tables, views and statements is most of what a judgement costs.
struct part {
    size_t n;
    size_t *at; // numbers of the tables
    const struct table **tables;
    struct step step; // borrows its rows from the step that is written
};

struct recent {
    const struct table *const *tables;
    size_t n_tables;
    struct queue *pending;
    struct step *before, *now;    // what was judged: a minute or more, and what came after it
    struct store *store;          // NULL: closed
    struct part part;             // of the open store
    int64_t newest_ms, judged_ms; // wall clock: end of the newest step, and of the last one judged
    int64_t observed_ms;
};

struct recent *recent_new(const struct table *const *tables, size_t n_tables) {
    struct recent *recent = calloc(1, sizeof(*recent));
    if (!recent)
        return NULL;
    *recent = (struct recent){
        .tables = tables,
        .n_tables = n_tables,
        .pending = queue_new(tables, n_tables, PENDING_STEPS, PENDING_BYTES),
        .before = step_new(tables, n_tables),
        .now = step_new(tables, n_tables),
    };
    return recent->pending && recent->before && recent->now ? recent : recent_free(recent);
}

static void part_done(struct part *part) {
    free(part->at);
    free(part->tables);
    free(part->step.growth);
    free(part->step.total);
    free(part->step.outcome);
    *part = (struct part){ 0 };
}

static void close_store(struct recent *recent) {
    recent->store = store_close(recent->store);
    part_done(&recent->part);
}

struct recent *recent_free(struct recent *recent) {
    if (!recent)
        return NULL;
    close_store(recent);
    queue_free(recent->pending);
    step_free(recent->before);
    step_free(recent->now);
    free(recent);
    return NULL;
}

void recent_pause(struct recent *recent) {
    if (!recent->store)
        return;
    store_rest(recent->store);
    memory_give_back();
}

void recent_rest(struct recent *recent) {
    if (!recent->store)
        return;
    close_store(recent);
    memory_give_back();
}

static int sqlite_errno(int r) {
    return r == SQLITE_OK || r == SQLITE_DONE || r == SQLITE_ROW ? 0
           : r == SQLITE_NOMEM                                   ? -ENOMEM
                                                                 : -EIO;
}

// Forgets steps that ended before.
static int prune(struct recent *recent, int64_t before_ms) {
    char sql[256];
    int r = SQLITE_OK;
    for (size_t i = 0; i < recent->part.n && r == SQLITE_OK; i++) {
        snprintf(sql, sizeof(sql),
                "DELETE FROM main.\"%s\" WHERE step IN (SELECT step FROM main.step WHERE end_ms < %lld)",
                recent->part.tables[i]->name, (long long) before_ms);
        r = sqlite3_exec(store_db(recent->store), sql, NULL, NULL, NULL);
    }
    snprintf(sql, sizeof(sql), "DELETE FROM main.step WHERE end_ms < %lld", (long long) before_ms);
    if (r == SQLITE_OK)
        r = sqlite3_exec(store_db(recent->store), sql, NULL, NULL, NULL);
    return sqlite_errno(r);
}

// The wall clock was set: times before and after cannot be compared. Context is lost, loss is not.
static void forget(struct recent *recent) {
    struct step *steps[PENDING_STEPS];
    size_t n;
    while ((n = queue_take(recent->pending, steps, PENDING_STEPS)) > 0)
        queue_done(recent->pending, n);
    step_clear(recent->before);
    step_clear(recent->now);
    close_store(recent);
    recent->judged_ms = 0;
}

int recent_add(struct recent *recent, const struct step *step) {
    if (step->flags & STEP_TIME_JUMP)
        forget(recent);
    recent->newest_ms = step->end_ms;
    if (!(step->flags & (STEP_GAP | STEP_SUSPENDED | STEP_BASELINE)))
        recent->observed_ms += step->length_ms;
    return queue_add_copy(recent->pending, step);
}

// Each object has a row in every minute: with less, a judgement after a rest would not know all of
// them.
static int remember(struct recent *recent, const struct step *step) {
    if (recent->now->length_ms >= STEP_KEYFRAME_MS) {
        struct step *spare = recent->before;
        recent->before = recent->now;
        recent->now = spare;
        step_clear(spare);
    }
    return step_join(recent->now, step);
}

static int write_step(struct recent *recent, const struct step *step) {
    struct part *part = &recent->part;
    struct step lent = *step;
    lent.n_tables = part->n;
    lent.growth = part->step.growth;
    lent.total = part->step.total;
    lent.outcome = part->step.outcome;
    for (size_t i = 0; i < part->n; i++) {
        lent.growth[i] = step->growth[part->at[i]];
        lent.total[i] = step->total[part->at[i]];
        lent.outcome[i] = step->outcome[part->at[i]];
    }
    return store_write_step(recent->store, &lent);
}

static int write_pending(struct recent *recent) {
    struct step *steps[PENDING_STEPS];
    size_t n;
    int r = 0;
    while (r >= 0 && (n = queue_take(recent->pending, steps, PENDING_STEPS)) > 0) {
        for (size_t i = 0; i < n && r >= 0; i++) {
            r = write_step(recent, steps[i]);
            if (r >= 0)
                r = remember(recent, steps[i]);
        }
        queue_done(recent->pending, n);
    }
    return r;
}

// The store has just been opened: it gets what is remembered.
static int write_remembered(struct recent *recent) {
    const struct step *steps[] = { recent->before, recent->now };
    int r = 0;
    for (size_t i = 0; i < 2 && r >= 0; i++)
        if (steps[i]->end_ms != 0)
            r = write_step(recent, steps[i]);
    return r;
}

static int choose_part(
        struct recent *recent, const struct rule_set *rules, enum rules_scope scope) {
    struct part *part = &recent->part;
    size_t n = recent->n_tables;
    *part = (struct part){
        .at = calloc(n, sizeof(*part->at)),
        .tables = calloc(n, sizeof(*part->tables)),
        .step = { .growth = calloc(n, sizeof(*part->step.growth)),
                .total = calloc(n, sizeof(*part->step.total)),
                .outcome = calloc(n, sizeof(*part->step.outcome)) },
    };
    if (!part->at || !part->tables || !part->step.growth || !part->step.total ||
            !part->step.outcome)
        return -ENOMEM;
    for (size_t i = 0; i < n; i++) {
        if (scope == RULES_LEVELS && !rules_levels_ask(rules, recent->tables[i]))
            continue;
        part->at[part->n] = i;
        part->tables[part->n++] = recent->tables[i];
    }
    return 0;
}

static int open_store(struct recent *recent, const struct rule_set *rules, enum rules_scope scope) {
    int r = choose_part(recent, rules, scope);
    if (r >= 0)
        r = store_open(
                NULL, STORE_MEMORY, recent->part.tables, recent->part.n, &recent->store, NULL);
    if (r < 0) {
        part_done(&recent->part);
        return r;
    }
    store_be_thrifty(recent->store);
    return 0;
}

static int bring_up_to_date(
        struct recent *recent, const struct rule_set *rules, enum rules_scope scope) {
    int r = 0;
    if (recent->store && recent->part.n < recent->n_tables)
        close_store(recent);
    bool resting = !recent->store;
    if (resting)
        r = open_store(recent, rules, scope);
    if (r >= 0)
        r = store_begin(recent->store);
    if (r < 0)
        return r;
    if (resting)
        r = write_remembered(recent);
    if (r >= 0)
        r = write_pending(recent);
    if (r >= 0)
        r = prune(recent, recent->newest_ms - KEEP_MS);
    if (r >= 0)
        r = store_commit(recent->store);
    else
        store_rollback(recent->store);
    store_rest(recent->store);
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

int recent_judge(struct recent *recent, const struct rule_set *rules, enum rules_scope scope,
        const char *host, const char *kernel, struct judgement *ret) {
    struct judgement judgement = { .observed_ms = recent->observed_ms };
    struct window window;
    int r = bring_up_to_date(recent, rules, scope);
    if (r >= 0)
        r = window_open(recent->store, WINDOW_LIVE, recent->newest_ms - RECENT_WINDOW_MS,
                recent->newest_ms, &window);
    if (r != 0)
        return r;
    store_rest(recent->store); // what comes now has statements of its own
    r = rules_judge_part(rules, scope, recent->store, &window, host, kernel, &judgement.verdict);
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
