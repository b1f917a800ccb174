// SPDX-License-Identifier: GPL-2.0-or-later
// history: values over time
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database.h"
#include "cli/history_show.h"
#include "cli/verbs.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/nearest.h"

#define WINDOW_DEFAULT_MS 3600000
// A gauge has a row only when it changes, and once a minute: short windows are read from before
// their start. Long ones are not, since that would turn an hour of steps into one of minutes.
#define LEAD_MS 120000
#define LEAD_WINDOW_MS 3300000

enum { SINCE, UNTIL, KEY, VALUES };
static const struct option_spec options[] = {
    [SINCE] = { "since", "MOMENT", "Begin; an hour before the end" },
    [UNTIL] = { "until", "MOMENT", "End; now" },
    [KEY] = { "key", "NAME=VALUE",
            "Only objects with that key, as netns=host; may be given several times" },
    [VALUES] = { "values", NULL, "Every value in place of the plot" },
};

struct request {
    const struct table *table;
    const struct column *column;
    int64_t start_ms, end_ms;
    bool up_to_now, values;
    struct series_filter filters[8];
    size_t n_filters;
};

static const struct table *find_table(const char *name) {
    const struct table *table = table_find(collector_tables(), n_collectors, name);
    struct nearest nearest;
    if (table)
        return table;
    nearest_init(&nearest, name);
    for (size_t i = 0; i < n_collectors; i++)
        nearest_try(&nearest, collector_tables()[i]->name);
    complain(0, "there is no table %s, %s%s%s", name,
            nearest.best ? "did you mean " : "see udpdiag tables", nearest.best ? nearest.best : "",
            nearest.best ? "?" : "");
    return NULL;
}

static const struct column *find_column(const struct table *table, const char *name) {
    int i = table_column(table, name);
    struct nearest nearest;
    if (i >= 0)
        return &table->columns[i];
    nearest_init(&nearest, name);
    for (size_t j = 0; j < table->n_columns; j++)
        nearest_try(&nearest, table->columns[j].name);
    if (nearest.best)
        complain(0, "%s has no column %s, did you mean %s?", table->name, name, nearest.best);
    else
        complain(0, "%s has no column %s, see udpdiag tables %s", table->name, name, table->name);
    return NULL;
}

static int read_name(const char *text, struct request *request) {
    const char *dot = strchr(text, '.');
    if (!dot)
        return complain(STATUS_USAGE,
                "%s is not TABLE.COLUMN, as snmp.udp_rcvbuf_errors; see udpdiag tables", text);
    _cleanup_free_ char *name = strndup(text, (size_t) (dot - text));
    if (!name)
        return complain_errno(ENOMEM, "history");
    request->table = find_table(name);
    request->column = request->table ? find_column(request->table, dot + 1) : NULL;
    if (!request->column)
        return STATUS_USAGE;
    if (request->column < request->table->columns + request->table->n_keys ||
            column_is_text(request->column))
        return complain(STATUS_USAGE, "%s is a name, not a number that changes over time", text);
    return 0;
}

static int read_key(const char *text, struct request *request) {
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t) (equals - text) : 0;
    for (size_t i = 0; i < request->table->n_keys && equals; i++) {
        const char *name = request->table->columns[i].name;
        if (strlen(name) != n || strncmp(name, text, n) != 0)
            continue;
        if (request->n_filters == sizeof(request->filters) / sizeof(request->filters[0]))
            return complain(STATUS_USAGE, "too many keys");
        request->filters[request->n_filters++] = (struct series_filter){ (int) i, equals + 1 };
        return 0;
    }
    char names[256] = "";
    for (size_t i = 0; i < request->table->n_keys; i++)
        snprintf(names + strlen(names), sizeof(names) - strlen(names), " %s=VALUE",
                request->table->columns[i].name);
    return complain(STATUS_USAGE, "--key %s is no key of %s, which has:%s", text,
            request->table->name, names);
}

static int read_request(const struct cli *cli, const struct option_list *given, const char *name,
        struct request *request) {
    const char *since = option_text(given, SINCE), *until = option_text(given, UNTIL);
    *request = (struct request){ .end_ms = cli->now_ms, .values = option_given(given, VALUES) };
    int r = read_name(name, request);
    if (r == 0 && until)
        r = read_moment(cli, "until", until, &request->end_ms);
    request->start_ms = request->end_ms - WINDOW_DEFAULT_MS;
    if (r == 0 && since)
        r = read_moment(cli, "since", since, &request->start_ms);
    for (size_t i = 0; r == 0 && i < given->values[KEY].n; i++)
        r = read_key(given->values[KEY].texts[i], request);
    if (r == 0 && request->start_ms >= request->end_ms)
        return complain(STATUS_USAGE, "the window ends before it begins");
    request->up_to_now = request->end_ms >= cli->now_ms;
    return r;
}

static int open_window(struct store *store, const struct request *request) {
    struct window window;
    int64_t length_ms = request->end_ms - request->start_ms,
            lead_ms = length_ms <= LEAD_WINDOW_MS ? LEAD_MS : 0;
    return window_open(
            store, WINDOW_HISTORY, request->start_ms - lead_ms, request->end_ms, &window);
}

static int tell_empty(const struct request *request, const char *name) {
    if (request->n_filters > 0)
        return complain(STATUS_NO_DATA, "%s has no rows of that key in that window", name);
    return complain(STATUS_NO_DATA, "%s has no rows in that window; see udpdiag status", name);
}

static int show(
        struct cli *cli, const struct request *request, struct store *store, const char *name) {
    _cleanup_(series_done) struct series_list list = { 0 };
    int r = open_window(store, request);
    if (r == 0)
        r = series_read(store, request->table, request->column, request->filters,
                request->n_filters, &list);
    if (r < 0)
        return database_failed(store, r);
    if (r == 0)
        series_trim(&list, request->start_ms);
    if (r == 1 || list.n_steps == 0)
        return complain(
                STATUS_NO_DATA, "the history has no samples in that window; see udpdiag status");
    if (list.n_series == 0)
        return tell_empty(request, name);
    history_show(cli, &list, request->values);
    return STATUS_OK;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(database_close) struct store *store = NULL;
    struct database_age age;
    struct request request;
    int r = read_request(cli, given, arguments[0], &request);
    if (r == 0)
        r = database_open(cli, &store);
    if (r != 0)
        return r;
    r = database_age(cli, store, &age);
    if (r < 0)
        return database_failed(store, r);
    r = show(cli, &request, store, arguments[0]);
    return r == STATUS_OK && request.up_to_now && !age.fresh ? database_tell_stale(&age) : r;
}

const struct verb verb_history = {
    .name = "history",
    .arguments = "TABLE.COLUMN",
    .help = "Plot a stored counter or gauge over time",
    .more = "Counters are shown as growth per second, averaged over a column of the plot; of a gauge, a column shows the highest "
            "value in it.",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .least = 1,
    .most = 1,
    .run = run,
};
