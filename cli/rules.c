// SPDX-License-Identifier: GPL-2.0-or-later
// rules: what is looked for
#include "rules/rules.h"

#include <errno.h>
#include <string.h>

#include "cli/database.h"
#include "cli/judge.h"
#include "cli/rule_words.h"
#include "cli/rules_sql.h"
#include "cli/verbs.h"
#include "collectors/collector.h"
#include "core/cleanup.h"
#include "core/nearest.h"

#define WINDOW_MS 600000

static const struct writer_column columns[] = {
    { "id", "RULE" },
    { "kind", "KIND" },
    { "locus", "PLACE" },
    { "severity", NULL },
    { "origin", NULL },
    { "masked", NULL },
    { "title", NULL },
    { NULL, "TITLE", NULL, WRITER_WRAP },
};
static const struct writer_table list = { "rules", NULL, "no rules", columns,
    sizeof(columns) / sizeof(columns[0]) };

static const struct writer_column detail_columns[] = {
    { "id", NULL },
    { "kind", NULL },
    { "locus", NULL },
    { "severity", NULL },
    { "origin", NULL },
    { "masked", NULL },
};
static const struct writer_table detail = { NULL, NULL, NULL, detail_columns, 6 };

static char *rule_text(const struct rule_info *rule) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs(rule->masked ? "(masked) " : "", out);
    rule_words_put_title(out, rule->title ? rule->title : "");
    if (strcmp(rule->origin, "built in") != 0)
        fprintf(out, " from %s", rule->origin);
    fclose(out);
    return text;
}

static void put_rule(struct cli *cli, const struct rule_info *rule) {
    _cleanup_free_ char *text = rule_text(rule);
    writer_row(cli->writer, rule->masked ? STYLE_DIM : STYLE_PLAIN);
    writer_text(cli->writer, rule->id);
    writer_text(cli->writer, rule->kind);
    writer_text(cli->writer, rule->locus);
    writer_text(cli->writer, rule->severity);
    writer_text(cli->writer, rule->origin);
    writer_boolean(cli->writer, rule->masked);
    writer_text(cli->writer, rule->title);
    writer_text(cli->writer, text);
}

static int list_rules(struct cli *cli, const struct rule_set *rules, const char *argument) {
    writer_begin(cli->writer, &list);
    for (size_t i = 0; i < rules_count(rules); i++) {
        struct rule_info rule;
        rules_info(rules, i, &rule);
        put_rule(cli, &rule);
    }
    writer_end(cli->writer);
    return STATUS_OK;
}

static int show_rule(struct cli *cli, const struct rule_set *rules, const char *argument) {
    struct rule_info rule;
    int r = rule_words_find(rules, argument, &rule, NULL);
    if (r != 0)
        return r;
    writer_record(cli->writer, &detail);
    writer_text(cli->writer, rule.id);
    writer_text(cli->writer, rule.kind);
    writer_text(cli->writer, rule.locus);
    writer_text(cli->writer, rule.severity);
    writer_text(cli->writer, rule.origin);
    writer_boolean(cli->writer, rule.masked);
    writer_end(cli->writer);
    writer_lines(cli->writer, "text", rule.text ? rule.text : "");
    return STATUS_OK;
}

static int check_rule(struct cli *cli, const struct rule_set *rules, const char *argument) {
    static const struct writer_column check_columns[] = { { "file", NULL }, { "good", NULL } };
    static const struct writer_table record = { NULL, NULL, NULL, check_columns, 2 };
    int r = rules_check(argument, collector_tables(), n_collectors, stderr);
    if (r < 0)
        return complain_errno(r, "%s", argument);
    writer_record(cli->writer, &record);
    writer_text(cli->writer, argument);
    writer_boolean(cli->writer, r == 0);
    writer_end(cli->writer);
    if (r == 0)
        writer_sentence(cli->writer, STYLE_GOOD, "no mistake found");
    return r == 0 ? STATUS_OK : STATUS_ERROR;
}

static int put_sql(struct cli *cli, struct store *store, const struct verdict *verdict,
        const struct rule_set *rules, const struct rule_info *rule) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    int r = out ? rules_sql_put(store, &verdict->window, rules, rule, out) : -ENOMEM;
    if (out)
        fclose(out);
    if (r == 0)
        writer_lines(cli->writer, "sql", text);
    free(text);
    return r < 0 ? database_failed(store, r) : STATUS_OK;
}

// The query with the window of the last 10 minutes that are stored.
static int sql_rule(struct cli *cli, const struct rule_set *rules, const char *argument) {
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_(judge_verdict_done) struct verdict *verdict = NULL;
    struct database_age age;
    struct rule_info rule;
    int r = rule_words_find(rules, argument, &rule, NULL);
    if (r == 0)
        r = database_open(cli, &store);
    if (r != 0)
        return r;
    r = database_age(cli, store, &age);
    if (r == 0)
        r = judge_history(rules, store, age.last_ms - WINDOW_MS, age.last_ms, &verdict);
    if (r < 0)
        return database_failed(store, r);
    return r == 1 ? database_tell_stale(&age) : put_sql(cli, store, verdict, rules, &rule);
}

static const struct action {
    const char *name, *argument; // argument NULL: takes none
    int (*run)(struct cli *cli, const struct rule_set *rules, const char *argument);
} actions[] = {
    { "list", NULL, list_rules },
    { "show", "ID", show_rule },
    { "check", "FILE", check_rule },
    { "sql", "ID", sql_rule },
};

static const struct action *find_action(const char *name) {
    struct nearest nearest;
    nearest_init(&nearest, name);
    for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++) {
        if (strcmp(actions[i].name, name) == 0)
            return &actions[i];
        nearest_try(&nearest, actions[i].name);
    }
    complain(0, "rules can list, show, check and sql, not %s%s%s%s", name,
            nearest.best ? "; did you mean " : "", nearest.best ? nearest.best : "",
            nearest.best ? "?" : "");
    return NULL;
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(judge_rules_done) struct rule_set *rules = NULL;
    const struct action *action = find_action(n_arguments > 0 ? arguments[0] : "list");
    if (!action)
        return STATUS_USAGE;
    if (action->argument && n_arguments < 2)
        return complain(STATUS_USAGE, "rules %s needs %s, see udpdiag rules --help", action->name,
                action->argument);
    if (!action->argument && n_arguments > 1)
        return complain(STATUS_USAGE, "rules %s does not take \"%s\"", action->name, arguments[1]);
    int r = judge_rules(cli, &rules);
    return r == 0 ? action->run(cli, rules, n_arguments > 1 ? arguments[1] : NULL) : r;
}

const struct verb verb_rules = {
    .name = "rules",
    .arguments = "[list | show ID | check FILE | sql ID]",
    .help = "List, show and check the rules, or print one for the sqlite3 shell",
    .more = "check exits with 1 where the file has a mistake. sql prints the statements that make the window of the last "
            "10 minutes stored, and the query of the rule, to be pasted into sqlite3 with the database opened.",
    .most = 2,
    .run = run,
};
