// SPDX-License-Identifier: GPL-2.0-or-later
// Judgement
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/append.h"
#include "rules/changes.h"
#include "rules/presence.h"
#include "rules/rank.h"
#include "rules/remark.h"
#include "rules/result.h"
#include "rules/sandbox.h"
#include "rules/set.h"
#include "rules/survey.h"
#include "rules/template.h"

// Rows of one rule that are kept; nobody reads more, and a rule that joins too widely must not fill
// the memory.
#define RULE_MAX_ROWS 1000

struct judgement {
    const struct rule_set *set;
    enum rules_scope scope;
    struct sandbox sandbox;
    struct presences presences;
    struct candidate *candidates;
    size_t n_candidates;
    struct verdict *verdict;
};

// Of several loci the first at which something was lost, else the first.
static char *locus_of(const struct verdict *verdict, const struct rule *rule) {
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (rule_explains(rule, verdict->ledger[i].locus))
            return strdup(verdict->ledger[i].locus);
    const char *loci = rule_loci(rule);
    return strndup(loci, strcspn(loci, " \t"));
}

static int remark_rule(const struct verdict *verdict, struct remark **remarks, size_t *n,
        const struct rule *rule, const char *text) {
    int r = add_remark(remarks, n, rule->id, "%s", text);
    if (r < 0 || !rule_loci(rule))
        return r;
    (*remarks)[*n - 1].locus = locus_of(verdict, rule);
    return (*remarks)[*n - 1].locus ? 0 : -ENOMEM;
}

static int not_judged(struct judgement *judgement, const struct rule *rule, const char *reason,
        const struct table *table) {
    struct verdict *verdict = judgement->verdict;
    int r = remark_rule(verdict, &verdict->not_judged, &verdict->n_not_judged, rule, reason);
    if (r < 0 || !table)
        return r;
    struct remark *remark = &verdict->not_judged[verdict->n_not_judged - 1];
    remark->table = strdup(table->name);
    return remark->table ? 0 : -ENOMEM;
}

static int take_cause(struct judgement *judgement, const struct rule *rule, sqlite3_stmt *row) {
    struct cause cause;
    int r = result_cause(rule, row, &cause);
    if (r)
        return r;
    struct candidate *candidate = append(judgement->candidates, judgement->n_candidates);
    if (!candidate) {
        cause_done(&cause);
        return -ENOMEM;
    }
    *candidate = (struct candidate){ cause, rule, result_subject_lost(row), result_aside(row) };
    return 0;
}

static int take_level(struct judgement *judgement, const struct rule *rule, sqlite3_stmt *row) {
    struct level level;
    int r = result_level(rule, row, &level);
    if (r)
        return r;
    struct level *added = append(judgement->verdict->levels, judgement->verdict->n_levels);
    if (!added) {
        level_done(&level);
        return -ENOMEM;
    }
    *added = level;
    return 0;
}

static int take_note(struct judgement *judgement, const struct rule *rule, sqlite3_stmt *row) {
    struct remark note;
    int r = result_note(rule, row, &note);
    if (r)
        return r;
    struct remark *added = append(judgement->verdict->notes, judgement->verdict->n_notes);
    if (!added) {
        free(note.id);
        free(note.text);
        json_object_put(note.values);
        return -ENOMEM;
    }
    *added = note;
    return 0;
}

static int (*const take_row[])(struct judgement *, const struct rule *, sqlite3_stmt *) = {
    [RULE_CAUSE] = take_cause,
    [RULE_NO_LOSS] = take_cause,
    [RULE_SIGN] = take_cause,
    [RULE_LEVEL] = take_level,
    [RULE_NOTE] = take_note,
};

// What the rule's query returns is taken. 0, or -ENOMEM; *ret_fired: rows that said something;
// *ret_result: SQLite's last code.
static int take_rows(struct judgement *judgement, const struct rule *rule, sqlite3_stmt *row,
        int *ret_fired, int *ret_result) {
    *ret_fired = 0;
    while ((*ret_result = sqlite3_step(row)) == SQLITE_ROW) {
        if (*ret_fired == RULE_MAX_ROWS) {
            *ret_result = SQLITE_DONE;
            break;
        }
        int r = take_row[rule->kind](judgement, rule, row);
        if (r < 0)
            return r;
        *ret_fired += r == 0;
    }
    return 0;
}

// Where nobody knows how long the window was, its length is left out: "... in {seconds}".
static char *without_length(const char *form) {
    static const char length[] = " in {seconds}";
    const char *at = strstr(form, length);
    char *text;
    if (!at)
        return strdup(form);
    int n = asprintf(&text, "%.*s%s", (int) (at - form), form, at + strlen(length));
    return n < 0 ? NULL : text;
}

static int rule_out(struct judgement *judgement, const struct rule *rule) {
    const char *value = rule_value(rule, WORD_RULED_OUT);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    _cleanup_free_ char *text = NULL;
    bool null;
    if (!value)
        return 0;
    _cleanup_free_ char *form =
            judgement->verdict->window.seconds > 0 ? strdup(value) : without_length(value);
    if (form && sandbox_own(&judgement->sandbox, WINDOW_VALUES_SQL, &row) == SQLITE_OK &&
            sandbox_step(&judgement->sandbox, row) == SQLITE_ROW)
        text = template_fill(form, TEMPLATE_TEXT, row, &null);
    return !text ? -ENOMEM
                 : remark_rule(judgement->verdict, &judgement->verdict->ruled_out,
                           &judgement->verdict->n_ruled_out, rule, text);
}

// The rule's statement with its parameters. 0, 1: it has a mistake, named in not_judged, or
// -ENOMEM.
static int prepare(struct judgement *judgement, const struct rule *rule, sqlite3_stmt **ret) {
    _cleanup_free_ char *fault = NULL;
    size_t size;
    struct problems problems = { open_memstream(&fault, &size), rule->id, 0 };
    if (!problems.out)
        return -ENOMEM;
    int r = rule_prepare(rule, &judgement->sandbox, &problems, ret);
    if (fclose(problems.out) != 0)
        return -ENOMEM;
    if (r == 0)
        return 0;
    fault[strcspn(fault, "\n")] = '\0';
    r = not_judged(judgement, rule, fault, NULL);
    return r < 0 ? r : 1;
}

// A cause has no more than the ledger holds at its place: where that is nothing, its query need not
// be asked.
static bool can_fire(const struct judgement *judgement, const struct rule *rule) {
    const struct verdict *verdict = judgement->verdict;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (rule_explains(rule, verdict->ledger[i].locus))
            return true;
    return false;
}

// Tables that tell what the host and its programs did meanwhile.
static bool needs_meanwhile(const struct rule *rule) {
    static const char *const names[] = { "cpu", "memory", "disk", "mount", "pressure", "process",
        "cgroup" };
    for (size_t i = 0; i < rule->n_needs; i++)
        for (size_t j = 0; j < sizeof(names) / sizeof(names[0]); j++)
            if (strcmp(rule->needs[i].table->name, names[j]) == 0)
                return true;
    return false;
}

// Of one look since boot nobody knows what the host did when the datagrams were lost: that nothing
// is seen of it now rules out nothing.
static bool cannot_rule_out(const struct judgement *judgement, const struct rule *rule) {
    return judgement->verdict->window.kind == WINDOW_SINCE_BOOT && rule->kind == RULE_CAUSE &&
           can_fire(judgement, rule) && needs_meanwhile(rule);
}

static int run_rule(struct judgement *judgement, const struct rule *rule) {
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    int r = prepare(judgement, rule, &row), fired = 0, result = SQLITE_DONE;
    if (r)
        return r < 0 ? r : 0;
    r = take_rows(judgement, rule, row, &fired, &result);
    if (r == 0 && result != SQLITE_DONE)
        return not_judged(judgement, rule,
                judgement->sandbox.expired ? "took too long"
                                           : sqlite3_errmsg(judgement->sandbox.db),
                NULL);
    if (r < 0 || fired > 0)
        return r;
    return cannot_rule_out(judgement, rule)
                   ? not_judged(judgement, rule,
                             "one look does not tell what the host did when datagrams were lost",
                             NULL)
                   : rule_out(judgement, rule);
}

static int judge_rule(struct judgement *judgement, const struct rule *rule) {
    _cleanup_free_ char *missing = NULL;
    const struct table *table;
    if (rule->masked) {
        if (asprintf(&missing, "masked by %s", rule->origin) < 0)
            return -ENOMEM;
        return not_judged(judgement, rule, missing, NULL);
    }
    int r = presences_missing(&judgement->presences, rule, &judgement->sandbox, &missing, &table);
    if (r < 0)
        return r;
    if (missing)
        return not_judged(judgement, rule, missing, table);
    if (rule->kind == RULE_CAUSE && !can_fire(judgement, rule))
        return rule_out(judgement, rule);
    if (!rule_applies(rule, &judgement->sandbox))
        return rule_out(judgement, rule);
    return run_rule(judgement, rule);
}

static int compare_levels(const void *a, const void *b) {
    const struct level *x = a, *y = b;
    if (x->severity != y->severity)
        return x->severity > y->severity ? -1 : 1;
    int r = strcmp(x->id, y->id);
    if (r || x->value == y->value)
        return r;
    return x->value > y->value ? -1 : 1;
}

static bool is_wanted(const struct judgement *judgement, const struct rule *rule) {
    const struct window *window = &judgement->verdict->window;
    // Where the collectors looked, counters tell what signs only hint at.
    if (rule->kind == RULE_SIGN)
        return judgement->scope == RULES_ALL && !window->measured &&
               (window->kind == WINDOW_CAPTURE || window->kind == WINDOW_SINCE_BOOT);
    if (judgement->scope == RULES_ALL || rule->kind == RULE_LEVEL)
        return true;
    return judgement->scope == RULES_ALERTS && rule->kind == RULE_CAUSE &&
           can_fire(judgement, rule);
}

static int judge_rules(struct judgement *judgement) {
    const struct rule_set *set = judgement->set;
    struct verdict *verdict = judgement->verdict;
    int r = presences_find(set->rules, set->n, judgement->scope == RULES_LEVELS,
            &judgement->sandbox, &judgement->presences);
    sandbox_spare(&judgement->sandbox);
    for (size_t i = 0; r == 0 && i < set->n; i++)
        if (is_wanted(judgement, &set->rules[i])) {
            r = judge_rule(judgement, &set->rules[i]);
            sandbox_spare(&judgement->sandbox);
        }
    if (r == 0) {
        r = rank_causes(judgement->candidates, judgement->n_candidates, verdict);
        judgement->n_candidates = 0;
    }
    if (verdict->n_levels > 0)
        qsort(verdict->levels, verdict->n_levels, sizeof(*verdict->levels), compare_levels);
    return r;
}

static int judge(struct judgement *judgement) {
    struct verdict *verdict = judgement->verdict;
    struct sandbox *sandbox = &judgement->sandbox;
    bool seen, counted = false, past = false;
    int r = ledger_create(sandbox);
    if (r == 0 && judgement->scope == RULES_LEVELS)
        r = views_clear(&judgement->set->views, sandbox);
    if (r == 0)
        r = survey_traffic(
                sandbox, judgement->set->tables, judgement->set->n_tables, verdict, &seen);
    if (r == 0 && judgement->scope == RULES_ALL)
        r = survey_gaps(sandbox, verdict);
    if (r == 0 && judgement->scope != RULES_LEVELS)
        r = ledger_fill(&judgement->set->ledger, sandbox, verdict);
    if (r == 0 && judgement->scope != RULES_LEVELS)
        r = views_fill(&judgement->set->views, sandbox, verdict);
    if (r == 0)
        r = judge_rules(judgement);
    if (r == 0 && judgement->scope == RULES_ALL)
        r = changes_find(sandbox, judgement->set->tables, judgement->set->n_tables, verdict);
    if (r == 0 && judgement->scope == RULES_ALL && seen && verdict->lost == 0 &&
            verdict->window.kind != WINDOW_SINCE_BOOT)
        r = ledger_look_back(&judgement->set->ledger, sandbox, verdict, &past);
    if (r == 0 && judgement->scope == RULES_ALL && !seen && verdict->window.pasted)
        r = ledger_counted(&judgement->set->ledger, sandbox, &counted);
    return r < 0 ? r : survey_conclude(verdict, seen, counted, past);
}

static void judgement_done(struct judgement *judgement) {
    for (size_t i = 0; i < judgement->n_candidates; i++)
        cause_done(&judgement->candidates[i].cause);
    free(judgement->candidates);
    presences_done(&judgement->presences);
    verdict_free(judgement->verdict);
}

int rules_judge(const struct rule_set *set, struct store *store, const struct window *window,
        const char *host, const char *kernel, struct verdict **ret) {
    return rules_judge_part(set, RULES_ALL, store, window, host, kernel, ret);
}

int rules_judge_part(const struct rule_set *set, enum rules_scope scope, struct store *store,
        const struct window *window, const char *host, const char *kernel, struct verdict **ret) {
    struct judgement judgement = {
        .set = set, .scope = scope, .verdict = calloc(1, sizeof(struct verdict))
    };
    struct verdict *verdict = judgement.verdict;
    if (!verdict)
        return -ENOMEM;
    verdict->window = *window;
    verdict->host = strdup(host);
    verdict->kernel = strdup(kernel);
    int r = sandbox_enter(&judgement.sandbox, store);
    judgement.sandbox.thrifty = scope == RULES_ALERTS;
    if (r == 0)
        r = verdict->host && verdict->kernel ? judge(&judgement) : -ENOMEM;
    sandbox_leave(&judgement.sandbox);
    if (r == 0) {
        *ret = verdict;
        judgement.verdict = NULL;
    }
    judgement_done(&judgement);
    return r;
}
