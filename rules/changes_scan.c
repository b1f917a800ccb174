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

// An object's own columns: a change in one of them is another object.
static bool is_name(const struct column *column) {
    return column->kind == COLUMN_KEY_TEXT || column->kind == COLUMN_KEY_INTEGER ||
           column->kind == COLUMN_IDENTITY;
}

// The row before, as far as it is known: names and settings.
struct memory {
    const struct table *table;
    sqlite3_value **values;          // one per column, or NULL
    const struct setting **settings; // one per column, or NULL
};

static bool is_of_subject(const struct column *column) {
    if (strcmp(column->name, "comm") == 0)
        return true;
    for (size_t i = 0; i < n_subject_fields; i++)
        if (strcmp(subject_fields[i].name, column->name) == 0)
            return true;
    return false;
}

// The step, then the columns of the table, by object and time: NULL for what is not asked.
static char *memory_sql(const struct memory *memory) {
    const struct table *table = memory->table;
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    fputs("SELECT step", out);
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct column *column = &table->columns[i];
        if (memory->settings[i] || is_name(column) || is_of_subject(column))
            fprintf(out, ", \"%s\"", column->name);
        else
            fputs(", NULL", out);
    }
    fprintf(out, " FROM \"%s_step\" ORDER BY ", table->name);
    for (size_t i = 0; i < table->n_columns; i++)
        if (is_name(&table->columns[i]))
            fprintf(out, "\"%s\", ", table->columns[i].name);
    fputs("step", out);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

static bool same_value(sqlite3_value *a, sqlite3_value *b) {
    bool x = a && sqlite3_value_type(a) != SQLITE_NULL,
         y = b && sqlite3_value_type(b) != SQLITE_NULL;
    if (!x || !y)
        return x == y;
    if (sqlite3_value_type(a) == SQLITE_INTEGER && sqlite3_value_type(b) == SQLITE_INTEGER)
        return sqlite3_value_int64(a) == sqlite3_value_int64(b);
    return strcmp((const char *) sqlite3_value_text(a), (const char *) sqlite3_value_text(b)) == 0;
}

static bool same_object(const struct memory *memory, sqlite3_stmt *row) {
    for (size_t i = 0; i < memory->table->n_columns; i++)
        if (is_name(&memory->table->columns[i]) &&
                (!memory->values[i] ||
                        !same_value(memory->values[i], sqlite3_column_value(row, (int) i + 1))))
            return false;
    return true;
}

static void forget(struct memory *memory) {
    for (size_t i = 0; i < memory->table->n_columns; i++) {
        sqlite3_value_free(memory->values[i]);
        memory->values[i] = NULL;
    }
}

static int keep(struct memory *memory, sqlite3_stmt *row, size_t column) {
    sqlite3_value *copy = sqlite3_value_dup(sqlite3_column_value(row, (int) column + 1));
    if (!copy)
        return -ENOMEM;
    sqlite3_value_free(memory->values[column]);
    memory->values[column] = copy;
    return 0;
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

static int add_change(struct change_scan *scan, const struct setting *setting,
        const struct memory *memory, sqlite3_stmt *row, size_t c) {
    const struct column *column = &memory->table->columns[c];
    sqlite3_value *now = sqlite3_column_value(row, (int) c + 1);
    size_t at = change_scan_index(scan, sqlite3_column_int64(row, 0));
    struct found_change *found = at < scan->n_steps ? change_scan_add(scan, setting, at) : NULL;
    if (!found)
        return 0;
    struct change *change = &found->change;
    int path = setting->scope == SCOPE_CGROUP ? table_column(memory->table, "path") : -1;
    if (path >= 0)
        found->group = strdup((const char *) sqlite3_column_text(row, path + 1));
    if (fill_subject(memory->table, row, &change->subject) < 0)
        return -ENOMEM;
    change->what = what_text(setting, column, &change->subject, found->group);
    change->unit = strdup(column->unit);
    // A value that was read as text may not be used as a value any more, a copy may.
    sqlite3_value *copy = sqlite3_value_dup(now);
    if (copy) {
        change->from_value = value_number(column, memory->values[c]);
        change->to_value = value_number(column, copy);
        change->from = value_text(column, memory->values[c]);
        change->to = value_text(column, copy);
    }
    sqlite3_value_free(copy);
    return change->what && change->unit && change->from && change->to ? 0 : -ENOMEM;
}

static int look_at_setting(
        struct change_scan *scan, struct memory *memory, sqlite3_stmt *row, size_t c) {
    const struct setting *setting = memory->settings[c];
    if (sqlite3_column_type(row, (int) c + 1) == SQLITE_NULL && !setting->null_is_none)
        return 0;
    sqlite3_value *before = memory->values[c];
    if (before && same_value(before, sqlite3_column_value(row, (int) c + 1)))
        return 0;
    int r = before ? add_change(scan, setting, memory, row, c) : 0;
    return r < 0 ? r : keep(memory, row, c);
}

static int look_at_row(struct change_scan *scan, struct memory *memory, sqlite3_stmt *row) {
    int r = 0;
    if (!same_object(memory, row)) {
        forget(memory);
        for (size_t i = 0; r == 0 && i < memory->table->n_columns; i++)
            if (is_name(&memory->table->columns[i]))
                r = keep(memory, row, i);
    }
    for (size_t i = 0; r == 0 && i < memory->table->n_columns; i++)
        if (memory->settings[i])
            r = look_at_setting(scan, memory, row, i);
    return r;
}

static int scan_rows(struct change_scan *scan, struct memory *memory) {
    _cleanup_free_ char *sql = memory_sql(memory);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = sql ? 0 : -ENOMEM;
    if (r == 0 && sandbox_own(scan->sandbox, sql, &row) != SQLITE_OK)
        r = -EIO;
    while (r == 0 && sandbox_step(scan->sandbox, row) == SQLITE_ROW)
        r = look_at_row(scan, memory, row);
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
    _cleanup_free_ sqlite3_value **values = calloc(table->n_columns, sizeof(*values));
    _cleanup_free_ const struct setting **of = calloc(table->n_columns, sizeof(*of));
    struct memory memory = { table, values, of };
    if (!values || !of)
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
    int r = any ? scan_rows(scan, &memory) : 0;
    forget(&memory);
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
