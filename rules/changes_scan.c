// SPDX-License-Identifier: GPL-2.0-or-later
// Changes found
#include "rules/changes_scan.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/sample.h"
#include "core/text.h"
#include "rules/append.h"
#include "rules/changes_memory.h"

// Who changes more than that measures something else.
#define MAX_CHANGES 100

size_t change_scan_index(const struct change_scan *scan, int64_t number) {
    size_t low = 0, high = scan->n_steps;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->number[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < scan->n_steps && scan->number[low] == number ? low : SIZE_MAX;
}

struct found_change *change_scan_add(
        struct change_scan *scan, const struct setting *setting, size_t at) {
    struct found_change *found =
            scan->n_found < MAX_CHANGES ? append(scan->found, scan->n_found) : NULL;
    if (!found)
        return NULL;
    *found = (struct found_change){ .setting = setting, .at = at };
    found->change.subject = subject_none;
    found->change.from_value = found->change.to_value = NAN;
    found->change.at_ms = scan->end_ms[at];
    found->change.locus = strdup(setting->locus);
    return found->change.locus ? found : NULL;
}

static int read_steps(struct change_scan *scan) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    size_t capacity = 0;
    if (sandbox_own(scan->sandbox, "SELECT step, end_ms, seconds, flags FROM step ORDER BY step", &row) !=
            SQLITE_OK)
        return -EIO;
    while (sandbox_step(scan->sandbox, row) == SQLITE_ROW) {
        if (scan->n_steps == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            int64_t *number = reallocarray(scan->number, capacity, sizeof(*number));
            scan->number = number ? number : scan->number;
            int64_t *end_ms = reallocarray(scan->end_ms, capacity, sizeof(*end_ms));
            scan->end_ms = end_ms ? end_ms : scan->end_ms;
            double *seconds = reallocarray(scan->seconds, capacity, sizeof(*seconds));
            scan->seconds = seconds ? seconds : scan->seconds;
            bool *whole = reallocarray(scan->whole, capacity, sizeof(*whole));
            scan->whole = whole ? whole : scan->whole;
            if (!number || !end_ms || !seconds || !whole)
                return -ENOMEM;
        }
        scan->number[scan->n_steps] = sqlite3_column_int64(row, 0);
        scan->end_ms[scan->n_steps] = sqlite3_column_int64(row, 1);
        scan->whole[scan->n_steps] = sqlite3_column_int64(row, 3) & STEP_WHOLE;
        scan->seconds[scan->n_steps++] = sqlite3_column_double(row, 2);
    }
    return 0;
}

// What is looked at of one table.
struct reading {
    const struct table *table;
    const struct setting **settings; // one per column, or NULL
    int *at;                         // where a row has each column, or -1: not asked
    struct memory memory;
};

static void put_columns(FILE *out, const struct reading *reading, bool subject) {
    fputs("SELECT step", out);
    for (size_t i = 0; i < reading->table->n_columns; i++) {
        const struct column *column = &reading->table->columns[i];
        if (subject || reading->at[i] >= 0)
            fprintf(out, ", \"%s\"", column->name);
    }
    fprintf(out, " FROM \"%s_step\"", reading->table->name);
}

// The step, then the columns that are asked, of all rows by time; or all columns of the row of step
// ?1 and the names ?2 and so on.
static char *rows_sql(const struct reading *reading, bool subject) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    put_columns(out, reading, subject);
    int parameter = 1;
    fputs(subject ? " WHERE step = ?1" : " ORDER BY step", out);
    for (size_t i = 0; subject && i < reading->table->n_columns; i++)
        if (memory_is_name(&reading->table->columns[i]))
            fprintf(out, " AND \"%s\" IS ?%d", reading->table->columns[i].name, ++parameter);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

// Every column that has the name of a part of a subject; a process is called by its comm.
static int fill_subject(const struct table *table, sqlite3_stmt *row, struct subject *subject) {
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        const char *name = strcmp(field->name, "process") == 0 ? "comm" : field->name;
        int column = table_column(table, name);
        if (column < 0 || sqlite3_column_type(row, column + 1) == SQLITE_NULL)
            continue;
        const char *text = (const char *) sqlite3_column_text(row, column + 1);
        if (!field->is_text)
            subject_set_number(subject, field, sqlite3_column_int64(row, column + 1));
        else if (text && *text && subject_set_text(subject, field, text) < 0)
            return -ENOMEM;
    }
    return 0;
}

// "receive buffer of port 514 in web"
static char *what_text(const struct setting *setting, const struct column *column,
        const struct subject *subject, const char *group) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs(setting->what ? setting->what : column->field ? column->field : column->name, out);
    if (subject->port != CELL_NULL)
        fprintf(out, " of port %" PRId64, subject->port);
    else if (subject->unit || group)
        fprintf(out, " of %s", subject->unit ? subject->unit : group);
    else if (subject->interface)
        fprintf(out, " of %s", subject->interface);
    else if (subject->process)
        fprintf(out, " of %s (pid %" PRId64 ")", subject->process, subject->pid);
    if (subject->netns && strcmp(subject->netns, "host") != 0)
        fprintf(out, " in %s", subject->netns);
    fclose(out);
    return text;
}

static char *value_text(const struct column *column, sqlite3_value *value) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (sqlite3_value_type(value) == SQLITE_NULL)
        fputs("none", out);
    else if (column_is_text(column))
        fputs((const char *) sqlite3_value_text(value), out);
    else
        text_put_unit(out, sqlite3_value_double(value), column->unit);
    fclose(out);
    return text;
}

static double value_number(const struct column *column, sqlite3_value *value) {
    return sqlite3_value_type(value) == SQLITE_NULL || column_is_text(column)
                   ? NAN
                   : sqlite3_value_double(value);
}

static int describe(struct found_change *found, const struct reading *reading,
        const struct memory_object *before, sqlite3_stmt *row, size_t c) {
    const struct column *column = &reading->table->columns[c];
    const struct setting *setting = reading->settings[c];
    struct change *change = &found->change;
    sqlite3_value *now = sqlite3_column_value(row, (int) c + 1);
    int path = setting->scope == SCOPE_CGROUP ? table_column(reading->table, "path") : -1;
    if (path >= 0)
        found->group = strdup((const char *) sqlite3_column_text(row, path + 1));
    if (fill_subject(reading->table, row, &change->subject) < 0)
        return -ENOMEM;
    change->what = what_text(setting, column, &change->subject, found->group);
    change->unit = strdup(column->unit);
    // A value that was read as text may not be used as a value any more, a copy may.
    sqlite3_value *copy = sqlite3_value_dup(now);
    if (copy) {
        change->from_value = value_number(column, before->values[c]);
        change->to_value = value_number(column, copy);
        change->from = value_text(column, before->values[c]);
        change->to = value_text(column, copy);
    }
    sqlite3_value_free(copy);
    return change->what && change->unit && change->from && change->to ? 0 : -ENOMEM;
}

// The same row, with what names its subject.
static int ask_subject(const struct change_scan *scan, const struct reading *reading,
        sqlite3_stmt *row, sqlite3_stmt **ret) {
    _cleanup_free_ char *sql = rows_sql(reading, true);
    if (!sql)
        return -ENOMEM;
    if (sandbox_own(scan->sandbox, sql, ret) != SQLITE_OK)
        return -EIO;
    int parameter = 1;
    sqlite3_bind_value(*ret, parameter, sqlite3_column_value(row, 0));
    for (size_t i = 0; i < reading->table->n_columns; i++)
        if (memory_is_name(&reading->table->columns[i]))
            sqlite3_bind_value(*ret, ++parameter, sqlite3_column_value(row, reading->at[i]));
    return sandbox_step(scan->sandbox, *ret) == SQLITE_ROW ? 0 : -EIO;
}

static int add_change(struct change_scan *scan, const struct reading *reading,
        const struct memory_object *before, sqlite3_stmt *row, size_t c) {
    _cleanup_kept_ sqlite3_stmt *full = NULL;
    size_t at = change_scan_index(scan, sqlite3_column_int64(row, 0));
    struct found_change *found =
            at < scan->n_steps ? change_scan_add(scan, reading->settings[c], at) : NULL;
    if (!found)
        return 0;
    int r = ask_subject(scan, reading, row, &full);
    return r < 0 ? r : describe(found, reading, before, full, c);
}

static int look_at_setting(struct change_scan *scan, const struct reading *reading,
        struct memory_object *object, sqlite3_stmt *row, size_t c) {
    int at = reading->at[c];
    if (sqlite3_column_type(row, at) == SQLITE_NULL && !reading->settings[c]->null_is_none)
        return 0;
    sqlite3_value *before = object->values[c];
    if (before && memory_same_value(before, sqlite3_column_value(row, at)))
        return 0;
    int r = before ? add_change(scan, reading, object, row, c) : 0;
    return r < 0 ? r : memory_keep(&reading->memory, object, row, c);
}

static int look_at_row(struct change_scan *scan, struct reading *reading, sqlite3_stmt *row) {
    struct memory_object *object = memory_find(&reading->memory, row);
    int r = object ? 0 : -ENOMEM;
    for (size_t i = 0; r == 0 && i < reading->table->n_columns; i++)
        if (reading->settings[i])
            r = look_at_setting(scan, reading, object, row, i);
    return r;
}

static int scan_rows(struct change_scan *scan, struct reading *reading) {
    _cleanup_free_ char *sql = rows_sql(reading, false);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = sql ? 0 : -ENOMEM;
    if (r == 0 && sandbox_own(scan->sandbox, sql, &row) != SQLITE_OK)
        r = -EIO;
    while (r == 0 && sandbox_step(scan->sandbox, row) == SQLITE_ROW)
        r = look_at_row(scan, reading, row);
    return r;
}

// Where nothing was lost, nothing can be said of a change.
static bool bears_on_loss(const struct change_scan *scan, const struct setting *setting) {
    static const char sql[] = "SELECT 1 FROM loss_step WHERE locus = ?1 AND datagrams > 0 LIMIT 1";
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (setting->scope != SCOPE_PLACE || sandbox_own(scan->sandbox, sql, &row) != SQLITE_OK)
        return true;
    sqlite3_bind_text(row, 1, setting->locus, -1, SQLITE_STATIC);
    return sandbox_step(scan->sandbox, row) == SQLITE_ROW;
}

static int scan_table(struct change_scan *scan, const struct table *table) {
    _cleanup_free_ const struct setting **of = calloc(table->n_columns, sizeof(*of));
    _cleanup_free_ int *at = calloc(table->n_columns, sizeof(*at));
    struct reading reading = { table, of, at, { .table = table, .at = at } };
    if (!of || !at)
        return -ENOMEM;
    bool any = false;
    for (size_t i = 0; i < n_settings; i++) {
        int c = strcmp(settings[i].table, table->name) == 0
                        ? table_column(table, settings[i].column)
                        : -1;
        if (c < 0 || !bears_on_loss(scan, &settings[i]))
            continue;
        of[c] = &settings[i];
        any = true;
    }
    int asked = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        at[i] = of[i] || memory_is_name(&table->columns[i]) ? ++asked : -1;
    int r = any ? scan_rows(scan, &reading) : 0;
    memory_done(&reading.memory);
    return r;
}

static bool has_settings(const struct table *table) {
    for (size_t i = 0; i < n_settings; i++)
        if (strcmp(settings[i].table, table->name) == 0)
            return true;
    return false;
}

int change_scan_run(struct change_scan *scan) {
    const struct table *snmp = table_find(scan->tables, scan->n_tables, "snmp");
    int r = read_steps(scan);
    scan->knows_traffic = snmp && table_column(snmp, "udp_in_datagrams") >= 0;
    for (size_t i = 0; r == 0 && i < scan->n_tables; i++)
        if (has_settings(scan->tables[i]))
            r = scan_table(scan, scan->tables[i]);
    if (r == 0 && table_find(scan->tables, scan->n_tables, "socket"))
        r = change_scan_reopened(scan);
    return r;
}

void change_scan_done(struct change_scan *scan) {
    for (size_t i = 0; i < scan->n_found; i++) {
        change_done(&scan->found[i].change);
        free(scan->found[i].group);
    }
    free(scan->found);
    for (size_t i = 0; i < scan->n_series; i++) {
        free(scan->series[i].query);
        free(scan->series[i].values);
    }
    free(scan->series);
    free(scan->number);
    free(scan->end_ms);
    free(scan->seconds);
    free(scan->whole);
}
