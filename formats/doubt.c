// SPDX-License-Identifier: GPL-2.0-or-later
// Growth in doubt
#include "formats/doubt.h"

#include <stdlib.h>

#include "formats/intake_private.h"

// So many counters that are not 0 must have grown or stayed: among increments of two spans some
// would be less in the second.
#define COUNTERS_LEAST 8

struct comparison {
    size_t n;     // counters that are not 0 in the first
    bool falling; // one is less in the second
};

static const struct rows *grown_of(const struct look *look, size_t table) {
    return look->table && look->table[table] ? &look->table[table]->grown : NULL;
}

static void compare_rows(const struct look *first, const struct look *second, size_t t, size_t row,
        struct comparison *ret) {
    const struct rows *keys = &first->table[t]->set.rows, *before = grown_of(first, t);
    const struct rows *after = grown_of(second, t);
    uint32_t other = objects_find(&second->table[t]->set, keys, rows_at(keys, row));
    if (other == NO_OBJECT || other >= after->n)
        return;
    const cell *x = rows_at(before, row), *y = rows_at(after, other);
    for (size_t i = keys->table->n_keys; i < keys->table->n_columns; i++) {
        if (x[i] == CELL_NULL || y[i] == CELL_NULL)
            continue;
        ret->n += x[i] > 0;
        ret->falling |= y[i] < x[i];
    }
}

// Whether the second look can only be the same counters later.
static bool goes_on(
        const struct intake *intake, const struct look *first, const struct look *second) {
    struct comparison comparison = { 0 };
    for (size_t t = 0; t < intake->n_tables; t++) {
        const struct rows *before = grown_of(first, t), *after = grown_of(second, t);
        for (size_t row = 0; before && after && row < before->n; row++)
            compare_rows(first, second, t, row, &comparison);
    }
    return !comparison.falling && comparison.n >= COUNTERS_LEAST;
}

static void make_absolute(const struct intake *intake, struct look *look) {
    for (size_t t = 0; look->table && t < intake->n_tables; t++) {
        struct look_table *table = look->table[t];
        for (size_t row = 0; table && row < table->grown.n; row++) {
            cell *set = rows_at(&table->set.rows, row), *grown = rows_at(&table->grown, row);
            for (size_t i = table->grown.table->n_keys; i < table->grown.table->n_columns; i++) {
                set[i] = grown[i] == CELL_NULL ? set[i] : grown[i];
                grown[i] = CELL_NULL;
            }
        }
        if (table)
            rows_clear(&table->grown);
    }
}

static void tell(struct intake *intake, const struct look *look, const char *taken_for) {
    intake->file = look->file;
    intake_note(intake, &(struct line){ .number = look->doubtful },
            "%s without its command: taken for %s", look->format->name, taken_for);
}

// One pair that cannot be the same counters makes all of them increments.
static bool are_absolute(const struct intake *intake) {
    const struct look *last = NULL;
    size_t pairs = 0;
    for (size_t i = 0; i < intake->n_looks; i++) {
        const struct look *look = &intake->look[i];
        if (look->doubtful == 0)
            continue;
        if (last && !goes_on(intake, last, look))
            return false;
        pairs += last != NULL;
        last = look;
    }
    return pairs > 0;
}

void intake_settle_doubt(struct intake *intake) {
    bool absolute = are_absolute(intake);
    for (size_t i = 0; i < intake->n_looks; i++) {
        struct look *look = &intake->look[i];
        if (look->doubtful == 0)
            continue;
        if (absolute)
            make_absolute(intake, look);
        tell(intake, look,
                absolute ? "all since boot (-a), since no counter is less in the later one"
                         : "what was added since the one before (with -a it is all since boot)");
        look->doubtful = 0;
    }
}
