// SPDX-License-Identifier: GPL-2.0-or-later
// Changes
#include "rules/changes.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/before_after.h"
#include "rules/changes_scan.h"

// Less is lost here, and at least this share of that is lost in addition elsewhere.
#define MOVED_SHARE 0.5

// One value per step of the window.
static double *new_series(const struct change_scan *scan) {
    return calloc(scan->n_steps + 1, sizeof(double));
}

// Whose loss it is. ?1 locus, ?2 namespace (NULL: any), ?3 port, ?4 process, ?5 control group.
#define IN_NETNS " AND (?2 IS NULL OR netns IS NULL OR netns = ?2)"
static const char *const loss_sql[] = {
    [SCOPE_PLACE] =
            "SELECT step, sum(datagrams) FROM loss_step WHERE locus = ?1" IN_NETNS " GROUP BY step",
    [SCOPE_PORT] =
            "SELECT step, sum(drops) FROM socket_step WHERE port = ?3" IN_NETNS " GROUP BY step",
    [SCOPE_PROCESS] = "SELECT step, sum(drops) FROM socket_step WHERE inode IN"
                      " (SELECT inode FROM owner WHERE pid = ?4 AND inode > 0) GROUP BY step",
    // A process is in a group of each hierarchy.
    [SCOPE_CGROUP] = "SELECT step, sum(drops) FROM socket_step WHERE inode IN"
                     " (SELECT o.inode FROM owner o JOIN process p USING (pid) WHERE o.inode > 0"
                     " AND ?5 || '/' IN (substr(p.cgroup || '/', 1, length(?5) + 1),"
                     " substr(p.memory_cgroup || '/', 1, length(?5) + 1),"
                     " substr(p.freezer_cgroup || '/', 1, length(?5) + 1),"
                     " substr(p.unified_cgroup || '/', 1, length(?5) + 1)))"
                     " GROUP BY step",
};
static const char elsewhere_sql[] =
        "SELECT step, sum(datagrams), locus FROM loss_step WHERE locus <> ?1" IN_NETNS
        " GROUP BY locus, step ORDER BY locus, step";
// What came: datagrams that were received, to which those that were lost are added; or fragments,
// as the loss of incomplete datagrams is counted in them too.
static const char arrived_sql[] =
        "SELECT step, total(udp_in_datagrams) + total(udp6_in_datagrams) FROM snmp_step"
        " WHERE 1" IN_NETNS " GROUP BY step";
static const char fragments_sql[] =
        "SELECT step, total(ip_reasm_reqds) + total(ip6_reasm_reqds) FROM snmp_step"
        " WHERE 1" IN_NETNS " GROUP BY step";

static void bind_text(sqlite3_stmt *statement, int index, const char *text) {
    if (text && index <= sqlite3_bind_parameter_count(statement))
        sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
}

static void bind_number(sqlite3_stmt *statement, int index, int64_t value) {
    if (value != CELL_NULL && index <= sqlite3_bind_parameter_count(statement))
        sqlite3_bind_int64(statement, index, value);
}

static int ask(const struct change_scan *scan, const struct found_change *found, const char *sql,
        sqlite3_stmt **ret) {
    const struct subject *subject = &found->change.subject;
    if (sandbox_own(scan->sandbox, sql, ret) != SQLITE_OK)
        return -EIO;
    bind_text(*ret, 1, found->change.locus);
    bind_text(*ret, 2, subject->netns);
    bind_number(*ret, 3, subject->port);
    bind_number(*ret, 4, subject->pid);
    bind_text(*ret, 5, found->group);
    return 0;
}

// Growth of a linear sum may be below 0 in a step; that is no loss.
static void take_value(const struct change_scan *scan, sqlite3_stmt *row, double *series) {
    size_t i = change_scan_index(scan, sqlite3_column_int64(row, 0));
    if (i < scan->n_steps && sqlite3_column_double(row, 1) > 0)
        series[i] += sqlite3_column_double(row, 1);
}

static const double *find_series(const struct change_scan *scan, const char *query) {
    for (size_t i = 0; i < scan->n_series; i++)
        if (strcmp(scan->series[i].query, query) == 0)
            return scan->series[i].values;
    return NULL;
}

static int read_series(
        struct change_scan *scan, const char *query, sqlite3_stmt *row, const double **ret) {
    double *values = new_series(scan);
    char *copy = strdup(query);
    struct change_series *series = values && copy ? append(scan->series, scan->n_series) : NULL;
    if (!series) {
        free(values);
        free(copy);
        return -ENOMEM;
    }
    *series = (struct change_series){ copy, values };
    while (sandbox_step(scan->sandbox, row) == SQLITE_ROW)
        take_value(scan, row, values);
    *ret = values;
    return 0;
}

// Many changes ask for the same: each query is run once with the same values.
static int need_series(struct change_scan *scan, const struct found_change *found, const char *sql,
        const double **ret) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = ask(scan, found, sql, &row);
    if (r < 0)
        return r;
    char *query = sqlite3_expanded_sql(row);
    if (!query)
        return -ENOMEM;
    *ret = find_series(scan, query);
    r = *ret ? 0 : read_series(scan, query, row, ret);
    sqlite3_free(query);
    return r;
}

struct elsewhere {
    double rise;
    char locus[64];
};

static void weigh_elsewhere(const struct before_after *sides, const double *series,
        const char *locus, struct elsewhere *most) {
    double before, after;
    before_after_rates(sides, series, &before, &after);
    if (*locus && after - before > most->rise) {
        most->rise = after - before;
        snprintf(most->locus, sizeof(most->locus), "%s", locus);
    }
}

// The place whose loss rose the most.
static int find_elsewhere(const struct change_scan *scan, const struct found_change *found,
        const struct before_after *sides, struct elsewhere *ret) {
    _cleanup_free_ double *series = new_series(scan);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    char locus[64] = "";
    *ret = (struct elsewhere){ 0 };
    int r = series ? ask(scan, found, elsewhere_sql, &row) : -ENOMEM;
    while (r == 0 && sandbox_step(scan->sandbox, row) == SQLITE_ROW) {
        const char *name = (const char *) sqlite3_column_text(row, 2);
        if (strcmp(name ? name : "", locus) != 0) {
            weigh_elsewhere(sides, series, locus, ret);
            memset(series, 0, scan->n_steps * sizeof(*series));
            snprintf(locus, sizeof(locus), "%s", name ? name : "");
        }
        take_value(scan, row, series);
    }
    if (r == 0)
        weigh_elsewhere(sides, series, locus, ret);
    return r;
}

static bool may_be_same(const char *a, const char *b) {
    return !a || !b || strcmp(a, b) == 0;
}
static bool may_equal(int64_t a, int64_t b) {
    return a == CELL_NULL || b == CELL_NULL || a == b;
}

static bool bears_on_same(const struct found_change *a, const struct found_change *b) {
    const struct subject *x = &a->change.subject, *y = &b->change.subject;
    return strcmp(a->change.locus, b->change.locus) == 0 && may_be_same(x->netns, y->netns) &&
           may_equal(x->port, y->port) && may_equal(x->pid, y->pid);
}

// Each side reaches up to another change of the same.
static void set_bounds(const struct change_scan *scan, const struct found_change *found,
        struct before_after *sides) {
    sides->first = 0;
    sides->limit = scan->n_steps;
    for (size_t i = 0; i < scan->n_found; i++) {
        const struct found_change *other = &scan->found[i];
        if (other == found || !bears_on_same(other, found))
            continue;
        if (other->at < found->at && other->at + 1 > sides->first)
            sides->first = other->at + 1;
        if (other->at > found->at && other->at < sides->limit)
            sides->limit = other->at;
    }
}

static int judge_move(const struct change_scan *scan, struct found_change *found,
        const struct before_after *sides) {
    struct change *change = &found->change;
    struct elsewhere most;
    if (change->verdict != CHANGE_CURED && change->verdict != CHANGE_BETTER)
        return 0;
    int r = find_elsewhere(scan, found, sides, &most);
    if (r < 0 || most.rise < MOVED_SHARE * (change->before_rate - change->after_rate))
        return r;
    change->verdict = CHANGE_MOVED;
    change->moved_to = strdup(most.locus);
    return change->moved_to ? 0 : -ENOMEM;
}

// The last step of the window that lost anything anywhere.
static size_t last_lossy(const struct change_scan *scan) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (sandbox_own(scan->sandbox, "SELECT max(step) FROM loss_step WHERE datagrams > 0", &row) !=
                    SQLITE_OK ||
            sandbox_step(scan->sandbox, row) != SQLITE_ROW)
        return SIZE_MAX;
    return change_scan_index(scan, sqlite3_column_int64(row, 0));
}

// What is seen in a step happened after the table was read before. A step as long as the slow
// lane's pause, of rolled-up history, holds several of its readings.
static int64_t slack_ms(const struct change_scan *scan, const struct found_change *found) {
    int64_t most_ms = setting_slack_ms(found->setting->table);
    for (size_t i = found->at; i-- > 0;) {
        int64_t since_ms = scan->end_ms[found->at - 1] - scan->end_ms[i];
        if (since_ms < 0 || since_ms >= most_ms || scan->seconds[i] * 1000 >= (double) most_ms)
            break;
        if (scan->whole[i])
            return since_ms;
    }
    return most_ms;
}

static int compare(struct change_scan *scan, struct found_change *found, bool *ret_known) {
    _cleanup_free_ double *arrived = new_series(scan);
    struct change *change = &found->change;
    struct comparison comparison;
    const double *lost = NULL, *received = NULL;
    int r = arrived ? need_series(scan, found, loss_sql[found->setting->scope], &lost) : -ENOMEM;
    bool in_fragments = strcmp(change->locus, "reassembly") == 0;
    if (r == 0 && scan->knows_traffic)
        r = need_series(scan, found, in_fragments ? fragments_sql : arrived_sql, &received);
    if (r < 0)
        return r;
    for (size_t i = 0; i < scan->n_steps && received; i++)
        arrived[i] = received[i] + (in_fragments ? 0 : lost[i]);
    struct before_after sides = { .end_ms = scan->end_ms,
        .seconds = scan->seconds,
        .lost = lost,
        .arrived = arrived,
        .n = scan->n_steps,
        .at = found->at,
        .slack_ms = slack_ms(scan, found) };
    set_bounds(scan, found, &sides);
    before_after_compare(&sides, &comparison);
    *ret_known = comparison.known;
    change->verdict = comparison.verdict;
    change->before_rate = comparison.before_rate;
    change->after_rate = comparison.after_rate;
    change->before_seconds = comparison.before_s;
    change->after_seconds = comparison.after_s;
    return judge_move(scan, found, &sides);
}

static int by_time(const void *a, const void *b) {
    const struct found_change *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return strcmp(x->change.what, y->change.what);
}

// Those of which something can be said become the verdict's.
static int move_changes(struct change_scan *scan, struct verdict *verdict) {
    for (size_t i = 0; i < scan->n_found; i++) {
        struct found_change *found = &scan->found[i];
        struct change *added = found->known ? append(verdict->changes, verdict->n_changes) : NULL;
        if (found->known && !added)
            return -ENOMEM;
        if (!added)
            continue;
        *added = found->change;
        found->change = (struct change){ .subject = subject_none };
    }
    return 0;
}

static int judge_found(struct change_scan *scan, struct verdict *verdict) {
    size_t last = last_lossy(scan);
    if (scan->n_found > 0)
        qsort(scan->found, scan->n_found, sizeof(*scan->found), by_time);
    for (size_t i = 0; i < scan->n_found; i++) {
        struct found_change *found = &scan->found[i];
        int r = compare(scan, found, &found->known);
        if (r < 0)
            return r;
        found->change.last_word =
                found->change.verdict == CHANGE_CURED && last != SIZE_MAX && last <= found->at;
    }
    return move_changes(scan, verdict);
}

int changes_find(struct sandbox *sandbox, const struct table *const *tables, size_t n_tables,
        struct verdict *verdict) {
    struct change_scan scan = { .sandbox = sandbox, .tables = tables, .n_tables = n_tables };
    if (verdict->lost == 0 || verdict->window.kind == WINDOW_SINCE_BOOT)
        return 0;
    int r = change_scan_run(&scan);
    if (r == 0 && scan.n_found > 0)
        r = judge_found(&scan, verdict);
    change_scan_done(&scan);
    return r;
}
