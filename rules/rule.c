// SPDX-License-Identifier: GPL-2.0-or-later
// Rule files
#include "rules/rule.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"
#include "rules/append.h"
#include "rules/ledger.h"

static const struct header_word words[] = {
    [WORD_RULE] = { "rule", SPLIT_NONE, 1, false },
    [WORD_KIND] = { "kind", SPLIT_NONE, 1, false },
    [WORD_EXPLAINS] = { "explains", SPLIT_NONE, 1, false },
    [WORD_SEVERITY] = { "severity", SPLIT_NONE, 1, false },
    [WORD_TITLE] = { "title", SPLIT_NONE, 1, false },
    [WORD_NEEDS] = { "needs", SPLIT_NONE, 1, true },
    [WORD_WHEN] = { "when", SPLIT_NONE, 1, false },
    [WORD_GENERAL] = { "general", SPLIT_NONE, 1, false },
    [WORD_AFTER] = { "after", SPLIT_NONE, 1, true },
    [WORD_UNDER] = { "under", SPLIT_NONE, 1, false },
    [WORD_PARAM] = { "param", SPLIT_EQUALS, 2, true },
    [WORD_UNIT] = { "unit", SPLIT_NONE, 1, false },
    [WORD_EVIDENCE] = { "evidence", SPLIT_BLANKS, 3, true },
    [WORD_AGAINST] = { "against", SPLIT_BLANKS, 3, true },
    [WORD_DO] = { "do", SPLIT_BARS, 1, true },
    [WORD_NOT] = { "not", SPLIT_NONE, 1, true },
    [WORD_TEXT] = { "text", SPLIT_NONE, 1, false },
    [WORD_RULED_OUT] = { "ruled-out", SPLIT_NONE, 1, false },
    [WORD_REF] = { "ref", SPLIT_NONE, 1, true },
};
#define N_WORDS (sizeof(words) / sizeof(words[0]))

#define OF(kind) (1u << (kind))
#define OF_CAUSES (OF(RULE_CAUSE) | OF(RULE_NO_LOSS) | OF(RULE_SIGN))
#define OF_ALL (OF_CAUSES | OF(RULE_LEVEL) | OF(RULE_NOTE))

// By kind of rule: where a word must stand, and where it may.
static const struct {
    unsigned must, may;
} use[] = {
    [WORD_RULE] = { OF_ALL, OF_ALL },
    [WORD_KIND] = { OF_ALL, OF_ALL },
    [WORD_EXPLAINS] = { OF_CAUSES, OF_ALL },
    [WORD_SEVERITY] = { OF_CAUSES | OF(RULE_LEVEL), OF_ALL },
    [WORD_TITLE] = { OF_CAUSES, OF_ALL },
    [WORD_NEEDS] = { OF_ALL, OF_ALL },
    [WORD_WHEN] = { 0, OF_ALL },
    [WORD_GENERAL] = { 0, OF(RULE_CAUSE) | OF(RULE_SIGN) },
    [WORD_AFTER] = { 0, OF_CAUSES },
    [WORD_UNDER] = { OF(RULE_SIGN), OF(RULE_SIGN) },
    [WORD_PARAM] = { 0, OF_ALL },
    [WORD_UNIT] = { 0, OF(RULE_LEVEL) },
    [WORD_EVIDENCE] = { 0, OF_CAUSES },
    [WORD_AGAINST] = { 0, OF_CAUSES },
    [WORD_DO] = { 0, OF_CAUSES | OF(RULE_LEVEL) },
    [WORD_NOT] = { 0, OF_CAUSES },
    [WORD_TEXT] = { OF(RULE_LEVEL) | OF(RULE_NOTE), OF(RULE_LEVEL) | OF(RULE_NOTE) },
    [WORD_RULED_OUT] = { OF(RULE_CAUSE), OF_ALL },
    [WORD_REF] = { 0, OF_ALL },
};

static const char *const kinds[] = {
    [RULE_CAUSE] = "cause",
    [RULE_NO_LOSS] = "no-loss",
    [RULE_SIGN] = "sign",
    [RULE_LEVEL] = "level",
    [RULE_NOTE] = "note",
};
static const char *const severities[] = { "info", "warning", "critical" };
static const char *const booleans[] = { "no", "yes" };

const char *rule_kind_name(enum rule_kind kind) {
    return kinds[kind];
}

const char *rule_word_name(enum rule_word word) {
    return words[word].name;
}

const char *rule_value(const struct rule *rule, enum rule_word word) {
    return header_value(&rule->header, word);
}

const char *rule_loci(const struct rule *rule) {
    const char *loci = rule_value(rule, WORD_EXPLAINS);
    return loci && strcmp(loci, "-") != 0 ? loci : NULL;
}

// The next name of a list, and how long it is; *length is 0 before the first. NULL: there is none.
static const char *next_name(const char *list, size_t *length) {
    list += *length;
    list += strspn(list, " \t");
    *length = strcspn(list, " \t");
    return *length > 0 ? list : NULL;
}

static bool is_listed(const char *list, const char *name) {
    for (size_t n = 0; (list = next_name(list, &n));)
        if (strncmp(list, name, n) == 0 && name[n] == '\0')
            return true;
    return false;
}

bool rule_explains(const struct rule *rule, const char *locus) {
    const char *loci = rule_loci(rule);
    return loci && is_listed(loci, locus);
}

bool rule_comes_after(const struct rule *rule, const char *id) {
    for (size_t i = 0; i < rule->header.n; i++)
        if (rule->header.lines[i].word == WORD_AFTER &&
                is_listed(rule->header.lines[i].part[0], id))
            return true;
    return false;
}

// The index of the word's value among `names`, or `fallback` where the word is missing or wrong.
static int choose(const struct rule *rule, enum rule_word word, const char *const *names, int n,
        int fallback, struct problems *problems) {
    const struct header_line *line = header_find(&rule->header, word);
    if (!line)
        return fallback;
    for (int i = 0; i < n; i++)
        if (strcmp(names[i], line->part[0]) == 0)
            return i;
    problem(problems, line->line, "'%s' cannot be '%s'", words[word].name, line->part[0]);
    return fallback;
}

static void check_words(const struct rule *rule, struct problems *problems) {
    for (size_t word = 0; word < N_WORDS; word++)
        if (use[word].must & OF(rule->kind) && !header_find(&rule->header, (int) word))
            problem(problems, 1, "no '-- %s' line", words[word].name);
    for (size_t i = 0; i < rule->header.n; i++) {
        const struct header_line *line = &rule->header.lines[i];
        if (!(use[line->word].may & OF(rule->kind)))
            problem(problems, line->line, "a rule of kind '%s' has no '%s'", kinds[rule->kind],
                    words[line->word].name);
    }
}

static void check_name(const struct rule *rule, struct problems *problems) {
    const struct header_line *line = header_find(&rule->header, WORD_RULE);
    if (line && strcmp(line->part[0], rule->id) != 0)
        problem(problems, line->line, "the rule is called '%s', its file '%s.sql'", line->part[0],
                rule->id);
}

// A cause explains what the ledger counts; the others may name any place, or none.
static void check_locus(
        const struct rule *rule, const struct vocabulary *vocabulary, struct problems *problems) {
    const struct header_line *line = header_find(&rule->header, WORD_EXPLAINS);
    if (!line || (rule->kind != RULE_CAUSE && rule->kind != RULE_SIGN))
        return;
    size_t n = 0;
    for (const char *at = line->part[0]; (at = next_name(at, &n));) {
        char locus[64];
        snprintf(locus, sizeof(locus), "%.*s", (int) n, at);
        if (!ledger_has(vocabulary->ledger, locus))
            problem(problems, line->line, "the ledger has no locus '%s'", locus);
    }
}

static int add_need(struct rule *rule, const char *name, size_t n, bool alternative, int line,
        const struct vocabulary *vocabulary, struct problems *problems) {
    char text[128];
    snprintf(text, sizeof(text), "%.*s", (int) n, name);
    char *dot = strchr(text, '.');
    if (dot)
        *dot = '\0';
    const struct table *table = table_find(vocabulary->tables, vocabulary->n_tables, text);
    int column = table && dot ? table_column(table, dot + 1) : -1;
    if (!table || (dot && column < 0)) {
        problem(problems, line, "no such table or column: %.*s", (int) n, name);
        return 0;
    }
    struct rule_need *need = append(rule->needs, rule->n_needs);
    if (!need)
        return -ENOMEM;
    *need = (struct rule_need){ table, column, alternative };
    return 0;
}

// One word of the line: names joined by "|", of which any will do.
static int add_needs(struct rule *rule, const char *word, size_t length, int line,
        const struct vocabulary *vocabulary, struct problems *problems) {
    const char *p = word, *end = word + length;
    for (;;) {
        const char *bar = memchr(p, '|', (size_t) (end - p));
        size_t n = (size_t) ((bar ? bar : end) - p);
        if (add_need(rule, p, n, p > word, line, vocabulary, problems) < 0)
            return -ENOMEM;
        if (!bar)
            return 0;
        p = bar + 1;
    }
}

static int read_needs(
        struct rule *rule, const struct vocabulary *vocabulary, struct problems *problems) {
    for (size_t i = 0; i < rule->header.n; i++) {
        const struct header_line *line = &rule->header.lines[i];
        if (line->word != WORD_NEEDS)
            continue;
        size_t n;
        for (const char *p = line->part[0]; *p; p += n + strspn(p + n, " \t")) {
            n = strcspn(p, " \t");
            if (add_needs(rule, p, n, line->line, vocabulary, problems) < 0)
                return -ENOMEM;
        }
    }
    return 0;
}

static int read_params(struct rule *rule, struct problems *problems) {
    for (size_t i = 0; i < rule->header.n; i++) {
        const struct header_line *line = &rule->header.lines[i];
        if (line->word != WORD_PARAM)
            continue;
        double value;
        if (!text_to_number(line->part[1], &value)) {
            problem(problems, line->line, "not a number: '%s'", line->part[1]);
            continue;
        }
        struct rule_param *param = append(rule->params, rule->n_params);
        if (!param)
            return -ENOMEM;
        snprintf(param->name, sizeof(param->name), ":%s", line->part[0]);
        param->value = value;
        param->is_integer = line->part[1][strspn(line->part[1], "+-0123456789")] == '\0';
        param->line = line->line;
    }
    return 0;
}

static int read_header(
        struct rule *rule, const struct vocabulary *vocabulary, struct problems *problems) {
    char *text = rule->parsed;
    rule->sql_line = 1;
    if (header_read(&text, &rule->sql_line, words, N_WORDS, problems, &rule->header) < 0)
        return -ENOMEM;
    rule->sql = rule->text + (text - rule->parsed);
    rule->kind = choose(rule, WORD_KIND, kinds, 5, RULE_CAUSE, problems);
    rule->severity = choose(rule, WORD_SEVERITY, severities, 3, SEVERITY_INFO, problems);
    rule->general = choose(rule, WORD_GENERAL, booleans, 2, 0, problems);
    check_words(rule, problems);
    check_name(rule, problems);
    check_locus(rule, vocabulary, problems);
    if (read_needs(rule, vocabulary, problems) < 0 || read_params(rule, problems) < 0)
        return -ENOMEM;
    if (*rule->sql == '\0')
        problem(problems, rule->sql_line, "no query");
    return 0;
}

// The program's own text needs no copy: of all rules that is a quarter of a megabyte.
static bool is_built_in(const char *text) {
    for (size_t i = 0; i < n_rules_builtin; i++)
        if (rules_builtin[i].text == text)
            return true;
    return false;
}

int rule_parse(const char *id, const char *text, const char *origin,
        const struct vocabulary *vocabulary, struct problems *problems, struct rule *ret) {
    size_t before = problems->n;
    *ret = (struct rule){
        .id = strdup(id),
        .text = is_built_in(text) ? text : strdup(text),
        .origin = strdup(origin),
        .parsed = strndup(text, header_length(text)),
    };
    if (!ret->id || !ret->text || !ret->origin || !ret->parsed)
        return -ENOMEM;
    if (read_header(ret, vocabulary, problems) < 0)
        return -ENOMEM;
    return problems->n > before ? 1 : 0;
}

void rule_done(struct rule *rule) {
    free(rule->id);
    if (!is_built_in(rule->text))
        free((char *) rule->text);
    free(rule->origin);
    free(rule->parsed);
    header_done(&rule->header);
    free(rule->needs);
    free(rule->params);
    *rule = (struct rule){ 0 };
}
