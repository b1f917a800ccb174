// SPDX-License-Identifier: GPL-2.0-or-later
// The verdict as a whole
#include "rules/survey.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "rules/remark.h"

// Holes shorter than this in all are the jitter of a timer.
#define GAP_MIN_MS 2000

static const char *const received_columns[] = {
    "udp_in_datagrams", "udp6_in_datagrams", "udplite_in_datagrams", "udplite6_in_datagrams"
};
static const char *const sent_columns[] = {
    "udp_out_datagrams", "udp6_out_datagrams", "udplite_out_datagrams", "udplite6_out_datagrams"
};
#define N_COLUMNS (sizeof(received_columns) / sizeof(received_columns[0]))

// NULL where none of the columns has a value.
static void put_sum(FILE *out, const struct table *table, const char *const *columns) {
    fputs(", nullif(0", out);
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (table_column(table, columns[i]) >= 0)
            fprintf(out, " + coalesce(sum(%s), 0)", columns[i]);
    fputs(", CASE WHEN 0", out);
    for (size_t i = 0; i < N_COLUMNS; i++)
        if (table_column(table, columns[i]) >= 0)
            fprintf(out, " OR count(%s) > 0", columns[i]);
    fputs(" THEN NULL ELSE 0 END)", out);
}

static char *traffic_sql(const struct table *table) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    fputs("SELECT count(*)", out);
    put_sum(out, table, received_columns);
    put_sum(out, table, sent_columns);
    fprintf(out, " FROM \"%s\"", table->name);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

static int64_t count_or_null(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? CELL_NULL :
                                                             sqlite3_column_int64(row, column);
}

int survey_traffic(struct sandbox *sandbox, const struct table *const *tables, size_t n_tables,
        struct verdict *verdict, bool *ret_seen) {
    const struct table *table = table_find(tables, n_tables, "snmp");
    verdict->received = verdict->sent = CELL_NULL;
    *ret_seen = false;
    if (!table)
        return 0;
    _cleanup_free_ char *sql = traffic_sql(table);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!sql)
        return -ENOMEM;
    if (sandbox_own(sandbox, sql, &row) != SQLITE_OK)
        return -EIO;
    int r = sandbox_step(sandbox, row) == SQLITE_ROW ? 0 : -EIO;
    if (r == 0) {
        *ret_seen = sqlite3_column_int64(row, 0) > 0;
        verdict->received = count_or_null(row, 1);
        verdict->sent = count_or_null(row, 2);
    }
    return r;
}

static int add_gap(struct verdict *verdict, double seconds, const char *what) {
    _cleanup_free_ char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return -ENOMEM;
    text_put_duration(out, seconds);
    if (fclose(out) != 0)
        return -ENOMEM;
    return add_remark(&verdict->gaps, &verdict->n_gaps, NULL, "%s %s", text, what);
}

int survey_gaps(struct sandbox *sandbox, struct verdict *verdict) {
    static const struct {
        unsigned flag;
        const char *what;
    } kinds[] = {
        { STEP_SUSPENDED, "in which the machine slept" },
        { STEP_TIME_JUMP, "in which the clock was set" },
    };
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        _cleanup_kept_ sqlite3_stmt *row = NULL;
        if (sandbox_own(sandbox, "SELECT sum(seconds) FROM step WHERE flags & ?1", &row) !=
                SQLITE_OK)
            return -EIO;
        sqlite3_bind_int64(row, 1, kinds[i].flag);
        if (sandbox_step(sandbox, row) == SQLITE_ROW &&
                sqlite3_column_type(row, 0) != SQLITE_NULL)
            r = add_gap(verdict, sqlite3_column_double(row, 0), kinds[i].what);
    }
    if (r == 0 && verdict->window.gap_ms >= GAP_MIN_MS)
        r = add_gap(verdict, (double) verdict->window.gap_ms / 1000, "without samples of their own");
    return r;
}

static bool has_cause(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (!verdict->causes[i].no_loss)
            return true;
    return false;
}

static enum verdict_kind kind_of(const struct verdict *verdict, bool seen, bool past) {
    if (has_cause(verdict))
        return VERDICT_CAUSES;
    if (!seen)
        return VERDICT_CANNOT_TELL;
    if (verdict->window.kind == WINDOW_SINCE_BOOT)
        return VERDICT_ONE_SNAPSHOT;
    if (verdict->lost > 0)
        return VERDICT_CANNOT_TELL;
    return past ? VERDICT_PAST_ONLY : VERDICT_HEALTHY;
}

int survey_conclude(struct verdict *verdict, bool seen, bool past) {
    verdict->kind = kind_of(verdict, seen, past);
    if (verdict->window.kind != WINDOW_SINCE_BOOT || !seen)
        return 0;
    return add_remark(&verdict->notes, &verdict->n_notes, NULL,
            "a single look: the counters since boot do not tell when, how fast and together with what "
            "they rose; a second look would");
}
