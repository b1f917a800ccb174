// SPDX-License-Identifier: GPL-2.0-or-later
// Intake values
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "formats/intake_private.h"
#include "formats/words.h"

bool table_counts_losses(const struct table *table) {
    static const char *const names[] = { "snmp", "softnet", "link", "nic", "qdisc", "conntrack",
        "socket" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(names[i], table->name) == 0)
            return true;
    return false;
}

// By the column's name, or the kernel's.
static int find_column(const struct table *table, const char *name) {
    int column = table_column(table, name);
    for (size_t i = table->n_keys; column < 0 && i < table->n_columns; i++)
        if (table->columns[i].field && strcmp(table->columns[i].field, name) == 0)
            column = (int) i;
    return column;
}

// The row that takes values, or NULL: none does.
static struct look_table *open_row(const struct intake *intake) {
    if (intake->table == intake->n_tables || !intake->looking || intake->error < 0)
        return NULL;
    return intake->look[intake->n_looks - 1].table[intake->table];
}

static int open_column(const struct intake *intake, const char *name) {
    return open_row(intake) ? find_column(intake->tables[intake->table], name) : -1;
}

static unsigned open_line(const struct intake *intake) {
    return intake->line;
}

static void tell_second_value(struct intake *intake, int column, const char *kept, const char *said) {
    intake_note(intake, &(struct line){ .number = open_line(intake) },
            "%s.%s is there twice, as %s and as %s; the first is taken",
            intake->tables[intake->table]->name,
            intake->tables[intake->table]->columns[column].name, kept, said);
}

bool intake_set(struct intake *intake, const char *name, uint64_t value) {
    int column = open_column(intake, name);
    if (column < 0 || column_is_text(&intake->tables[intake->table]->columns[column]))
        return false;
    cell *target = &rows_at(&open_row(intake)->set.rows, intake->row)[column];
    char kept[24], said[24];
    if (value > INT64_MAX) // beyond what any counter here can have reached
        value = INT64_MAX;
    if (*target != CELL_NULL && *target != (cell) value) {
        snprintf(kept, sizeof(kept), "%" PRId64, *target);
        snprintf(said, sizeof(said), "%" PRIu64, value);
        tell_second_value(intake, column, kept, said);
        return true;
    }
    *target = (cell) value;
    return true;
}

bool intake_set_text(struct intake *intake, const char *name, const char *text) {
    int column = open_column(intake, name);
    if (column < 0 || !column_is_text(&intake->tables[intake->table]->columns[column]))
        return false;
    struct rows *rows = &open_row(intake)->set.rows;
    cell *target = &rows_at(rows, intake->row)[column];
    if (*target != CELL_NULL) {
        if (strcmp(rows_text(rows, *target), text) != 0)
            tell_second_value(intake, column, rows_text(rows, *target), text);
        return true;
    }
    _cleanup_free_ char *valid = text_utf8(text);
    *target = valid ? rows_put_text(rows, valid, strlen(valid)) : CELL_NULL;
    if (*target == CELL_NULL)
        intake_fail(intake, -ENOMEM);
    return true;
}

bool intake_put(struct intake *intake, const char *name, const struct word *number) {
    uint64_t value;
    int column = open_column(intake, name);
    if (column < 0)
        return false;
    if (word_count(number, &value))
        return intake_set(intake, name, value);
    intake_note(intake, &(struct line){ .number = open_line(intake) },
            "%s.%s cannot be %.*s", intake->tables[intake->table]->name,
            intake->tables[intake->table]->columns[column].name,
            (int) (number->length < 40 ? number->length : 40), number->text);
    return true;
}

static cell *open_growth(struct intake *intake, int column) {
    struct look_table *table = open_row(intake);
    while (table->grown.n <= intake->row)
        if (!rows_add(&table->grown)) {
            intake_fail(intake, -ENOMEM);
            return NULL;
        }
    return &rows_at(&table->grown, intake->row)[column];
}

void intake_doubt(struct intake *intake, const struct line *line) {
    if (open_row(intake))
        intake->look[intake->n_looks - 1].doubtful = line->number;
}

bool intake_grow(struct intake *intake, const char *name, uint64_t growth) {
    int column = open_column(intake, name);
    if (column < 0 || intake->tables[intake->table]->columns[column].kind != COLUMN_COUNTER)
        return false;
    cell *target = open_growth(intake, column);
    uint64_t sum;
    if (!target)
        return true;
    if (__builtin_add_overflow(*target == CELL_NULL ? 0 : (uint64_t) *target, growth, &sum) ||
            sum > INT64_MAX)
        sum = INT64_MAX;
    *target = (cell) sum;
    return true;
}

// A rate over a time that nobody knows: what was lost is told as of one second.
static void tell_no_span(struct intake *intake, const char *name, double per_second) {
    const struct table *table = intake->tables[intake->table];
    const struct rows *rows = &open_row(intake)->set.rows;
    const char *of = table->n_keys > 1 ? rows_text(rows, rows_at(rows, intake->row)[1]) : "";
    if (per_second > 0 && table_counts_losses(table))
        intake_note(intake, &(struct line){ .number = open_line(intake) },
                "%s%s%s.%s is %.2f a second over a time that is not known: counted as of one second", of,
                *of ? ": " : "", table->name, name, per_second);
}

bool intake_rate(struct intake *intake, const char *name, double per_second) {
    int64_t span_ms = intake->looking ? intake->look[intake->n_looks - 1].span_ms : 0;
    if (span_ms <= 0 && open_column(intake, name) >= 0)
        tell_no_span(intake, name, per_second);
    double growth = per_second * (double) (span_ms > 0 ? span_ms : 1000) / 1000.0;
    return intake_grow(intake, name,
            growth > 0 && growth < 9e18 ? (uint64_t) llround(growth) : 0);
}

bool intake_has(const struct intake *intake, const char *name) {
    int column = open_column(intake, name);
    if (column < 0)
        return false;
    const struct look_table *table = open_row(intake);
    return rows_at(&table->set.rows, intake->row)[column] != CELL_NULL ||
           (intake->row < table->grown.n &&
                   rows_at(&table->grown, intake->row)[column] != CELL_NULL);
}
