// SPDX-License-Identifier: GPL-2.0-or-later
// Values over time
#include "cli/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

static void finalize(sqlite3_stmt **statement) {
    sqlite3_finalize(*statement);
}

static int read_steps(struct store *store, struct series_list *list) {
    _cleanup_(finalize) sqlite3_stmt *query = NULL;
    int r;
    if (sqlite3_prepare_v2(store_db(store), "SELECT end_ms, seconds FROM temp.step ORDER BY step",
                -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    for (size_t capacity = 0; (r = sqlite3_step(query)) == SQLITE_ROW; list->n_steps++) {
        if (list->n_steps == capacity) {
            capacity = capacity ? 2 * capacity : 1024;
            struct moment_span *steps = reallocarray(list->steps, capacity, sizeof(*steps));
            if (!steps)
                return -ENOMEM;
            list->steps = steps;
        }
        list->steps[list->n_steps] = (struct moment_span){
            .end_ms = sqlite3_column_int64(query, 0),
            .seconds = sqlite3_column_double(query, 1),
        };
    }
    return r == SQLITE_DONE ? 0 : -EIO;
}

// SELECT of rank of the step, value, and keys, by object and time. Names come from the
// declarations.
static char *make_query(
        const struct series_list *list, const struct series_filter *filters, size_t n_filters) {
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    fprintf(out, "SELECT s.n, t.\"%s\"", list->column->name);
    for (size_t i = 0; i < list->table->n_keys; i++)
        fprintf(out, ", t.\"%s\"", list->table->columns[i].name);
    fprintf(out,
            " FROM temp.\"%s_step\" t JOIN (SELECT step, row_number() OVER (ORDER BY step) - 1 AS n FROM temp.step) s"
            " ON s.step = t.step WHERE 1",
            list->table->name);
    for (size_t i = 0; i < n_filters; i++)
        fprintf(out, " AND CAST(t.\"%s\" AS TEXT) = ?%zu",
                list->table->columns[filters[i].column].name, i + 1);
    fputs(" ORDER BY ", out);
    for (size_t i = 0; i < list->table->n_keys; i++)
        fprintf(out, "t.\"%s\", ", list->table->columns[i].name);
    fputs("s.n", out);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}

static bool is_same_object(
        const struct series_list *list, const struct series *series, sqlite3_stmt *row) {
    for (size_t i = 0; i < list->table->n_keys; i++) {
        const char *key = (const char *) sqlite3_column_text(row, (int) i + 2);
        if (strcmp(series->keys[i], key ? key : "") != 0)
            return false;
    }
    return true;
}

static int add_series(struct series_list *list, sqlite3_stmt *row) {
    struct series *all = reallocarray(list->series, list->n_series + 1, sizeof(*all));
    if (!all)
        return -ENOMEM;
    list->series = all;
    struct series *series = &all[list->n_series];
    *series = (struct series){
        .keys = calloc(list->table->n_keys + 1, sizeof(*series->keys)),
        .values = malloc((list->n_steps + 1) * sizeof(*series->values)),
    };
    list->n_series++;
    if (!series->keys || !series->values)
        return -ENOMEM;
    for (size_t i = 0; i < list->n_steps; i++)
        series->values[i] = list->column->kind == COLUMN_COUNTER ? 0 : NAN;
    for (size_t i = 0; i < list->table->n_keys; i++) {
        const char *key = (const char *) sqlite3_column_text(row, (int) i + 2);
        series->keys[i] = strdup(key ? key : "");
        if (!series->keys[i])
            return -ENOMEM;
    }
    return 0;
}

static int read_rows(struct series_list *list, sqlite3_stmt *query) {
    int r;
    while ((r = sqlite3_step(query)) == SQLITE_ROW) {
        size_t step = (size_t) sqlite3_column_int64(query, 0);
        if (step >= list->n_steps)
            continue;
        if (list->n_series == 0 ||
                !is_same_object(list, &list->series[list->n_series - 1], query)) {
            int added = add_series(list, query);
            if (added < 0)
                return added;
        }
        list->series[list->n_series - 1].values[step] = sqlite3_column_type(query, 1) == SQLITE_NULL
                                                                ? NAN
                                                                : sqlite3_column_double(query, 1);
    }
    return r == SQLITE_DONE ? 0 : -EIO;
}

static void keep_levels(struct series_list *list) {
    for (size_t i = 0; i < list->n_series; i++)
        for (size_t j = 1; j < list->n_steps; j++)
            if (isnan(list->series[i].values[j]))
                list->series[i].values[j] = list->series[i].values[j - 1];
}

static int read_all(struct store *store, const struct series_filter *filters, size_t n_filters,
        struct series_list *list) {
    _cleanup_(finalize) sqlite3_stmt *query = NULL;
    _cleanup_free_ char *sql = make_query(list, filters, n_filters);
    int r = read_steps(store, list);
    if (r < 0 || !sql)
        return r < 0 ? r : -ENOMEM;
    if (sqlite3_prepare_v2(store_db(store), sql, -1, &query, NULL) != SQLITE_OK)
        return -EIO;
    for (size_t i = 0; i < n_filters; i++)
        sqlite3_bind_text(query, (int) i + 1, filters[i].value, -1, SQLITE_STATIC);
    r = read_rows(list, query);
    if (r == 0 && list->column->kind != COLUMN_COUNTER)
        keep_levels(list);
    return r;
}

int series_read(struct store *store, const struct table *table, const struct column *column,
        const struct series_filter *filters, size_t n_filters, struct series_list *ret) {
    struct series_list list = { .table = table, .column = column };
    int r = read_all(store, filters, n_filters, &list);
    if (r < 0)
        series_done(&list);
    else
        *ret = list;
    return r;
}

void series_trim(struct series_list *list, int64_t start_ms) {
    size_t n = 0;
    while (n < list->n_steps && list->steps[n].end_ms <= start_ms)
        n++;
    if (n == 0)
        return;
    list->n_steps -= n;
    memmove(list->steps, list->steps + n, list->n_steps * sizeof(*list->steps));
    for (size_t i = 0; i < list->n_series; i++)
        memmove(list->series[i].values, list->series[i].values + n, list->n_steps * sizeof(double));
}

void series_done(struct series_list *list) {
    for (size_t i = 0; i < list->n_series; i++) {
        for (size_t j = 0; list->series[i].keys && j < list->table->n_keys; j++)
            free(list->series[i].keys[j]);
        free(list->series[i].keys);
        free(list->series[i].values);
    }
    free(list->series);
    free(list->steps);
    *list = (struct series_list){ 0 };
}

double *series_sum(const struct series_list *list) {
    double *sum = malloc((list->n_steps + 1) * sizeof(*sum));
    for (size_t j = 0; sum && j < list->n_steps; j++) {
        sum[j] = NAN;
        for (size_t i = 0; i < list->n_series; i++)
            if (!isnan(list->series[i].values[j]))
                sum[j] = (isnan(sum[j]) ? 0 : sum[j]) + list->series[i].values[j];
    }
    return sum;
}

void series_summary(
        const struct series_list *list, const double *values, bool rates, struct summary *ret) {
    struct summary summary = { .least = NAN, .most = NAN, .last = NAN };
    for (size_t i = 0; i < list->n_steps; i++) {
        double seconds = list->steps[i].seconds, value = values[i];
        if (isnan(value) || (rates && seconds <= 0))
            continue;
        summary.sum += value;
        summary.seconds += seconds;
        value = rates ? value / seconds : value;
        summary.last = value;
        if (isnan(summary.least) || value < summary.least)
            summary.least = value;
        if (isnan(summary.most) || value > summary.most) {
            summary.most = value;
            summary.most_ms = list->steps[i].end_ms;
        }
    }
    *ret = summary;
}

char *series_name(const struct series_list *list, const struct series *series) {
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    for (size_t i = 0; i < list->table->n_keys; i++)
        fprintf(out, "%s%s=%s", i > 0 ? ", " : "", list->table->columns[i].name, series->keys[i]);
    fclose(out);
    return name;
}
