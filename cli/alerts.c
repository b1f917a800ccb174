// SPDX-License-Identifier: GPL-2.0-or-later
// alerts: now and before
#include "cli/alerts.h"

#include "cli/database.h"
#include "cli/verbs.h"
#include "core/cleanup.h"
#include "core/moment.h"

#define PAST_DEFAULT_MS INT64_C(604800000)

enum { ACTIVE, SINCE };
static const struct option_spec options[] = {
    [ACTIVE] = { "active", NULL, "Only those that last" },
    [SINCE] = { "since", "MOMENT",
            "Those that ended at that moment or later, and those that last; 7 days ago" },
};

static const struct writer_column columns[] = {
    { "id", NULL },
    { "severity", "SEVERITY" },
    { "cause", NULL },
    { "subject", NULL },
    { "begin", "BEGIN" },
    { "last", NULL },
    { "end", NULL },
    { NULL, "END" },
    { "reminders", NULL },
    { "lost", "LOST", "", WRITER_RIGHT },
    { "muted", NULL },
    { "verdict", NULL },
    { "title", NULL },
    { NULL, "WHAT", NULL, WRITER_WRAP },
};
static const struct writer_table table = { "alerts", NULL, "no alerts", columns,
    sizeof(columns) / sizeof(columns[0]) };

enum style alert_style(const struct alert_record *alert) {
    if (alert->end_ms || alert->muted)
        return STYLE_DIM;
    return *alert->severity == 'c'   ? STYLE_CRITICAL
           : *alert->severity == 'w' ? STYLE_WARNING
                                     : STYLE_PLAIN;
}

char *alert_text(const struct alert_record *alert) {
    char *text;
    int n = asprintf(&text, "%s%s", alert->muted ? "(muted) " : "",
            alert->title ? alert->title : alert->cause);
    return n < 0 ? NULL : text;
}

static int put_alert(const struct alert_record *alert, void *data) {
    struct cli *cli = data;
    struct writer *writer = cli->writer;
    char moment[MOMENT_SIZE];
    int64_t end_ms = alert->end_ms ? alert->end_ms : CELL_NULL;
    _cleanup_free_ char *what = alert_text(alert);
    writer_row(writer, alert_style(alert));
    writer_integer(writer, alert->id);
    writer_text(writer, alert->severity);
    writer_text(writer, alert->cause);
    writer_text(writer, alert->subject);
    writer_moment(writer, alert->begin_ms);
    writer_moment(writer, alert->last_ms);
    writer_moment(writer, end_ms);
    writer_text(writer,
            alert->end_ms ? moment_format_short(alert->end_ms, cli->now_ms, moment) : "lasts");
    writer_integer(writer, alert->reminders);
    writer_integer(writer, alert->lost);
    writer_boolean(writer, alert->muted);
    writer_nested(writer, alert->verdict ? json_tokener_parse(alert->verdict) : NULL, NULL);
    writer_text(writer, alert->title);
    writer_text(writer, what);
    return 0;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(database_close) struct store *store = NULL;
    struct database_age age;
    const char *since = option_text(given, SINCE);
    int64_t since_ms = cli->now_ms - PAST_DEFAULT_MS;
    int r = since ? read_moment(cli, "since", since, &since_ms) : 0;
    if (r == 0)
        r = database_open(cli, &store);
    if (r != 0)
        return r;
    writer_begin(cli->writer, &table);
    r = alerts_list(store, option_given(given, ACTIVE), since_ms, put_alert, cli);
    if (r < 0)
        return database_failed(store, r);
    writer_end(cli->writer);
    r = database_age(cli, store, &age);
    if (r < 0)
        return database_failed(store, r);
    return age.fresh ? STATUS_OK : database_tell_stale(&age);
}

const struct verb verb_alerts = {
    .name = "alerts",
    .arguments = "",
    .help = "List the alerts that last and those that ended lately",
    .options = options,
    .n_options = sizeof(options) / sizeof(options[0]),
    .run = run,
};
