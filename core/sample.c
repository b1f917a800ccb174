// SPDX-License-Identifier: GPL-2.0-or-later
// Samples and steps
#include "core/sample.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *outcome_name(enum outcome_state state) {
    static const char *const names[] = {
        [OUTCOME_NOT_DUE] = "not due",
        [OUTCOME_OK] = "ok",
        [OUTCOME_ABSENT] = "absent",
        [OUTCOME_DENIED] = "denied",
        [OUTCOME_FAILED] = "failed",
    };
    return names[state];
}

void outcome_set(struct outcome *outcome, enum outcome_state state, const char *format, ...) {
    outcome->state = state;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(outcome->reason, sizeof(outcome->reason), format, arguments);
    va_end(arguments);
}

static struct rows *rows_array(const struct table *const *tables, size_t n) {
    struct rows *rows = calloc(n, sizeof(*rows));
    for (size_t i = 0; rows && i < n; i++)
        rows_init(&rows[i], tables[i]);
    return rows;
}

static void rows_array_free(struct rows *rows, size_t n) {
    for (size_t i = 0; rows && i < n; i++)
        rows_done(&rows[i]);
    free(rows);
}

struct sample *sample_new(const struct table *const *tables, size_t n_tables) {
    struct sample *sample = calloc(1, sizeof(*sample));
    if (!sample)
        return NULL;
    sample->n_tables = n_tables;
    sample->rows = rows_array(tables, n_tables);
    sample->outcome = calloc(n_tables, sizeof(*sample->outcome));
    return sample->rows && sample->outcome ? sample : sample_free(sample);
}

struct sample *sample_free(struct sample *sample) {
    if (!sample)
        return NULL;
    rows_array_free(sample->rows, sample->n_tables);
    free(sample->outcome);
    free(sample);
    return NULL;
}

struct step *step_new(const struct table *const *tables, size_t n_tables) {
    struct step *step = calloc(1, sizeof(*step));
    if (!step)
        return NULL;
    step->n_tables = n_tables;
    step->growth = rows_array(tables, n_tables);
    step->total = rows_array(tables, n_tables);
    step->outcome = calloc(n_tables, sizeof(*step->outcome));
    return step->growth && step->total && step->outcome ? step : step_free(step);
}

struct step *step_free(struct step *step) {
    if (!step)
        return NULL;
    rows_array_free(step->growth, step->n_tables);
    rows_array_free(step->total, step->n_tables);
    free(step->outcome);
    free(step);
    return NULL;
}

void step_clear(struct step *step) {
    step->end_ms = step->length_ms = step->boottime_ms = 0;
    step->flags = 0;
    for (size_t i = 0; i < step->n_tables; i++) {
        rows_clear(&step->growth[i]);
        rows_clear(&step->total[i]);
    }
    memset(step->outcome, 0, step->n_tables * sizeof(*step->outcome));
}

// Most are found where they stand in the other.
static long find_row(const struct rows *rows, const struct rows *other, size_t hint) {
    const cell *row = rows_at(other, hint);
    for (size_t n = 0, i = hint; n < rows->n; n++, i++) {
        if (i >= rows->n)
            i = 0;
        if (rows_same_keys(rows, rows_at(rows, i), other, row))
            return (long) i;
    }
    return -1;
}

static int merge_row(struct rows *into, const struct rows *from, size_t number, bool growth) {
    const cell *row = rows_at(from, number);
    long at = find_row(into, from, number);
    bool added = at < 0;
    if (added) {
        at = (long) into->n;
        if (!rows_add(into))
            return -ENOMEM;
    }
    for (size_t i = added ? 0 : into->table->n_keys; i < into->table->n_columns; i++) {
        cell before = rows_at(into, (size_t) at)[i];
        if (growth && into->table->columns[i].kind == COLUMN_COUNTER && before != CELL_NULL) {
            if (row[i] != CELL_NULL)
                rows_at(into, (size_t) at)[i] = before + row[i];
            continue;
        }
        int r = rows_copy_value(into, rows_at(into, (size_t) at), from, row, i);
        if (r < 0)
            return r;
    }
    return 0;
}

int step_copy(struct step *step, const struct step *from) {
    step->end_ms = from->end_ms;
    step->length_ms = from->length_ms;
    step->boottime_ms = from->boottime_ms;
    step->flags = from->flags;
    memcpy(step->outcome, from->outcome, step->n_tables * sizeof(*step->outcome));
    int r = 0;
    for (size_t t = 0; t < step->n_tables && r >= 0; t++) {
        r = rows_assign(&step->growth[t], &from->growth[t]);
        if (r >= 0)
            r = rows_assign(&step->total[t], &from->total[t]);
    }
    return r;
}

int step_merge(struct step *step, const struct step *later) {
    for (size_t t = 0; t < step->n_tables; t++) {
        for (size_t i = 0; i < later->growth[t].n; i++) {
            int r = merge_row(&step->growth[t], &later->growth[t], i, true);
            if (r >= 0)
                r = merge_row(&step->total[t], &later->total[t], i, false);
            if (r < 0)
                return r;
        }
        if (later->outcome[t].state != OUTCOME_NOT_DUE)
            step->outcome[t] = later->outcome[t];
    }
    step->end_ms = later->end_ms;
    step->length_ms += later->length_ms;
    step->boottime_ms = later->boottime_ms;
    step->flags |= later->flags;
    return 0;
}
