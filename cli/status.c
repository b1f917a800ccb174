// SPDX-License-Identifier: GPL-2.0-or-later
// status: the daemon and what it sees
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/alerts.h"
#include "cli/database.h"
#include "cli/judge.h"
#include "cli/locus.h"
#include "cli/outcomes.h"
#include "cli/verbs.h"
#include "cli/verdict_text.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/mute.h"
#include "core/text.h"

#define LOSS_WINDOW_MS 60000

// What is known of the daemon and its history; CELL_NULL and NULL: not known.
struct facts {
    bool running;
    struct database_age age;
    int64_t pid, start_ms, first_ms, steps, bytes;
    char *path, *reason; // reason: why there is no history to read
    struct outcome_list outcomes;
    struct verdict *verdict; // of the last minute
};

static void facts_done(struct facts *facts) {
    free(facts->path);
    free(facts->reason);
    outcomes_done(&facts->outcomes);
    facts->verdict = verdict_free(facts->verdict);
}

static int64_t count_steps(struct store *store) {
    sqlite3_stmt *query;
    int64_t n = CELL_NULL;
    if (sqlite3_prepare_v2(store_db(store), "SELECT COUNT(*) FROM main.step", -1, &query, NULL) ==
                    SQLITE_OK &&
            sqlite3_step(query) == SQLITE_ROW)
        n = sqlite3_column_int64(query, 0);
    sqlite3_finalize(query);
    return n;
}

// The database with its write-ahead log.
static int64_t size_of(const char *path) {
    struct stat st;
    _cleanup_free_ char *wal = NULL;
    if (stat(path, &st) < 0)
        return CELL_NULL;
    int64_t bytes = st.st_size;
    if (asprintf(&wal, "%s-wal", path) >= 0 && stat(wal, &st) == 0)
        bytes += st.st_size;
    return bytes;
}

// A daemon that ended a moment ago has left fresh samples.
static bool is_alive(const struct cli *cli, int64_t pid) {
    return cli->root || pid == CELL_NULL || kill((pid_t) pid, 0) == 0 || errno != ESRCH;
}

static int learn_from_store(const struct cli *cli, struct store *store,
        const struct rule_set *rules, struct facts *facts) {
    int r = database_age(cli, store, &facts->age);
    if (r == 0)
        r = database_first(store, &facts->first_ms);
    if (r < 0)
        return r;
    facts->pid = database_meta_integer(store, "daemon_pid");
    facts->start_ms = database_meta_integer(store, "daemon_start_ms");
    facts->steps = count_steps(store);
    facts->bytes = size_of(facts->path);
    facts->running = facts->age.fresh && is_alive(cli, facts->pid);
    if (facts->running)
        r = judge_history(rules, store, facts->age.last_ms - LOSS_WINDOW_MS, facts->age.last_ms,
                &facts->verdict);
    if (r == 0 && facts->verdict)
        mute_verdict(config_values(cli->config), facts->verdict);
    return r < 0 ? r : facts->running ? outcomes_stored(store, &facts->outcomes) : 0;
}

static char *daemon_text(const struct cli *cli, const struct facts *facts) {
    char moment[MOMENT_SIZE];
    if (!facts->running)
        return page_format(
                "not running%s%s", facts->reason ? ": " : "", facts->reason ? facts->reason : "");
    if (facts->pid == CELL_NULL || facts->start_ms == CELL_NULL)
        return page_format("running");
    return page_format("running since %s, process %jd",
            moment_format_short(facts->start_ms, cli->now_ms, moment), (intmax_t) facts->pid);
}

// A text written piece by piece; NULL: out of memory.
static FILE *text_begin(char **text, size_t *size) {
    *text = NULL;
    return open_memstream(text, size);
}

static char *sampled_text(const struct facts *facts) {
    char *text;
    size_t size;
    FILE *out = facts->age.last_ms > 0 ? text_begin(&text, &size) : NULL;
    if (!out)
        return NULL;
    text_put_duration(out, (double) facts->age.age_ms / 1e3);
    fputs(" ago, every ", out);
    text_put_duration(out, (double) facts->age.step_ms / 1e3);
    if (facts->outcomes.known) {
        fputs(", taking ", out);
        text_put_duration(out, (double) outcomes_cost_us(&facts->outcomes) / 1e6);
    }
    fclose(out);
    return text;
}

static char *history_text(const struct cli *cli, const struct facts *facts) {
    char *text, moment[MOMENT_SIZE];
    size_t size;
    FILE *out = facts->bytes != CELL_NULL ? text_begin(&text, &size) : NULL;
    if (!out)
        return NULL;
    fprintf(out, "%s: ", facts->path);
    text_put_bytes(out, facts->bytes);
    fputs(" of at most ", out);
    text_put_bytes(out, config_values(cli->config)->retention.max_bytes);
    if (facts->first_ms != CELL_NULL)
        fprintf(out, ", from %s on", moment_format_short(facts->first_ms, cli->now_ms, moment));
    fclose(out);
    return text;
}

// The answer with who it is about: malloc()ed.
static char *loss_text(const struct cli *cli, const struct verdict *verdict) {
    _cleanup_free_ char *headline = verdict_headline(verdict, cli->now_ms);
    _cleanup_free_ char *who = verdict->lost > 0 ? verdict_who(verdict) : NULL;
    return page_format("%s%s%s", headline ? headline : "", who && *who ? "; " : "", who ? who : "");
}

static const struct writer_column fact_columns[] = {
    { NULL, "daemon" },
    { "running", NULL },
    { "pid", NULL },
    { "since", NULL },
    { "reason", NULL },
    { NULL, "sampled" },
    { "last_sample", NULL },
    { "age_s", NULL },
    { "step_s", NULL },
    { "cost_us", NULL },
    { NULL, "history" },
    { "database", NULL },
    { "bytes", NULL },
    { "max_bytes", NULL },
    { "steps", NULL },
    { "first", NULL },
    { NULL, "last minute" },
    { "verdict", NULL },
    { "lost", NULL },
    { "received", NULL },
};
static const struct writer_table fact_record = { NULL, NULL, NULL, fact_columns,
    sizeof(fact_columns) / sizeof(fact_columns[0]) };

static void put_facts(struct cli *cli, const struct facts *facts) {
    struct writer *writer = cli->writer;
    const struct verdict *verdict = facts->verdict;
    bool sampled = facts->age.last_ms > 0;
    _cleanup_free_ char *daemon = daemon_text(cli, facts);
    _cleanup_free_ char *sample = sampled_text(facts);
    _cleanup_free_ char *history = history_text(cli, facts);
    _cleanup_free_ char *loss = verdict ? loss_text(cli, verdict) : NULL;
    writer_record(writer, &fact_record);
    writer_text(writer, daemon);
    writer_boolean(writer, facts->running);
    writer_integer(writer, facts->running ? facts->pid : CELL_NULL);
    writer_moment(writer, facts->running ? facts->start_ms : CELL_NULL);
    writer_text(writer, facts->reason);
    writer_text(writer, sample);
    writer_moment(writer, sampled ? facts->age.last_ms : CELL_NULL);
    writer_real(writer, sampled ? (double) facts->age.age_ms / 1e3 : NAN);
    writer_real(writer, sampled ? (double) facts->age.step_ms / 1e3 : NAN);
    writer_integer(writer, facts->outcomes.known ? outcomes_cost_us(&facts->outcomes) : CELL_NULL);
    writer_text(writer, history);
    writer_text(writer, facts->path);
    writer_integer(writer, facts->bytes);
    writer_integer(writer, config_values(cli->config)->retention.max_bytes);
    writer_integer(writer, facts->steps);
    writer_moment(writer, facts->first_ms);
    writer_text(writer, loss);
    writer_text(writer, verdict ? verdict_kind_name(verdict->kind) : NULL);
    writer_integer(writer, verdict ? verdict->lost : CELL_NULL);
    writer_integer(writer, verdict ? verdict->received : CELL_NULL);
    writer_end(writer);
}

static void put_losses(struct writer *writer, const struct verdict *verdict) {
    static const struct writer_column columns[] = {
        { "locus", NULL },
        { NULL, "LOST AT" },
        { "netns", "NAMESPACE" },
        { "datagrams", "DATAGRAMS", "", WRITER_RIGHT },
    };
    static const struct writer_table table = { "losses", NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    if (!verdict || (verdict->lost == 0))
        return;
    writer_begin(writer, &table);
    for (size_t i = 0; i < verdict->n_ledger; i++) {
        if (verdict->ledger[i].datagrams == 0)
            continue;
        writer_row(writer, STYLE_PLAIN);
        writer_text(writer, verdict->ledger[i].locus);
        writer_text(writer, locus_name(verdict->ledger[i].locus));
        writer_text(writer, verdict->ledger[i].netns);
        writer_integer(writer, verdict->ledger[i].datagrams);
    }
    writer_end(writer);
}

static int put_alert(const struct alert_record *alert, void *data) {
    struct writer *writer = data;
    _cleanup_free_ char *text = alert_text(alert);
    writer_row(writer, alert_style(alert));
    writer_integer(writer, alert->id);
    writer_text(writer, alert->severity);
    writer_text(writer, alert->cause);
    writer_moment(writer, alert->begin_ms);
    writer_boolean(writer, alert->muted);
    writer_text(writer, alert->title);
    writer_text(writer, text);
    return 0;
}

static int put_alerts(struct writer *writer, struct store *store) {
    static const struct writer_column columns[] = {
        { "id", NULL },
        { "severity", "ALERT" },
        { "cause", NULL },
        { "begin", "SINCE" },
        { "muted", NULL },
        { "title", NULL },
        { NULL, "WHAT", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "alerts", NULL, "no alerts", columns,
        sizeof(columns) / sizeof(columns[0]) };
    writer_begin(writer, &table);
    int r = alerts_list(store, true, 0, put_alert, writer);
    writer_end(writer);
    return r;
}

static int learn(const struct cli *cli, const struct rule_set *rules, struct store **ret_store,
        struct facts *facts) {
    facts->path = database_path(cli);
    if (!facts->path)
        return -ENOMEM;
    int r = database_try(cli, ret_store, &facts->reason);
    r = r == 0 ? learn_from_store(cli, *ret_store, rules, facts) : 0;
    return r == 0 && !facts->outcomes.known ? outcomes_here(cli, false, &facts->outcomes) : r;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_(facts_done) struct facts facts = {
        .pid = CELL_NULL,
        .start_ms = CELL_NULL,
        .first_ms = CELL_NULL,
        .steps = CELL_NULL,
        .bytes = CELL_NULL,
    };
    int r = judge_rules(cli, &rules);
    if (r != 0)
        return r;
    r = learn(cli, rules, &store, &facts);
    if (r < 0)
        return store ? database_failed(store, r)
                     : complain_errno(r, "%s", cli->root ? cli->root : "status");
    put_facts(cli, &facts);
    put_losses(cli->writer, facts.verdict);
    r = store ? put_alerts(cli->writer, store) : 0;
    if (r < 0)
        return database_failed(store, r);
    outcomes_put(cli->writer, &facts.outcomes);
    return facts.running ? STATUS_OK : STATUS_NO_DATA;
}

const struct verb verb_status = {
    .name = "status",
    .arguments = "",
    .help = "Show whether the daemon runs, its alerts, and what cannot be seen here",
    .more = "The last table says for every table of the history whether it can be read on this host, and why not. "
            "Exit status 3 where the daemon is not running.",
    .run = run,
};
