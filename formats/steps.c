// SPDX-License-Identifier: GPL-2.0-or-later
// Steps of an intake
#include "formats/steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/growth.h"
#include "formats/adopt.h"
#include "formats/intake_private.h"
#include "formats/moments.h"

// Times before 1973 are of stamps without a year.
#define YEAR_KNOWN_MS ((LINE_YEARLESS_DAYS + 366) * INT64_C(86400000))

// What one table had at the moment that is being made.
struct gathered {
    struct objects now; // absolute values
    struct rows grown;  // growth that the paste gives, beside the rows of `now`
    struct rows source; // the look that each value is of, beside them
    struct objects last; // absolute values of all moments before
};

struct builder {
    struct intake *intake;
    struct moments moments;
    struct gathered *table; // one per table
    struct sample *sample;
    struct growth *growth;
    struct step *step;
    struct store *store;
    int64_t end_ms; // of a window without times
    bool one_step;  // all of it is one look since boot
    bool told_restart;
};

static void builder_done(struct builder *builder) {
    for (size_t i = 0; builder->table && i < builder->intake->n_tables; i++) {
        objects_done(&builder->table[i].now);
        objects_done(&builder->table[i].last);
        rows_done(&builder->table[i].grown);
        rows_done(&builder->table[i].source);
    }
    free(builder->table);
    moments_done(&builder->moments);
    sample_free(builder->sample);
    growth_free(builder->growth);
    step_free(builder->step);
}

static int builder_init(struct builder *builder, struct intake *intake, struct store *store) {
    const struct table *const *tables = intake->tables;
    size_t n = intake->n_tables;
    *builder = (struct builder){ .intake = intake,
        .table = calloc(n, sizeof(*builder->table)),
        .sample = sample_new(tables, n),
        .growth = growth_new(tables, n),
        .step = step_new(tables, n),
        .store = store };
    for (size_t i = 0; builder->table && i < n; i++) {
        objects_init(&builder->table[i].now, tables[i]);
        objects_init(&builder->table[i].last, tables[i]);
        rows_init(&builder->table[i].grown, tables[i]);
        rows_init(&builder->table[i].source, tables[i]);
    }
    bool made = builder->table && builder->sample && builder->growth && builder->step;
    return made ? 0 : -ENOMEM;
}

static cell *row_of(struct objects *objects, const struct rows *rows, const cell *keys, uint32_t *at) {
    uint32_t object = objects_find(objects, rows, keys);
    if (object == NO_OBJECT)
        object = objects_add(objects, rows, keys);
    if (at)
        *at = object;
    return object == NO_OBJECT ? NULL : rows_at(&objects->rows, object);
}

static cell *row_beside(struct rows *rows, size_t row) {
    while (rows->n <= row)
        if (!rows_add(rows))
            return NULL;
    return rows_at(rows, row);
}

// Two outputs say different things of the same moment. Counters were read one after the other; of a
// setting only one can be right.
static void tell_contradiction(struct builder *builder, const struct look *look,
        const struct look *before, const struct look_table *table, size_t row, size_t column) {
    const struct column *declared = &table->set.rows.table->columns[column];
    builder->intake->file = look->file;
    intake_note(builder->intake, &(struct line){ .number = table->line[row] },
            "%s is set twice: before in %s, in the block at line %u; the later one is taken",
            declared->field ? declared->field : declared->name, before->file, before->line);
}

static int add_growth(struct gathered *gathered, size_t object, size_t column, cell growth) {
    cell *target = row_beside(&gathered->grown, object);
    if (!target)
        return -ENOMEM;
    target[column] = (target[column] == CELL_NULL ? 0 : target[column]) + growth;
    return 0;
}

static int take_value(struct builder *builder, const struct look *look, size_t t, size_t row,
        size_t column, size_t object) {
    struct gathered *gathered = &builder->table[t];
    const struct look_table *table = look->table[t];
    const struct rows *from = &table->set.rows;
    const cell *now = rows_at(from, row);
    cell *target = rows_at(&gathered->now.rows, object);
    cell *source = &rows_at(&gathered->source, object)[column];
    if (*source != CELL_NULL &&
            rows_same_value(from, now, &gathered->now.rows, target, column))
        return 0;
    bool counter = from->table->columns[column].kind == COLUMN_COUNTER;
    if (*source != CELL_NULL && counter) {
        if (target[column] > now[column])
            return 0;
        if (builder->one_step && builder->intake->look[*source].moment != look->moment &&
                add_growth(gathered, object, column, now[column] - target[column]) < 0)
            return -ENOMEM;
    }
    if (*source != CELL_NULL && !counter && look->format->setting)
        tell_contradiction(builder, look, &builder->intake->look[*source], table, row, column);
    *source = look - builder->intake->look;
    return rows_copy_value(&gathered->now.rows, target, from, now, column);
}

static int take_growth(struct gathered *gathered, const struct look_table *table, size_t row,
        size_t object) {
    if (row >= table->grown.n)
        return 0;
    const cell *growth = rows_at(&table->grown, row);
    int r = 0;
    for (size_t i = table->grown.table->n_keys; r == 0 && i < table->grown.table->n_columns; i++)
        if (growth[i] != CELL_NULL)
            r = add_growth(gathered, object, i, growth[i]);
    return r;
}

static int take_row(struct builder *builder, const struct look *look, size_t t, size_t row) {
    struct gathered *gathered = &builder->table[t];
    const struct look_table *table = look->table[t];
    const cell *now = rows_at(&table->set.rows, row);
    uint32_t object;
    if (!row_of(&gathered->now, &table->set.rows, now, &object) ||
            !row_beside(&gathered->source, object))
        return -ENOMEM;
    int r = 0;
    for (size_t i = table->set.rows.table->n_keys;
            r == 0 && i < table->set.rows.table->n_columns; i++)
        if (now[i] != CELL_NULL)
            r = take_value(builder, look, t, row, i, object);
    return r < 0 ? r : take_growth(gathered, table, row, object);
}

static int take_look(struct builder *builder, const struct look *look) {
    int r = 0;
    for (size_t t = 0; r == 0 && look->table && t < builder->intake->n_tables; t++)
        for (size_t row = 0; r == 0 && look->table[t] && row < look->table[t]->set.rows.n; row++)
            r = take_row(builder, look, t, row);
    return r;
}

static void begin_moment(struct builder *builder) {
    for (size_t t = 0; t < builder->intake->n_tables; t++) {
        objects_clear(&builder->table[t].now);
        rows_clear(&builder->table[t].grown);
        rows_clear(&builder->table[t].source);
    }
}

static int gather(struct builder *builder, size_t moment) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < builder->intake->n_looks; i++) {
        const struct look *look = &builder->intake->look[i];
        if (look->moment == moment || (look->format->setting && !builder->one_step))
            r = take_look(builder, look);
    }
    return r;
}

// A counter that fell: the host was started anew, or the outputs stand in another order.
static void tell_fall(struct builder *builder, const struct gathered *gathered, size_t object,
        size_t column, cell before, cell now) {
    const struct column *declared = &gathered->now.rows.table->columns[column];
    const struct look *look =
            &builder->intake->look[rows_at(&gathered->source, object)[column]];
    if (builder->told_restart || growth_of(before, now, 1) != CELL_NULL)
        return;
    builder->told_restart = true;
    builder->intake->file = look->file;
    intake_note(builder->intake, &(struct line){ .number = look->line },
            "%s falls from %" PRId64 " to %" PRId64
            ": the host was started anew, or the outputs are not in the order of time; its growth is "
            "not known",
            declared->field ? declared->field : declared->name, before, now);
}

// Growth that the paste gives becomes what the counter was before. Where the counter itself is not
// known, the growth stands for it.
static int put_growth(struct builder *builder, size_t t, size_t object, cell *row, cell *last) {
    struct gathered *gathered = &builder->table[t];
    struct rows *rows = &builder->sample->rows[t];
    if (object >= gathered->grown.n)
        return 0;
    const cell *growth = rows_at(&gathered->grown, object);
    cell *before = rows_before(rows);
    if (!before)
        return -ENOMEM;
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++) {
        if (growth[i] == CELL_NULL || (row[i] != CELL_NULL && last[i] != CELL_NULL))
            continue;
        if (row[i] == CELL_NULL)
            row[i] = growth[i];
        before[i] = row[i] > growth[i] ? row[i] - growth[i] : 0;
    }
    return 0;
}

static int put_row(struct builder *builder, size_t t, size_t object) {
    struct gathered *gathered = &builder->table[t];
    const struct rows *now = &gathered->now.rows;
    const cell *values = rows_at(now, object);
    cell *last = row_of(&gathered->last, now, values, NULL);
    cell *row = rows_add(&builder->sample->rows[t]);
    if (!last || !row || rows_copy(&builder->sample->rows[t], row, now, values) < 0)
        return -ENOMEM;
    for (size_t i = now->table->n_keys; i < now->table->n_columns; i++)
        if (now->table->columns[i].kind == COLUMN_COUNTER && values[i] != CELL_NULL &&
                last[i] != CELL_NULL && values[i] < last[i])
            tell_fall(builder, gathered, object, i, last[i], values[i]);
    int r = put_growth(builder, t, object, row, last);
    for (size_t i = now->table->n_keys; i < now->table->n_columns; i++)
        if (now->table->columns[i].kind == COLUMN_COUNTER && values[i] != CELL_NULL)
            last[i] = values[i];
    return r;
}

static int fill_sample(struct builder *builder) {
    int r = 0;
    for (size_t t = 0; r == 0 && t < builder->intake->n_tables; t++) {
        rows_clear(&builder->sample->rows[t]);
        struct outcome *outcome = &builder->sample->outcome[t];
        if (builder->intake->listed[t])
            *outcome = (struct outcome){ .state = OUTCOME_OK };
        else
            outcome_set(outcome, OUTCOME_ABSENT, "not in what was given");
        for (size_t i = 0; r == 0 && i < builder->table[t].now.rows.n; i++)
            r = put_row(builder, t, i);
    }
    return r;
}

// Growth is no absolute value.
static void clear_totals(struct builder *builder, size_t t) {
    struct gathered *gathered = &builder->table[t];
    struct rows *total = &builder->step->total[t];
    for (size_t i = 0; i < total->n && gathered->grown.n > 0; i++) {
        cell *row = rows_at(total, i);
        uint32_t object = objects_find(&gathered->now, total, row);
        if (object == NO_OBJECT || object >= gathered->grown.n)
            continue;
        const cell *growth = rows_at(&gathered->grown, object);
        const cell *now = rows_at(&gathered->now.rows, object);
        for (size_t c = total->table->n_keys; c < total->table->n_columns; c++)
            if (growth[c] != CELL_NULL && now[c] == CELL_NULL)
                row[c] = CELL_NULL;
    }
}

static int64_t span_of(const struct builder *builder, size_t moment) {
    const int64_t *at_ms = builder->moments.at_ms;
    int64_t span_ms = 0;
    if (moment > 0 && at_ms[moment] != 0 && at_ms[moment - 1] != 0)
        return at_ms[moment] - at_ms[moment - 1];
    for (size_t i = 0; i < builder->intake->n_looks; i++) {
        const struct look *look = &builder->intake->look[i];
        if (look->moment == moment && !look->format->setting && look->span_ms > span_ms)
            span_ms = look->span_ms;
    }
    return span_ms;
}

// Steps need times that differ, also where nobody knows them.
static int64_t end_of(const struct builder *builder, size_t moment) {
    const struct moments *moments = &builder->moments;
    size_t known = moment;
    while (known < moments->n && moments->at_ms[known] == 0)
        known++;
    int64_t at_ms = known < moments->n ? moments->at_ms[known] : builder->end_ms;
    size_t behind = known < moments->n ? known - moment : moments->n - 1 - moment;
    return at_ms - (int64_t) behind;
}

static bool has_growth(const struct builder *builder) {
    for (size_t t = 0; t < builder->intake->n_tables; t++)
        if (builder->table[t].grown.n > 0)
            return true;
    return false;
}

static int write_step(struct builder *builder, size_t moment, struct intake_steps *ret) {
    struct sample *sample = builder->sample;
    int64_t before_ms = sample->boottime_ms, end_ms = end_of(builder, moment);
    int64_t span_ms = builder->one_step ? builder->intake->uptime_ms : span_of(builder, moment);
    if (end_ms <= sample->wall_ms)
        end_ms = sample->wall_ms + 1; // two moments of one time
    sample->wall_ms = end_ms;
    sample->boottime_ms = sample->monotonic_ms = before_ms + (span_ms > 0 ? span_ms : 1);
    int r = growth_step(builder->growth, sample, builder->step);
    if (r < 0)
        return r;
    struct step *step = builder->step;
    bool baseline = (step->flags & STEP_BASELINE) && !has_growth(builder);
    step->flags = builder->one_step ? STEP_SINCE_BOOT : baseline ? STEP_BASELINE : 0;
    step->length_ms = baseline ? 0 : span_ms;
    for (size_t t = 0; t < builder->intake->n_tables; t++)
        clear_totals(builder, t);
    if (!baseline) {
        ret->timed &= span_ms > 0;
        ret->dated &= builder->moments.at_ms[moment] >= YEAR_KNOWN_MS;
        ret->start_ms = ret->moments++ == 0 ? end_ms - span_ms - 1 : ret->start_ms;
    }
    ret->end_ms = end_ms;
    return store_write_step(builder->store, step);
}

static int write_moment(struct builder *builder, size_t moment, struct intake_steps *ret) {
    int r = fill_sample(builder);
    return r < 0 ? r : write_step(builder, moment, ret);
}

// Where no counter of losses was seen twice, all is one look since boot. What the counters of the
// host around them did while it was watched stays growth.
static int write_steps(struct builder *builder, struct intake_steps *ret) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < builder->moments.n; i++) {
        if (i == 0 || !builder->one_step)
            begin_moment(builder);
        r = gather(builder, i);
        if (r == 0 && (!builder->one_step || i + 1 == builder->moments.n))
            r = write_moment(builder, i, ret);
    }
    return r;
}

static bool is_empty(const struct intake *intake) {
    for (size_t i = 0; i < intake->n_tables; i++)
        if (intake->listed[i])
            return false;
    return true;
}

int intake_store(struct intake *intake, struct store *store, int64_t now_ms,
        struct intake_steps *ret) {
    _cleanup_(builder_done) struct builder builder;
    struct intake_steps steps = { .timed = true, .dated = true };
    int r = builder_init(&builder, intake, store);
    if (r == 0)
        r = adopt_interfaces(intake);
    if (r == 0)
        r = moments_find(intake, &builder.moments);
    if (r < 0)
        return r;
    if (is_empty(intake))
        return 1;
    builder.end_ms = now_ms;
    const struct moments *moments = &builder.moments;
    builder.one_step = !moments->losses_grow &&
                       (moments->losses_stand || (moments->n == 1 && !moments->any_growth));
    steps.kind = builder.one_step ? WINDOW_SINCE_BOOT : WINDOW_CAPTURE;
    if (builder.one_step)
        growth_since_boot(builder.growth);
    r = write_steps(&builder, &steps);
    if (r == 0)
        *ret = steps;
    return r < 0 ? r : intake->error;
}
