// SPDX-License-Identifier: GPL-2.0-or-later
// Gathered looks
#include "formats/gather.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int gathering_init(struct gathering *gathering, struct intake *intake) {
    *gathering = (struct gathering){ .intake = intake,
        .table = calloc(intake->n_tables, sizeof(*gathering->table)) };
    if (!gathering->table)
        return -ENOMEM;
    for (size_t i = 0; i < intake->n_tables; i++) {
        struct gathered *gathered = &gathering->table[i];
        objects_init(&gathered->now, intake->tables[i]);
        objects_init(&gathered->last, intake->tables[i]);
        rows_init(&gathered->grown, intake->tables[i]);
        rows_init(&gathered->watched, intake->tables[i]);
        rows_init(&gathered->source, intake->tables[i]);
        rows_init(&gathered->ahead, intake->tables[i]);
    }
    return 0;
}

void gathering_done(struct gathering *gathering) {
    for (size_t i = 0; gathering->table && i < gathering->intake->n_tables; i++) {
        objects_done(&gathering->table[i].now);
        objects_done(&gathering->table[i].last);
        rows_done(&gathering->table[i].ahead);
        rows_done(&gathering->table[i].grown);
        rows_done(&gathering->table[i].watched);
        rows_done(&gathering->table[i].source);
    }
    free(gathering->table);
}

cell *gather_row(struct objects *objects, const struct rows *rows, const cell *keys, uint32_t *at) {
    uint32_t object = objects_find(objects, rows, keys);
    if (object == NO_OBJECT)
        object = objects_add(objects, rows, keys);
    if (at)
        *at = object;
    return object == NO_OBJECT ? NULL : rows_at(&objects->rows, object);
}

cell *gather_beside(struct rows *rows, size_t row) {
    while (rows->n <= row)
        if (!rows_add(rows))
            return NULL;
    return rows_at(rows, row);
}

// Two outputs say different things of the same moment. Counters were read one after the other; of a
// setting only one can be right.
static void tell_contradiction(struct gathering *gathering, const struct look *look,
        const struct look *before, const struct look_table *table, size_t row, size_t column) {
    const struct column *declared = &table->set.rows.table->columns[column];
    gathering->intake->file = look->file;
    intake_note(gathering->intake, &(struct line){ .number = table->line[row] },
            "%s is set twice: before in %s, in the block at line %u; the later one is taken",
            declared->field ? declared->field : declared->name, before->file, before->line);
}

int gather_growth(struct gathered *gathered, size_t object, size_t column, cell growth) {
    cell *target = gather_beside(&gathered->grown, object);
    if (!target)
        return -ENOMEM;
    target[column] = (target[column] == CELL_NULL ? 0 : target[column]) + growth;
    return 0;
}

static int take_value(struct gathering *gathering, const struct look *look, size_t t, size_t row,
        size_t column, size_t object) {
    struct gathered *gathered = &gathering->table[t];
    const struct look_table *table = look->table[t];
    const struct rows *from = &table->set.rows;
    const cell *now = rows_at(from, row);
    cell *target = rows_at(&gathered->now.rows, object);
    cell *source = &rows_at(&gathered->source, object)[column];
    if (*source != CELL_NULL && rows_same_value(from, now, &gathered->now.rows, target, column))
        return 0;
    bool counter = from->table->columns[column].kind == COLUMN_COUNTER;
    if (*source != CELL_NULL && counter) {
        if (target[column] > now[column])
            return 0;
        if (gathering->one_step && gathering->intake->look[*source].moment != look->moment &&
                gather_growth(gathered, object, column, now[column] - target[column]) < 0)
            return -ENOMEM;
    }
    if (*source != CELL_NULL && !counter && look->format->setting)
        tell_contradiction(gathering, look, &gathering->intake->look[*source], table, row, column);
    *source = look - gathering->intake->look;
    return rows_copy_value(&gathered->now.rows, target, from, now, column);
}

// Rates over a time that is not known count as of one second (intake_rate()).
#define UNKNOWN_SPAN_MS 1000

static int take_growth(struct gathered *gathered, const struct look *look,
        const struct look_table *table, size_t row, size_t object) {
    if (row >= table->grown.n)
        return 0;
    const cell *growth = rows_at(&table->grown, row);
    int r = 0;
    for (size_t i = table->grown.table->n_keys; r == 0 && i < table->grown.table->n_columns; i++) {
        if (growth[i] == CELL_NULL)
            continue;
        cell *watched = gather_beside(&gathered->watched, object);
        if (!watched)
            return -ENOMEM;
        r = gather_growth(gathered, object, i, growth[i]);
        watched[i] = (watched[i] == CELL_NULL ? 0 : watched[i]) +
                     (look->span_ms > 0 ? look->span_ms : UNKNOWN_SPAN_MS);
    }
    return r;
}

static int take_row(struct gathering *gathering, const struct look *look, size_t t, size_t row) {
    struct gathered *gathered = &gathering->table[t];
    const struct look_table *table = look->table[t];
    const cell *now = rows_at(&table->set.rows, row);
    uint32_t object;
    if (!gather_row(&gathered->now, &table->set.rows, now, &object) ||
            !gather_beside(&gathered->source, object))
        return -ENOMEM;
    int r = 0;
    for (size_t i = table->set.rows.table->n_keys; r == 0 && i < table->set.rows.table->n_columns;
            i++)
        if (now[i] != CELL_NULL)
            r = take_value(gathering, look, t, row, i, object);
    return r < 0 ? r : take_growth(gathered, look, table, row, object);
}

static int take_look(struct gathering *gathering, const struct look *look) {
    int r = 0;
    for (size_t t = 0; r == 0 && look->table && t < gathering->intake->n_tables; t++)
        for (size_t row = 0; r == 0 && look->table[t] && row < look->table[t]->set.rows.n; row++)
            r = take_row(gathering, look, t, row);
    return r;
}

void gather_begin(struct gathering *gathering) {
    for (size_t t = 0; t < gathering->intake->n_tables; t++) {
        objects_clear(&gathering->table[t].now);
        rows_clear(&gathering->table[t].grown);
        rows_clear(&gathering->table[t].watched);
        rows_clear(&gathering->table[t].source);
    }
}

int gather_moment(struct gathering *gathering, size_t moment) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < gathering->intake->n_looks; i++) {
        const struct look *look = &gathering->intake->look[i];
        if (look->moment == moment || (look->format->setting && !gathering->one_step))
            r = take_look(gathering, look);
    }
    return r;
}

static bool is_of_host(const struct table *table) {
    static const char *const names[] = { "cpu", "disk", "memory", "process" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(table->name, names[i]) == 0)
            return true;
    return false;
}

void gather_stretch(struct gathering *gathering, int64_t span_ms) {
    for (size_t t = 0; span_ms > 0 && t < gathering->intake->n_tables; t++) {
        struct gathered *gathered = &gathering->table[t];
        const struct table *table = gathering->intake->tables[t];
        for (size_t row = 0; is_of_host(table) && row < gathered->watched.n; row++) {
            cell *growth = rows_at(&gathered->grown, row),
                 *watched = rows_at(&gathered->watched, row);
            for (size_t i = table->n_keys; i < table->n_columns; i++)
                if (watched[i] != CELL_NULL && watched[i] != span_ms)
                    growth[i] =
                            (cell) ((double) growth[i] * (double) span_ms / (double) watched[i]);
        }
    }
}

static bool is_carried(const struct table *table) {
    static const char *const names[] = { "process", "mount", "cgroup" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strcmp(table->name, names[i]) == 0)
            return true;
    return false;
}

// Copies levels and words that the target does not have.
static int fill_gaps(struct rows *to, cell *target, const struct rows *from, const cell *row) {
    int r = 0;
    for (size_t i = to->table->n_keys; r == 0 && i < to->table->n_columns; i++)
        if (to->table->columns[i].kind != COLUMN_COUNTER && row[i] != CELL_NULL &&
                target[i] == CELL_NULL)
            r = rows_copy_value(to, target, from, row, i);
    return r;
}

static int carry_table(struct gathered *gathered) {
    struct objects *now = &gathered->now, *last = &gathered->last;
    int r = 0;
    for (size_t i = 0; r == 0 && i < last->rows.n; i++) {
        const cell *before = rows_at(&last->rows, i);
        uint32_t object;
        cell *row = gather_row(now, &last->rows, before, &object);
        if (!row || !gather_beside(&gathered->source, object))
            return -ENOMEM;
        r = fill_gaps(&now->rows, row, &last->rows, before);
    }
    for (size_t i = 0; r == 0 && i < now->rows.n; i++) {
        const cell *row = rows_at(&now->rows, i);
        cell *kept = gather_row(last, &now->rows, row, NULL);
        for (size_t k = now->rows.table->n_keys; kept && k < now->rows.table->n_columns; k++)
            if (now->rows.table->columns[k].kind != COLUMN_COUNTER && row[k] != CELL_NULL)
                kept[k] = CELL_NULL;
        r = kept ? fill_gaps(&last->rows, kept, &now->rows, row) : -ENOMEM;
    }
    return r;
}

int gather_carry(struct gathering *gathering) {
    int r = 0;
    for (size_t t = 0; r == 0 && t < gathering->intake->n_tables; t++)
        if (is_carried(gathering->intake->tables[t]))
            r = carry_table(&gathering->table[t]);
    return r;
}
