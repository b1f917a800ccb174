// SPDX-License-Identifier: GPL-2.0-or-later
// Steps of an intake
#include "formats/steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/growth.h"
#include "formats/gather.h"
#include "formats/adopt.h"
#include "formats/doubt.h"
#include "formats/intake_private.h"
#include "formats/moments.h"
#include "formats/overlap.h"
#include "formats/sanity.h"
#include "formats/quiet.h"
#include "formats/reckon.h"

// Times before 1973 are of stamps without a year.
#define YEAR_KNOWN_MS ((LINE_YEARLESS_DAYS + 366) * INT64_C(86400000))

struct builder {
    struct intake *intake;
    struct moments moments;
    struct gathering gathering;
    struct sample *sample;
    struct growth *growth;
    struct step *step;
    struct store *store;
    int64_t end_ms; // of a window without times
    bool one_step;  // all of it is one look since boot
    bool told_restart;
    bool begun_late; // a counter was read after growth of it was told
};

static void builder_done(struct builder *builder) {
    gathering_done(&builder->gathering);
    moments_done(&builder->moments);
    sample_free(builder->sample);
    growth_free(builder->growth);
    step_free(builder->step);
}

static int builder_init(struct builder *builder, struct intake *intake, struct store *store) {
    const struct table *const *tables = intake->tables;
    size_t n = intake->n_tables;
    *builder = (struct builder){ .intake = intake,
        .sample = sample_new(tables, n),
        .growth = growth_new(tables, n),
        .step = step_new(tables, n),
        .store = store };
    int r = gathering_init(&builder->gathering, intake);
    return r == 0 && builder->sample && builder->growth && builder->step ? 0 : -ENOMEM;
}

// A counter that fell: the host was started anew, or the outputs stand in another order.
static void tell_fall(struct builder *builder, const struct gathered *gathered, size_t object,
        size_t column, cell before, cell now) {
    const struct column *declared = &gathered->now.rows.table->columns[column];
    const struct look *look = &builder->intake->look[rows_at(&gathered->source, object)[column]];
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

static int reckon_row(struct builder *builder, size_t t, size_t object, cell *row) {
    struct gathered *gathered = &builder->gathering.table[t];
    struct rows *rows = &builder->sample->rows[t];
    const struct table *table = rows->table;
    const cell *values = rows_at(&gathered->now.rows, object);
    uint32_t at;
    cell *last = gather_row(&gathered->last, &gathered->now.rows, values, &at);
    cell *ahead = last ? gather_beside(&gathered->ahead, at) : NULL;
    const cell *growth = object < gathered->grown.n ? rows_at(&gathered->grown, object) : NULL;
    if (!ahead)
        return -ENOMEM;
    for (size_t i = table->n_keys; i < table->n_columns; i++) {
        struct reckoning known = { growth ? growth[i] : CELL_NULL, &last[i], &ahead[i] };
        cell before = CELL_NULL;
        if (table->columns[i].kind != COLUMN_COUNTER)
            continue;
        if (values[i] != CELL_NULL && last[i] != CELL_NULL && values[i] < last[i])
            tell_fall(builder, gathered, object, i, last[i], values[i]);
        reckon(&known, &row[i], &before);
        builder->begun_late |= values[i] != CELL_NULL && row[i] == CELL_NULL;
        cell *told = before == CELL_NULL ? NULL : rows_before(rows);
        if (told)
            told[i] = before;
        else if (before != CELL_NULL)
            return -ENOMEM;
    }
    return 0;
}

static int put_row(struct builder *builder, size_t t, size_t object) {
    const struct rows *now = &builder->gathering.table[t].now.rows;
    cell *row = rows_add(&builder->sample->rows[t]);
    if (!row || rows_copy(&builder->sample->rows[t], row, now, rows_at(now, object)) < 0)
        return -ENOMEM;
    return reckon_row(builder, t, object, row);
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
        for (size_t i = 0; r == 0 && i < builder->gathering.table[t].now.rows.n; i++)
            r = put_row(builder, t, i);
    }
    return r;
}

// Growth is no absolute value.
static void clear_totals(struct builder *builder, size_t t) {
    struct gathered *gathered = &builder->gathering.table[t];
    struct rows *total = &builder->step->total[t];
    for (size_t i = 0; i < total->n && (gathered->grown.n > 0 || builder->begun_late); i++) {
        cell *row = rows_at(total, i);
        uint32_t object = objects_find(&gathered->now, total, row);
        if (object == NO_OBJECT)
            continue;
        const cell *growth = object < gathered->grown.n ? rows_at(&gathered->grown, object) : NULL;
        const cell *now = rows_at(&gathered->now.rows, object);
        for (size_t c = total->table->n_keys; c < total->table->n_columns; c++)
            if (total->table->columns[c].kind == COLUMN_COUNTER &&
                    (now[c] != CELL_NULL || (growth && growth[c] != CELL_NULL)))
                row[c] = now[c];
    }
}

static int64_t span_of(const struct builder *builder, size_t moment) {
    const int64_t *at_ms = builder->moments.at_ms;
    int64_t span_ms = 0;
    if (moment > 0 && at_ms[moment] != 0 && at_ms[moment - 1] != 0)
        return at_ms[moment] - at_ms[moment - 1];
    for (size_t i = 0; i < builder->intake->n_looks; i++) {
        const struct look *look = &builder->intake->look[i];
        // How long a vmstat beside them took says nothing of the time between two looks at losses.
        bool counts = !builder->moments.losses_grow || look_tells_losses(builder->intake, look);
        if (look->moment == moment && !look->format->setting && counts && look->span_ms > span_ms)
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
        if (builder->gathering.table[t].grown.n > 0)
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
            gather_begin(&builder->gathering);
        r = gather_moment(&builder->gathering, i);
        if (r == 0 && !builder->one_step)
            r = gather_carry(&builder->gathering);
        if (r == 0 && !builder->one_step)
            gather_stretch(&builder->gathering, span_of(builder, i));
        if (r == 0 && i + 1 == builder->moments.n)
            r = gather_socket_drops(&builder->gathering);
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

int intake_store(
        struct intake *intake, struct store *store, int64_t now_ms, struct intake_steps *ret) {
    _cleanup_(builder_done) struct builder builder;
    struct intake_steps steps = { .timed = true, .dated = true };
    int r = builder_init(&builder, intake, store);
    intake_settle_doubt(intake);
    if (r == 0)
        r = adopt_interfaces(intake);
    if (r == 0)
        r = quiet_leave_out(intake);
    if (r == 0)
        r = moments_find(intake, &builder.moments);
    if (r == 0)
        r = overlap_leave_out(intake);
    if (r < 0)
        return r;
    if (is_empty(intake))
        return 1;
    sanity_check(intake);
    builder.end_ms = now_ms;
    const struct moments *moments = &builder.moments;
    builder.one_step = !moments->losses_grow &&
                       (moments->losses_stand || (moments->n == 1 && !moments->any_growth));
    steps.kind = builder.one_step ? WINDOW_SINCE_BOOT : WINDOW_CAPTURE;
    builder.gathering.one_step = builder.one_step;
    growth_keep_all(builder.growth);
    if (builder.one_step)
        growth_since_boot(builder.growth);
    r = write_steps(&builder, &steps);
    // Of a dated series only the first step can lack its length.
    steps.timed |= steps.dated && steps.moments > 1;
    if (r == 0)
        *ret = steps;
    return r < 0 ? r : intake->error;
}
