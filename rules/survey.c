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
#define GAP_MIN_S 2

static const char *const received_columns[] = { "udp_in_datagrams", "udp6_in_datagrams",
    "udplite_in_datagrams", "udplite6_in_datagrams" };
static const char *const sent_columns[] = { "udp_out_datagrams", "udp6_out_datagrams",
    "udplite_out_datagrams", "udplite6_out_datagrams" };
#define N_COLUMNS (sizeof(received_columns) / sizeof(received_columns[0]))

// NULL where none of the columns has a value.
static void put_sum(FILE *out, const struct table *table, const char *const *columns) {
    fputs("nullif(0", out);
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
    fputs("SELECT ", out);
    put_sum(out, table, received_columns);
    fputs(", ", out);
    put_sum(out, table, sent_columns);
    fprintf(out, " FROM \"%s\"", table->name);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

static int64_t count_or_null(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL ? CELL_NULL
                                                           : sqlite3_column_int64(row, column);
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
        verdict->received = count_or_null(row, 0);
        verdict->sent = count_or_null(row, 1);
        // A file that was cut before the UDP lines says nothing of them.
        *ret_seen = verdict->received != CELL_NULL;
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

// Of a rolled-up step, only the part that is known to be a hole; what is told once is not told
// again as a hole.
static const char gaps_sql[] =
        "SELECT total(iif(flags & ?1, hole, 0)), total(iif(flags & ?2, hole, 0)),"
        " total(iif(flags & (?1 | ?2), gap_ms / 1000.0, 0))"
        " FROM (SELECT flags, gap_ms, iif(gap_ms > 0, gap_ms / 1000.0, seconds) AS hole FROM step)";

int survey_gaps(struct sandbox *sandbox, struct verdict *verdict) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (sandbox_own(sandbox, gaps_sql, &row) != SQLITE_OK)
        return -EIO;
    sqlite3_bind_int64(row, 1, STEP_SUSPENDED);
    sqlite3_bind_int64(row, 2, STEP_TIME_JUMP);
    if (sandbox_step(sandbox, row) != SQLITE_ROW)
        return -EIO;
    double asleep = sqlite3_column_double(row, 0), jumped = sqlite3_column_double(row, 1);
    double hole = (double) verdict->window.gap_ms / 1000 - sqlite3_column_double(row, 2);
    int r = asleep > 0 ? add_gap(verdict, asleep, "in which the machine slept") : 0;
    if (r == 0 && jumped > 0)
        r = add_gap(verdict, jumped, "in which the clock was set");
    if (r == 0 && hole >= GAP_MIN_S)
        r = add_gap(verdict, hole, "without samples of their own");
    return r;
}

static bool has_cause(const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (!verdict->causes[i].no_loss)
            return true;
    return false;
}

static enum verdict_kind kind_of(const struct verdict *verdict, bool seen, bool counted, bool past) {
    if (has_cause(verdict))
        return VERDICT_CAUSES;
    if (verdict->window.kind == WINDOW_SINCE_BOOT && (seen || counted))
        return VERDICT_ONE_SNAPSHOT;
    if (!seen)
        return VERDICT_CANNOT_TELL;
    if (verdict->lost > 0)
        return VERDICT_CANNOT_TELL;
    return past ? VERDICT_PAST_ONLY : VERDICT_HEALTHY;
}

int survey_conclude(struct verdict *verdict, bool seen, bool counted, bool past) {
    verdict->kind = kind_of(verdict, seen, counted, past);
    if (verdict->window.kind != WINDOW_SINCE_BOOT || verdict->kind == VERDICT_CANNOT_TELL)
        return 0;
    return add_remark(&verdict->notes, &verdict->n_notes, NULL,
            "a single look: the counters since boot do not tell when, how fast and together with what "
            "they rose; a second look would");
}
