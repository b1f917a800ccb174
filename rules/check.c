// SPDX-License-Identifier: GPL-2.0-or-later
// Query checks
#include "rules/rule.h"

#include <string.h>

#include "rules/sandbox.h"
#include "rules/template.h"

static const char *last_line(const char *text) {
    const char *p = text + strlen(text);
    while (p > text && strchr(" \t\r\n", p[-1]))
        p--;
    return p;
}

// Line of the file that byte `offset` of the query stands in. Where SQLite gives no offset, that of
// the name which its message ends with ("no such table: x").
static int line_of(const struct rule *rule, int offset, const char *message) {
    const char *colon = strrchr(message, ':');
    const char *at = colon && colon[1] ? strstr(rule->sql, colon + 2) : NULL;
    if (offset >= 0 && (size_t) offset <= strlen(rule->sql))
        at = rule->sql + offset;
    else if (strcmp(message, "incomplete input") == 0)
        at = last_line(rule->sql);
    int line = rule->sql_line;
    for (const char *p = rule->sql; at && p < at; p++)
        line += *p == '\n';
    return line;
}

static bool only_blanks_and_comments(const char *p) {
    for (;;) {
        p += strspn(p, " \t\r\n;");
        const char *end = NULL;
        if (strncmp(p, "--", 2) == 0)
            end = p + strcspn(p, "\n");
        else if (strncmp(p, "/*", 2) == 0 && (end = strstr(p, "*/")))
            end += 2;
        if (!end)
            return *p == '\0';
        p = end;
    }
}

static bool bind_param(const struct rule *rule, sqlite3_stmt *statement, int index) {
    const char *name = sqlite3_bind_parameter_name(statement, index);
    for (size_t i = 0; name && i < rule->n_params; i++) {
        const struct rule_param *param = &rule->params[i];
        if (strcmp(param->name, name) != 0)
            continue;
        if (param->is_integer && param->value == (double) (int64_t) param->value)
            sqlite3_bind_int64(statement, index, (int64_t) param->value);
        else
            sqlite3_bind_double(statement, index, param->value);
        return true;
    }
    return false;
}

static int bind_params(
        const struct rule *rule, sqlite3_stmt *statement, struct problems *problems) {
    int n = sqlite3_bind_parameter_count(statement), r = 0;
    for (int i = 1; i <= n; i++)
        if (!bind_param(rule, statement, i)) {
            const char *name = sqlite3_bind_parameter_name(statement, i);
            const char *at = name ? strstr(rule->sql, name) : NULL;
            problem(problems, line_of(rule, at ? (int) (at - rule->sql) : -1, ""),
                    "no '-- param' line for %s", name ? name : "'?'");
            r = 1;
        }
    return r;
}

static void tell_mistake(
        const struct rule *rule, const struct sandbox *sandbox, struct problems *problems) {
    const char *message = sqlite3_errmsg(sandbox->db);
    problem(problems, line_of(rule, sqlite3_error_offset(sandbox->db), message), "%s",
            sandbox->refused[0] ? sandbox->refused : message);
}

int rule_prepare(const struct rule *rule, struct sandbox *sandbox, struct problems *problems,
        sqlite3_stmt **ret) {
    if (sandbox_rule(sandbox, rule->sql, ret) != SQLITE_OK) {
        tell_mistake(rule, sandbox, problems);
        return 1;
    }
    return bind_params(rule, *ret, problems);
}

bool rule_applies(const struct rule *rule, struct sandbox *sandbox) {
    const char *when = rule_value(rule, WORD_WHEN);
    _cleanup_kept_ sqlite3_stmt *row = NULL;
    if (!when || sandbox_condition(sandbox, when, &row) != SQLITE_OK)
        return true;
    for (int i = sqlite3_bind_parameter_count(row); i > 0; i--)
        bind_param(rule, row, i);
    return sqlite3_step(row) != SQLITE_ROW || sqlite3_column_int(row, 0) != 0;
}

// 0 or 1: a mistake.
static int try_query(const struct rule *rule, struct sandbox *sandbox, struct problems *problems,
        sqlite3_stmt **ret) {
    const char *tail = "";
    if (sandbox_try(sandbox, rule->sql, ret, &tail) != SQLITE_OK)
        tell_mistake(rule, sandbox, problems);
    else if (!*ret || sqlite3_column_count(*ret) == 0 || sqlite3_stmt_isexplain(*ret))
        problem(problems, rule->sql_line, "no query");
    else if (!only_blanks_and_comments(tail))
        problem(problems, line_of(rule, (int) (tail - rule->sql), ""), "more than one query");
    else
        return bind_params(rule, *ret, problems);
    return 1;
}

static void check_text(const char *text, int line, sqlite3_stmt *row, struct problems *problems) {
    char fault[160];
    if (!template_check(text, row, fault, sizeof(fault)))
        problem(problems, line, "%s", fault);
}

// Which parts of a line are templates.
static const struct {
    enum rule_word word;
    unsigned char first, end;
} templates[] = {
    { WORD_TITLE, 0, 1 },
    { WORD_EVIDENCE, 2, 3 },
    { WORD_AGAINST, 2, 3 },
    { WORD_DO, 0, 3 },
    { WORD_NOT, 0, 1 },
    { WORD_TEXT, 0, 1 },
    { WORD_UNDER, 0, 1 },
};

static void check_line(
        const struct header_line *line, sqlite3_stmt *row, struct problems *problems) {
    for (size_t i = 0; i < sizeof(templates) / sizeof(templates[0]); i++)
        if (templates[i].word == (enum rule_word) line->word)
            for (int part = templates[i].first; part < templates[i].end; part++)
                check_text(line->part[part], line->line, row, problems);
    bool finding = line->word == WORD_EVIDENCE || line->word == WORD_AGAINST;
    if (finding && row_column(row, line->part[0]) < 0)
        problem(problems, line->line, "no column '%s'", line->part[0]);
}

static void check_ruled_out(
        const struct rule *rule, struct sandbox *sandbox, struct problems *problems) {
    const struct header_line *line = header_find(&rule->header, WORD_RULED_OUT);
    _cleanup_kept_ sqlite3_stmt *window = NULL;
    if (line && sandbox_own(sandbox, WINDOW_VALUES_SQL, &window) == SQLITE_OK)
        check_text(line->part[0], line->line, window, problems);
}

static void check_when(
        const struct rule *rule, struct sandbox *sandbox, struct problems *problems) {
    const struct header_line *line = header_find(&rule->header, WORD_WHEN);
    sqlite3_stmt *row = NULL;
    char fault[160];
    if (!line)
        return;
    if (!sandbox_try_condition(sandbox, line->part[0], fault, sizeof(fault), &row))
        problem(problems, line->line, "when: %s", fault);
    for (int i = sqlite3_bind_parameter_count(row); i > 0; i--)
        if (!bind_param(rule, row, i))
            problem(problems, line->line, "when: no '-- param' line for %s",
                    sqlite3_bind_parameter_name(row, i));
    sqlite3_finalize(row);
}

static void check_columns(const struct rule *rule, sqlite3_stmt *row, struct problems *problems) {
    static const struct {
        enum rule_kind kind;
        const char *column;
    } needed[] = {
        { RULE_CAUSE, "lost" },
        { RULE_CAUSE, "confidence" },
        { RULE_NO_LOSS, "confidence" },
        { RULE_SIGN, "confidence" },
        { RULE_LEVEL, "value" },
    };
    for (size_t i = 0; i < sizeof(needed) / sizeof(needed[0]); i++)
        if (needed[i].kind == rule->kind && row_column(row, needed[i].column) < 0)
            problem(problems, rule->sql_line, "a %s needs a column '%s'",
                    rule_kind_name(rule->kind), needed[i].column);
    const char *loci = rule_loci(rule);
    if (loci && strpbrk(loci, " \t") && row_column(row, "locus") < 0)
        problem(problems, rule->sql_line, "a rule for several loci needs a column 'locus'");
    for (int i = 0; i < sqlite3_column_count(row); i++)
        if (row_column(row, sqlite3_column_name(row, i)) != i)
            problem(problems, rule->sql_line, "two columns '%s'", sqlite3_column_name(row, i));
}

static void check_params(const struct rule *rule, sqlite3_stmt *row, struct problems *problems) {
    for (size_t i = 0; i < rule->n_params; i++)
        if (sqlite3_bind_parameter_index(row, rule->params[i].name) == 0)
            problem(problems, rule->params[i].line, "the query does not use %s",
                    rule->params[i].name);
}

int rule_check(const struct rule *rule, struct sandbox *sandbox, struct problems *problems) {
    size_t before = problems->n;
    sqlite3_stmt *row = NULL;
    if (try_query(rule, sandbox, problems, &row) == 0) {
        check_columns(rule, row, problems);
        check_params(rule, row, problems);
        for (size_t i = 0; i < rule->header.n; i++)
            check_line(&rule->header.lines[i], row, problems);
        check_ruled_out(rule, sandbox, problems);
        check_when(rule, sandbox, problems);
    }
    sqlite3_finalize(row);
    return problems->n > before ? 1 : 0;
}
