// SPDX-License-Identifier: GPL-2.0-or-later
// Values over time
#pragma once

#include "core/store.h"
#include "core/window.h"

// One step of the window. NAN as a value: not known.
struct moment_span {
    int64_t end_ms;
    double seconds;
};

// One object's values of one column, one per step: growth of a counter, level of a gauge.
struct series {
    char **keys; // one per key column
    double *values;
};

struct series_list {
    const struct table *table;
    const struct column *column;
    struct moment_span *steps;
    size_t n_steps;
    struct series *series;
    size_t n_series;
};

// A key column and the value it must have.
struct series_filter {
    int column;
    const char *value;
};

// Reads the open window. A counter without a row grew by 0; a gauge keeps its level. 0 or -errno.
int series_read(struct store *store, const struct table *table, const struct column *column,
        const struct series_filter *filters, size_t n_filters, struct series_list *ret);
// Drops the steps that ended at start_ms or before.
void series_trim(struct series_list *list, int64_t start_ms);
void series_done(struct series_list *list);

// The sum of all series, for a counter, with unknown values left out. NULL: out of memory; free()
// it.
double *series_sum(const struct series_list *list);

struct summary {
    double least, most, last, sum,
            seconds; // per second where `rates`, else of the values; NAN: nothing is known
    int64_t most_ms; // end of the step of `most`
};
void series_summary(
        const struct series_list *list, const double *values, bool rates, struct summary *ret);

// "netns=host, interface=eth0": malloc()ed.
char *series_name(const struct series_list *list, const struct series *series);
