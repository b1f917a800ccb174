// SPDX-License-Identifier: GPL-2.0-or-later
// doctor: what can be seen here
#include "cli/doctor.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/database.h"
#include "cli/outcomes.h"
#include "cli/verbs.h"
#include "cli/verdict_text.h"
#include "collectors/collector.h"
#include "core/cleanup.h"

static const enum style styles[] = {
    [HEALTH_OK] = STYLE_PLAIN,
    [HEALTH_MISSING] = STYLE_WARNING,
    [HEALTH_ABSENT] = STYLE_DIM,
};

static bool is_wrong(enum outcome_state state) {
    return state == OUTCOME_DENIED || state == OUTCOME_FAILED;
}

static enum health health_of(enum outcome_state state) {
    return is_wrong(state) ? HEALTH_MISSING : state == OUTCOME_ABSENT ? HEALTH_ABSENT : HEALTH_OK;
}

// What was found, what is not seen for that, and what helps. malloc()ed.
static char *what(enum health health, const char *detail, const char *blind, const char *remedy) {
    bool told = health != HEALTH_OK && blind;
    bool helps = health == HEALTH_MISSING && remedy;
    return page_format("%s%s%s%s%s%s", detail, told && *detail ? "; " : "",
            told ? "not seen: " : "", told ? blind : "", helps ? "; do: " : "",
            helps ? remedy : "");
}

// Tables as this process reads them, and as the daemon did. Returns how many are missing here.
static size_t put_sources(
        struct writer *writer, const struct outcome_list *here, const struct outcome_list *daemon) {
    static const struct writer_column columns[] = {
        { "table", "SOURCE" },
        { "state", "HERE" },
        { "daemon_state", "DAEMON" },
        { "reason", NULL },
        { "daemon_reason", NULL },
        { "blind", NULL },
        { NULL, "WHAT", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "sources", NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    size_t missing = 0;
    writer_begin(writer, &table);
    for (size_t i = 0; i < n_collectors; i++) {
        const char *name = collectors[i]->table->name, *blind = doctor_blind(name);
        if (!blind) // only read from outputs that somebody pasted: no host has it
            continue;
        const struct outcome *outcome = &here->list[i];
        const struct outcome *other = daemon->known ? &daemon->list[i] : NULL;
        enum health health = health_of(outcome->state);
        _cleanup_free_ char *text = what(health, outcome->reason, blind, NULL);
        missing += health == HEALTH_MISSING;
        writer_row(writer, styles[health]);
        writer_text(writer, name);
        writer_text(writer, outcome_name(outcome->state));
        writer_text(writer, other ? outcome_name(other->state) : NULL);
        writer_text(writer, *outcome->reason ? outcome->reason : NULL);
        writer_text(writer, other && *other->reason ? other->reason : NULL);
        writer_text(writer, blind);
        writer_text(writer, text);
    }
    writer_end(writer);
    return missing;
}

static char *test(const struct doctor *doctor, const struct doctor_check *check, enum health *ret) {
    char *detail = NULL;
    size_t size;
    FILE *out = open_memstream(&detail, &size);
    *ret = HEALTH_MISSING;
    if (!out)
        return NULL;
    *ret = check->test(doctor, check, out);
    fclose(out);
    return detail;
}

static size_t put_checks(struct writer *writer, const struct doctor *doctor) {
    static const struct writer_column columns[] = {
        { "check", "CHECK" },
        { "state", "STATE" },
        { "detail", NULL },
        { "blind", NULL },
        { "remedy", NULL },
        { NULL, "WHAT", NULL, WRITER_WRAP },
    };
    static const struct writer_table table = { "checks", NULL, NULL, columns,
        sizeof(columns) / sizeof(columns[0]) };
    size_t missing = 0;
    writer_begin(writer, &table);
    for (size_t i = 0; i < n_doctor_checks; i++) {
        const struct doctor_check *check = &doctor_checks[i];
        enum health health;
        _cleanup_free_ char *detail = test(doctor, check, &health);
        _cleanup_free_ char *text =
                what(health, detail ? detail : "out of memory", check->blind, check->remedy);
        missing += health == HEALTH_MISSING;
        writer_row(writer, styles[health]);
        writer_text(writer, check->name);
        writer_text(writer, health_name(health));
        writer_text(writer, detail);
        writer_text(writer, check->blind);
        writer_text(writer, check->remedy);
        writer_text(writer, text);
    }
    writer_end(writer);
    return missing;
}

static void put_end(struct cli *cli, size_t missing) {
    static const struct writer_column columns[] = { { "healthy", NULL }, { "missing", NULL } };
    static const struct writer_table record = { NULL, NULL, NULL, columns, 2 };
    _cleanup_free_ char *text = page_format("%zu thing%s missing; all else is judged without %s",
            missing, missing == 1 ? " is" : "s are", missing == 1 ? "it" : "them");
    writer_record(cli->writer, &record);
    writer_boolean(cli->writer, missing == 0);
    writer_integer(cli->writer, (int64_t) missing);
    writer_end(cli->writer);
    if (missing == 0)
        writer_sentence(cli->writer, STYLE_GOOD, "Nothing is missing.");
    else
        writer_sentence(cli->writer, STYLE_WARNING, text ? text : "");
}

// What the daemon could read; not known where there is none.
static void learn_from_daemon(const struct cli *cli, struct outcome_list *ret) {
    _cleanup_(database_close) struct store *store = NULL;
    _cleanup_free_ char *reason = NULL;
    if (database_try(cli, &store, &reason) < 0 || outcomes_stored(store, ret) < 0)
        ret->known = false;
}

static void done_source(struct source *source) {
    source_done(source);
}

static int run(
        struct cli *cli, const struct option_list *given, char **arguments, size_t n_arguments) {
    _cleanup_(outcomes_done) struct outcome_list here = { 0 }, daemon = { 0 };
    _cleanup_(done_source) struct source source = { .root = -1 };
    struct doctor doctor;
    int r = source_init(&source, cli->root);
    if (r == 0)
        r = outcomes_here(cli, true, &here);
    if (r < 0)
        return complain_errno(r, "%s", cli->root ? cli->root : "/");
    learn_from_daemon(cli, &daemon);
    doctor_begin(&doctor, cli, &source);
    size_t missing = put_sources(cli->writer, &here, &daemon);
    missing += put_checks(cli->writer, &doctor);
    put_end(cli, missing);
    return missing == 0 ? STATUS_OK : STATUS_ERROR;
}

const struct verb verb_doctor = {
    .name = "doctor",
    .arguments = "",
    .help = "Check what can be seen on this host, what is missing, and what would help",
    .more = "Looks once, as the user who runs it, and shows beside it what the daemon could read. Exit status: 0 nothing is "
            "missing, 1 something is that a privilege, a setting or a running daemon would give. What this kernel or host "
            "does not have at all is absent, not missing.",
    .run = run,
};
