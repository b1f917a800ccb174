// SPDX-License-Identifier: GPL-2.0-or-later
// Moments
#include "formats/moments.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"
#include "formats/outputs.h"

// How often each value was looked at by one kind of output: the cells count.
struct tally {
    size_t output;
    size_t table;
    struct objects objects; // seen_ms of an object: the time that its counts are of
};

struct tallies {
    struct tally *tally;
    size_t n;
    bool mixed; // the same values with and without a time
};

static void tallies_done(struct tallies *tallies) {
    for (size_t i = 0; i < tallies->n; i++)
        objects_done(&tallies->tally[i].objects);
    free(tallies->tally);
    *tallies = (struct tallies){ 0 };
}

static struct tally *tally_of(struct tallies *tallies, const struct intake *intake,
        size_t output, size_t table) {
    for (size_t i = 0; i < tallies->n; i++)
        if (tallies->tally[i].output == output && tallies->tally[i].table == table)
            return &tallies->tally[i];
    struct tally *grown = reallocarray(tallies->tally, tallies->n + 1, sizeof(*grown));
    if (!grown)
        return NULL;
    tallies->tally = grown;
    struct tally *tally = &grown[tallies->n++];
    *tally = (struct tally){ .output = output, .table = table };
    objects_init(&tally->objects, intake->tables[table]);
    return tally;
}

static bool is_set(const struct look_table *table, size_t row, size_t column) {
    return rows_at(&table->set.rows, row)[column] != CELL_NULL ||
           (row < table->grown.n && rows_at(&table->grown, row)[column] != CELL_NULL);
}

// The counts of a row, begun where there are none; NULL: no memory.
static cell *counts_of(struct tallies *tallies, struct tally *tally, const struct look *look,
        const struct look_table *table, size_t row) {
    const cell *keys = rows_at(&table->set.rows, row);
    uint32_t object = objects_find(&tally->objects, &table->set.rows, keys);
    bool added = object == NO_OBJECT;
    if (added)
        object = objects_add(&tally->objects, &table->set.rows, keys);
    if (object == NO_OBJECT)
        return NULL;
    struct object *known = &tally->objects.object[object];
    cell *counts = rows_at(&tally->objects.rows, object);
    if (added || known->seen_ms != look->at_ms) {
        tallies->mixed |= !added && (known->seen_ms == 0 || look->at_ms == 0);
        for (size_t i = tally->objects.rows.table->n_keys; i < tally->objects.rows.table->n_columns;
                i++)
            counts[i] = CELL_NULL;
    }
    known->seen_ms = look->at_ms;
    return counts;
}

// The highest count of what a row has, and, where `counted`, one more for all that it has.
static int rank_row(struct tallies *tallies, struct tally *tally, const struct look *look,
        const struct look_table *table, size_t row, size_t *rank, const size_t *counted) {
    cell *counts = counts_of(tallies, tally, look, table, row);
    if (!counts)
        return -ENOMEM;
    for (size_t i = table->set.rows.table->n_keys; i < table->set.rows.table->n_columns; i++) {
        if (!is_set(table, row, i))
            continue;
        if (counted)
            counts[i] = (cell) *counted + 1;
        else if (counts[i] != CELL_NULL && (size_t) counts[i] > *rank)
            *rank = (size_t) counts[i];
    }
    return 0;
}

static int rank_look(struct tallies *tallies, const struct intake *intake, const struct look *look,
        size_t *rank, const size_t *counted) {
    int r = 0;
    for (size_t t = 0; r == 0 && look->table && t < intake->n_tables; t++) {
        const struct look_table *table = look->table[t];
        struct tally *tally = table ? tally_of(tallies, intake, look->output, t) : NULL;
        if (table && !tally)
            return -ENOMEM;
        for (size_t row = 0; r == 0 && table && row < table->set.rows.n; row++)
            r = rank_row(tallies, tally, look, table, row, rank, counted);
    }
    return r;
}

// Of how many moments the values of a look are, and which of them this is.
struct place {
    size_t rank, of;
};

static int find_places(struct tallies *tallies, const struct intake *intake, struct place *places) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        if (look->format->setting)
            continue;
        r = rank_look(tallies, intake, look, &places[i].rank, NULL);
        if (r == 0)
            r = rank_look(tallies, intake, look, NULL, &places[i].rank);
    }
    for (size_t i = 0; r == 0 && i < intake->n_looks; i++)
        if (!intake->look[i].format->setting && intake->look[i].at_ms == 0)
            r = rank_look(tallies, intake, &intake->look[i], &places[i].of, NULL);
    return r;
}

static int drop_times(struct intake *intake) {
    for (size_t i = 0; i < intake->n_looks; i++)
        intake->look[i].at_ms = 0;
    return 0;
}

// Losses that grew at times that nobody tells, beside a host that was watched at times of its own: the
// times of the host are not theirs.
static bool has_foreign_times(const struct intake *intake, const struct place *places) {
    bool untold = false;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        for (size_t t = 0; look->table && !look->format->setting && t < intake->n_tables; t++) {
            if (!look->table[t] || !table_counts_losses(intake->tables[t]))
                continue;
            if (look->at_ms != 0)
                return false;
            untold |= places[i].of > 1 || look->table[t]->grown.n > 0;
        }
    }
    return untold;
}

static int place_looks(struct intake *intake, struct place *places) {
    _cleanup_(tallies_done) struct tallies tallies = { 0 };
    int r = find_places(&tallies, intake, places);
    if (r < 0 || (!tallies.mixed && !has_foreign_times(intake, places)))
        return r;
    tallies_done(&tallies);
    memset(places, 0, intake->n_looks * sizeof(*places));
    drop_times(intake);
    return find_places(&tallies, intake, places);
}

struct stamp {
    int64_t at_ms;
    size_t rank;
};

static int by_time(const void *a, const void *b) {
    const struct stamp *x = a, *y = b;
    if (x->at_ms != y->at_ms)
        return x->at_ms < y->at_ms ? -1 : 1;
    return x->rank < y->rank ? -1 : x->rank > y->rank;
}

// All stamps, sorted, each once. How many.
static size_t sort_stamps(const struct intake *intake, const struct place *places, struct stamp *ret) {
    size_t n = 0, kept = 0;
    for (size_t i = 0; i < intake->n_looks; i++)
        if (intake->look[i].at_ms != 0 && !intake->look[i].format->setting)
            ret[n++] = (struct stamp){ intake->look[i].at_ms, places[i].rank };
    qsort(ret, n, sizeof(*ret), by_time);
    for (size_t i = 0; i < n; i++)
        if (kept == 0 || by_time(&ret[kept - 1], &ret[i]) != 0)
            ret[kept++] = ret[i];
    return kept;
}

// With several times, what stands twice under one of them is one moment; with a single time, the
// order decides.
static void merge_ranks(const struct intake *intake, struct place *places) {
    int64_t first_ms = 0;
    bool several = false;
    for (size_t i = 0; i < intake->n_looks; i++) {
        int64_t at_ms = intake->look[i].format->setting ? 0 : intake->look[i].at_ms;
        several |= at_ms != 0 && first_ms != 0 && at_ms != first_ms;
        first_ms = first_ms ? first_ms : at_ms;
    }
    for (size_t i = 0; several && i < intake->n_looks; i++)
        if (intake->look[i].at_ms != 0)
            places[i].rank = 0;
}

static int assign(struct intake *intake, struct place *places, struct moments *ret) {
    _cleanup_free_ struct stamp *stamps = calloc(intake->n_looks + 1, sizeof(*stamps));
    if (!stamps)
        return -ENOMEM;
    merge_ranks(intake, places);
    size_t n_stamps = sort_stamps(intake, places, stamps);
    ret->n = n_stamps > 0 ? n_stamps : 1;
    for (size_t i = 0; i < intake->n_looks; i++)
        if (places[i].of > ret->n)
            ret->n = places[i].of;
    size_t before = ret->n - n_stamps; // moments without a time come first
    ret->at_ms = calloc(ret->n, sizeof(*ret->at_ms));
    if (!ret->at_ms)
        return -ENOMEM;
    for (size_t i = 0; i < n_stamps; i++)
        ret->at_ms[before + i] = stamps[i].at_ms;
    for (size_t i = 0; i < intake->n_looks; i++) {
        struct look *look = &intake->look[i];
        struct stamp key = { look->at_ms, places[i].rank };
        if (look->at_ms == 0) {
            look->moment = ret->n - (places[i].of > 0 ? places[i].of : 1) + places[i].rank;
            continue;
        }
        const struct stamp *found = bsearch(&key, stamps, n_stamps, sizeof(key), by_time);
        look->moment = found ? before + (size_t) (found - stamps) : ret->n - 1;
    }
    return 0;
}

// Whether a counter of this row was there at another moment; `firsts` keeps the first of each.
static int survey_row(struct objects *firsts, const struct look *look,
        const struct look_table *table, size_t row, struct moments *ret) {
    const cell *cells = rows_at(&table->set.rows, row);
    uint32_t object = objects_find(firsts, &table->set.rows, cells);
    if (object == NO_OBJECT)
        object = objects_add(firsts, &table->set.rows, cells);
    if (object == NO_OBJECT)
        return -ENOMEM;
    cell *first = rows_at(&firsts->rows, object);
    for (size_t i = firsts->rows.table->n_keys; i < firsts->rows.table->n_columns; i++) {
        if (firsts->rows.table->columns[i].kind != COLUMN_COUNTER || cells[i] == CELL_NULL)
            continue;
        ret->losses_stand = true;
        if (first[i] != CELL_NULL && first[i] != (cell) look->moment)
            ret->losses_grow = true;
        first[i] = (cell) look->moment;
    }
    return 0;
}

static int survey_table(const struct intake *intake, size_t t, struct moments *ret) {
    _cleanup_(objects_done) struct objects firsts;
    objects_init(&firsts, intake->tables[t]);
    bool losses = table_counts_losses(intake->tables[t]);
    int r = 0;
    for (size_t i = 0; r == 0 && i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        const struct look_table *table = look->table ? look->table[t] : NULL;
        if (!table)
            continue;
        ret->any_growth |= table->grown.n > 0;
        ret->losses_grow |= losses && table->grown.n > 0;
        for (size_t row = 0; r == 0 && losses && row < table->set.rows.n; row++)
            r = survey_row(&firsts, look, table, row, ret);
    }
    return r;
}

int moments_find(struct intake *intake, struct moments *ret) {
    struct moments moments = { 0 };
    _cleanup_free_ struct place *places = calloc(intake->n_looks + 1, sizeof(*places));
    int r = places ? outputs_number(intake) : -ENOMEM;
    if (r == 0)
        r = place_looks(intake, places);
    if (r == 0)
        r = assign(intake, places, &moments);
    for (size_t t = 0; r == 0 && t < intake->n_tables; t++)
        r = survey_table(intake, t, &moments);
    if (r == 0 && moments.losses_grow)
        r = moments_fold(intake, &moments);
    if (r < 0)
        moments_done(&moments);
    else
        *ret = moments;
    return r;
}

void moments_done(struct moments *moments) {
    free(moments->at_ms);
    *moments = (struct moments){ 0 };
}
