// SPDX-License-Identifier: GPL-2.0-or-later
// Collector outcomes
#include "cli/outcomes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/judge.h"
#include "collectors/collector.h"
#include "core/cleanup.h"

static int allocate(struct outcome_list *list) {
    *list = (struct outcome_list){ .list = calloc(n_collectors, sizeof(*list->list)) };
    return list->list ? 0 : -ENOMEM;
}

void outcomes_done(struct outcome_list *list) {
    free(list->list);
    *list = (struct outcome_list){ 0 };
}

static enum outcome_state state_of(const char *name) {
    for (enum outcome_state state = OUTCOME_NOT_DUE; state < OUTCOME_FAILED; state++)
        if (strcmp(outcome_name(state), name) == 0)
            return state;
    return OUTCOME_FAILED;
}

static void take_row(struct outcome_list *list, sqlite3_stmt *row) {
    const char *table = (const char *) sqlite3_column_text(row, 0);
    const char *state = (const char *) sqlite3_column_text(row, 1);
    const char *reason = (const char *) sqlite3_column_text(row, 2);
    for (size_t i = 0; i < n_collectors; i++)
        if (table && state && strcmp(collectors[i]->table->name, table) == 0) {
            outcome_set(&list->list[i], state_of(state), "%s", reason ? reason : "");
            list->list[i].cost_us = sqlite3_column_int64(row, 3);
        }
}

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

int outcomes_stored(struct store *store, struct outcome_list *ret) {
    static const char sql[] = "SELECT table_name, state, reason, cost_us FROM main.outcome";
    _cleanup_(finalize) sqlite3_stmt *rows = NULL;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &rows, NULL) != SQLITE_OK)
        return -EIO;
    int r = allocate(ret);
    if (r < 0)
        return r;
    while ((r = sqlite3_step(rows)) == SQLITE_ROW)
        take_row(ret, rows);
    ret->known = true;
    return r == SQLITE_DONE ? 0 : -EIO;
}

int outcomes_here(const struct cli *cli, bool all_sockets, struct outcome_list *ret) {
    _cleanup_(judge_live_done) struct live *live = NULL;
    int r = allocate(ret);
    if (r == 0)
        r = live_new(cli->root, LIVE_COUNTERS, &live);
    if (r == 0 && all_sockets)
        live_want_all_sockets(live);
    if (r == 0)
        r = live_look(live);
    if (r < 0)
        return r;
    memcpy(ret->list, live_sample(live)->outcome, n_collectors * sizeof(*ret->list));
    ret->known = true;
    return 0;
}

int64_t outcomes_cost_us(const struct outcome_list *list) {
    int64_t sum_us = 0;
    for (size_t i = 0; i < n_collectors; i++)
        sum_us += collectors[i]->lane == LANE_FAST ? list->list[i].cost_us : 0;
    return sum_us;
}

void outcomes_put(struct writer *writer, const struct outcome_list *list) {
    static const enum style styles[] = {
        [OUTCOME_NOT_DUE] = STYLE_DIM,
        [OUTCOME_OK] = STYLE_PLAIN,
        [OUTCOME_ABSENT] = STYLE_DIM,
        [OUTCOME_DENIED] = STYLE_WARNING,
        [OUTCOME_FAILED] = STYLE_WARNING,
    };
    static const struct writer_column columns[] = {
        { "table", "TABLE" },
        { "state", "STATE" },
        { "cost_us", "COST", "us", WRITER_RIGHT },
        { "reason", NULL },
        { NULL, "REASON", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "tables", NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(writer, &table);
    for (size_t i = 0; i < n_collectors; i++) {
        const struct outcome *outcome = &list->list[i];
        writer_row(writer, styles[outcome->state]);
        writer_text(writer, collectors[i]->table->name);
        writer_text(writer, outcome_name(outcome->state));
        writer_integer(writer, outcome->cost_us);
        writer_text(writer, *outcome->reason ? outcome->reason : NULL);
        writer_text(writer, outcome->reason);
    }
    writer_end(writer);
}
