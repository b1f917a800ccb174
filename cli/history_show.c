// SPDX-License-Identifier: GPL-2.0-or-later
// History for people and programs
#include "cli/history_show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plot.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

#define LINE_COLUMNS 24

struct view {
    struct cli *cli;
    const struct series_list *list;
    bool rates;    // of a counter
    char unit[64]; // of what is shown: per second for rates
};

static json_object *keys_json(const struct series_list *list, const struct series *series) {
    json_object *keys = json_object_new_object();
    for (size_t i = 0; keys && i < list->table->n_keys; i++) {
        _cleanup_free_ char *utf8 = text_utf8(series->keys[i]);
        json_object_object_add(
                keys, list->table->columns[i].name, utf8 ? json_object_new_string(utf8) : NULL);
    }
    return keys;
}

static json_object *number_json(double value) {
    if (isnan(value))
        return NULL;
    if (value == floor(value) && fabs(value) < 9e15)
        return json_object_new_int64((int64_t) value);
    return json_object_new_double(value);
}

// [[end, seconds, value], ...]: growth of a counter, level of a gauge.
static json_object *points_json(const struct series_list *list, const struct series *series) {
    json_object *points = json_object_new_array();
    for (size_t i = 0; points && i < list->n_steps; i++) {
        char moment[MOMENT_SIZE];
        json_object *point = json_object_new_array();
        json_object_array_add(
                point, json_object_new_string(moment_format(list->steps[i].end_ms, moment)));
        json_object_array_add(point, number_json(list->steps[i].seconds));
        json_object_array_add(point, number_json(series->values[i]));
        json_object_array_add(points, point);
    }
    return points;
}

static char *plot_line(const struct view *view, const struct series *series) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    struct plot plot = { view->unit, view->rates, view->cli->terminal.utf8, LINE_COLUMNS,
        view->cli->now_ms };
    plot_put_line(&plot, view->list, series->values, LINE_COLUMNS, out);
    fclose(out);
    return text;
}

static void put_object(const struct view *view, const struct series *series) {
    struct writer *writer = view->cli->writer;
    struct summary summary;
    _cleanup_free_ char *name = series_name(view->list, series);
    _cleanup_free_ char *line = plot_line(view, series);
    series_summary(view->list, series->values, view->rates, &summary);
    writer_row(writer, STYLE_PLAIN);
    writer_text(writer, name);
    writer_nested(writer, keys_json(view->list, series), NULL);
    writer_real(writer, view->rates ? summary.sum : NAN);
    writer_real(writer, view->rates && summary.seconds > 0 ? summary.sum / summary.seconds : NAN);
    writer_real(writer, summary.last);
    writer_real(writer, summary.least);
    writer_real(writer, summary.most);
    writer_moment(writer, isnan(summary.most) ? CELL_NULL : summary.most_ms);
    writer_text(writer, line);
    writer_nested(writer, view->cli->json ? points_json(view->list, series) : NULL, NULL);
}

static void put_objects(const struct view *view) {
    const char *unit = view->list->column->unit;
    // What says most about a counter and about a gauge in 80 columns.
    const struct writer_column columns[] = {
        { NULL, "OBJECT" },
        { "keys", NULL },
        { "sum", view->rates ? "SUM" : NULL, unit, WRITER_RIGHT },
        { "rate", view->rates ? "RATE" : NULL, view->unit, WRITER_RIGHT },
        { "last", view->rates ? NULL : "LAST", view->unit, WRITER_RIGHT },
        { "min", view->rates ? NULL : "LOWEST", view->unit, WRITER_RIGHT },
        { "max", "HIGHEST", view->unit, WRITER_RIGHT },
        { "max_at", NULL },
        { NULL, view->list->n_series > 1 ? "" : NULL },
        { "points", NULL },
    };
    const struct writer_table table = { "objects", NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(view->cli->writer, &table);
    for (size_t i = 0; i < view->list->n_series; i++)
        put_object(view, &view->list->series[i]);
    writer_end(view->cli->writer);
}

static void put_head(const struct view *view, const struct series_list *list) {
    static const struct writer_column columns[] = {
        { "table", NULL },
        { "column", NULL },
        { "kind", NULL },
        { "unit", NULL },
        { "start", NULL },
        { "end", NULL },
    };
    static const struct writer_table record = { NULL, NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    struct writer *writer = view->cli->writer;
    writer_record(writer, &record);
    writer_text(writer, list->table->name);
    writer_text(writer, list->column->name);
    writer_text(writer, column_kind_name(list->column->kind));
    writer_text(writer, list->column->unit);
    writer_moment(writer, list->steps[0].end_ms - (int64_t) (list->steps[0].seconds * 1000));
    writer_moment(writer, list->steps[list->n_steps - 1].end_ms);
    writer_end(writer);
    _cleanup_free_ char *object = list->n_series == 1 ? series_name(list, &list->series[0]) : NULL;
    _cleanup_free_ char *text = NULL;
    if (asprintf(&text, "%s.%s%s%s: %s", list->table->name, list->column->name, object ? ", " : "",
                object ? object : "", list->column->help) < 0)
        text = NULL;
    writer_sentence(writer, STYLE_BOLD, text ? text : list->column->name);
}

static void put_plot(const struct view *view, const double *values) {
    const struct terminal *terminal = &view->cli->terminal;
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return;
    struct plot plot = { view->unit, view->rates, terminal->utf8, terminal->width,
        view->cli->now_ms };
    plot_put(&plot, view->list, values, out);
    if (fclose(out) == 0)
        writer_lines(view->cli->writer, NULL, text);
    free(text);
}

// Every step by itself, newest last.
static void put_values(const struct view *view) {
    const struct series_list *list = view->list;
    const struct writer_column columns[] = {
        { NULL, "UNTIL" },
        { NULL, "SECONDS", "", WRITER_RIGHT },
        { NULL, view->rates ? "GROWTH" : "VALUE", list->column->unit, WRITER_RIGHT },
        { NULL, view->rates ? "RATE" : NULL, view->unit, WRITER_RIGHT },
        { NULL, list->n_series > 1 ? "OBJECT" : NULL },
    };
    const struct writer_table table = { NULL, NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(view->cli->writer, &table);
    for (size_t i = 0; i < list->n_steps; i++)
        for (size_t j = 0; j < list->n_series; j++) {
            double value = list->series[j].values[i], seconds = list->steps[i].seconds;
            _cleanup_free_ char *name = series_name(list, &list->series[j]);
            writer_row(view->cli->writer, STYLE_PLAIN);
            writer_moment(view->cli->writer, list->steps[i].end_ms);
            writer_real(view->cli->writer, seconds);
            writer_real(view->cli->writer, value);
            writer_real(view->cli->writer, seconds > 0 ? value / seconds : NAN);
            writer_text(view->cli->writer, name);
        }
    writer_end(view->cli->writer);
}

void history_show(struct cli *cli, const struct series_list *list, bool values) {
    struct view view = { .cli = cli, .list = list, .rates = list->column->kind == COLUMN_COUNTER };
    snprintf(view.unit, sizeof(view.unit), "%s%s", list->column->unit, view.rates ? "/s" : "");
    put_head(&view, list);
    if (values && !cli->json) {
        put_values(&view);
        return;
    }
    if (list->n_series == 1)
        put_plot(&view, list->series[0].values);
    put_objects(&view);
    _cleanup_free_ double *sum = list->n_series > 1 && view.rates ? series_sum(list) : NULL;
    if (sum) {
        writer_sentence(cli->writer, STYLE_BOLD, "all together");
        put_plot(&view, sum);
    }
}
