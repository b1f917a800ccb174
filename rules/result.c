// SPDX-License-Identifier: GPL-2.0-or-later
// Result rows
#include "rules/result.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "rules/append.h"
#include "rules/template.h"

static double number_at(sqlite3_stmt *row, const char *name, double fallback) {
    int column = row_column(row, name);
    return column < 0 || sqlite3_column_type(row, column) == SQLITE_NULL
                   ? fallback
                   : sqlite3_column_double(row, column);
}

static int64_t count_at(sqlite3_stmt *row, const char *name) {
    double n = number_at(row, name, 0);
    return n >= 0.5 ? llround(fmin(n, 9e18)) : 0;
}

static enum severity severity_at(const struct rule *rule, sqlite3_stmt *row) {
    int column = row_column(row, "severity");
    const char *text = column < 0 ? NULL : (const char *) sqlite3_column_text(row, column);
    for (enum severity s = SEVERITY_INFO; text && s <= SEVERITY_CRITICAL; s++)
        if (strcmp(text, severity_name(s)) == 0)
            return s;
    return rule->severity;
}

// The row tells at which of the rule's places it is; NULL: it has none, or there is no memory.
static char *locus_at(const struct rule *rule, sqlite3_stmt *row) {
    const char *loci = rule_loci(rule);
    int column = row_column(row, "locus");
    const char *told = column < 0 ? NULL : (const char *) sqlite3_column_text(row, column);
    if (told && rule_explains(rule, told))
        return strdup(told);
    return loci ? strndup(loci, strcspn(loci, " \t")) : NULL;
}

static int fill_subject(sqlite3_stmt *row, struct subject *subject) {
    *subject = subject_none;
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        int column = row_column(row, field->name);
        if (column < 0 || sqlite3_column_type(row, column) == SQLITE_NULL)
            continue;
        if (!field->is_text)
            subject_set_number(subject, field, sqlite3_column_int64(row, column));
        else if (subject_set_text(subject, field, (const char *) sqlite3_column_text(row, column)))
            return -ENOMEM;
    }
    return 0;
}

// The part of the line with its placeholders filled. 0, 1: one of them is NULL, -ENOMEM; in *ret
// only on 0. An empty part is NULL.
static int fill_part(const char *part, enum template_use use, sqlite3_stmt *row, char **ret) {
    bool null = false;
    *ret = NULL;
    if (*part == '\0')
        return 0;
    char *text = template_fill(part, use, row, &null);
    if (text && !null) {
        *ret = text;
        return 0;
    }
    free(text);
    return text ? 1 : -ENOMEM;
}

static int add_finding(
        const struct header_line *line, sqlite3_stmt *row, struct finding **findings, size_t *n) {
    char *text;
    int column = row_column(row, line->part[0]);
    if (column < 0 || sqlite3_column_type(row, column) == SQLITE_NULL)
        return 0;
    int r = fill_part(line->part[2], TEMPLATE_TEXT, row, &text);
    if (r)
        return r < 0 ? r : 0;
    struct finding *finding = append(*findings, *n);
    if (!finding) {
        free(text);
        return -ENOMEM;
    }
    bool is_number = sqlite3_column_type(row, column) != SQLITE_TEXT;
    *finding = (struct finding){ .name = strdup(line->part[0]),
        .unit = strdup(strcmp(line->part[1], "-") == 0 ? "" : line->part[1]),
        .text = text,
        .value = is_number ? sqlite3_column_double(row, column) : NAN };
    return finding->name && finding->unit ? 0 : -ENOMEM;
}

static int add_remedy(
        const struct header_line *line, sqlite3_stmt *row, struct remedy **remedies, size_t *n) {
    struct remedy remedy = { 0 };
    int r = fill_part(line->part[0], TEMPLATE_TEXT, row, &remedy.text);
    if (r == 0)
        r = fill_part(line->part[1], TEMPLATE_COMMAND, row, &remedy.command);
    if (r == 0)
        r = fill_part(line->part[2], TEMPLATE_COMMAND, row, &remedy.undo);
    struct remedy *added = r == 0 ? append(*remedies, *n) : NULL;
    if (added) {
        *added = remedy;
        return 0;
    }
    free(remedy.text);
    free(remedy.command);
    free(remedy.undo);
    return r > 0 ? 0 : -ENOMEM;
}

static int add_not(const struct header_line *line, sqlite3_stmt *row, char ***nots, size_t *n) {
    char *text;
    int r = fill_part(line->part[0], TEMPLATE_TEXT, row, &text);
    if (r)
        return r < 0 ? r : 0;
    char **added = append(*nots, *n);
    if (!added) {
        free(text);
        return -ENOMEM;
    }
    *added = text;
    return 0;
}

static int fill_lines(const struct rule *rule, sqlite3_stmt *row, struct cause *cause) {
    for (size_t i = 0; i < rule->header.n; i++) {
        const struct header_line *line = &rule->header.lines[i];
        int r = 0;
        if (line->word == WORD_EVIDENCE)
            r = add_finding(line, row, &cause->evidence, &cause->n_evidence);
        else if (line->word == WORD_AGAINST)
            r = add_finding(line, row, &cause->against, &cause->n_against);
        else if (line->word == WORD_DO)
            r = add_remedy(line, row, &cause->remedies, &cause->n_remedies);
        else if (line->word == WORD_NOT)
            r = add_not(line, row, &cause->nots, &cause->n_nots);
        if (r < 0)
            return r;
    }
    return 0;
}

int result_cause(const struct rule *rule, sqlite3_stmt *row, struct cause *ret) {
    bool no_loss = rule->kind == RULE_NO_LOSS, sign = rule->kind == RULE_SIGN, null;
    int64_t lost = no_loss ? 0 : count_at(row, "lost");
    const char *under = rule_value(rule, WORD_UNDER);
    if (!no_loss && !sign && lost == 0)
        return 1;
    struct cause cause = { .id = under ? template_fill(under, TEMPLATE_COMMAND, row, &null)
                                       : strdup(rule->id),
        .rule = under ? strdup(rule->id) : NULL,
        .locus = locus_at(rule, row),
        .title = template_fill(rule_value(rule, WORD_TITLE), TEMPLATE_TEXT, row, &null),
        .severity = severity_at(rule, row),
        .confidence = fmin(1, fmax(0, number_at(row, "confidence", 0))),
        .lost = lost,
        .no_loss = no_loss,
        .uncounted = sign && lost == 0 };
    if (cause.id && cause.title && (!under || cause.rule) && (!rule_loci(rule) || cause.locus) &&
            fill_subject(row, &cause.subject) == 0 && fill_lines(rule, row, &cause) == 0) {
        *ret = cause;
        return 0;
    }
    cause_done(&cause);
    return -ENOMEM;
}

int64_t result_subject_lost(sqlite3_stmt *row) {
    return count_at(row, "subject_lost");
}

bool result_aside(sqlite3_stmt *row) {
    return count_at(row, "aside") != 0;
}

static int fill_level(const struct rule *rule, sqlite3_stmt *row, struct level *level) {
    bool null;
    const char *unit = rule_value(rule, WORD_UNIT);
    level->id = strdup(rule->id);
    level->unit = strdup(unit ? unit : "");
    level->text = template_fill(rule_value(rule, WORD_TEXT), TEMPLATE_TEXT, row, &null);
    if (!level->id || !level->unit || !level->text || fill_subject(row, &level->subject) < 0)
        return -ENOMEM;
    for (size_t i = 0; i < rule->header.n; i++)
        if (rule->header.lines[i].word == WORD_DO &&
                add_remedy(&rule->header.lines[i], row, &level->remedies, &level->n_remedies) < 0)
            return -ENOMEM;
    return 0;
}

int result_level(const struct rule *rule, sqlite3_stmt *row, struct level *ret) {
    struct level level = { .severity = severity_at(rule, row),
        .subject = subject_none,
        .value = number_at(row, "value", NAN) };
    if (isnan(level.value))
        return 1;
    if (fill_level(rule, row, &level) < 0) {
        level_done(&level);
        return -ENOMEM;
    }
    *ret = level;
    return 0;
}

// All columns of the row by name.
static json_object *row_json(sqlite3_stmt *row) {
    json_object *json = json_object_new_object();
    for (int i = 0; json && i < sqlite3_column_count(row); i++) {
        json_object *value = NULL;
        switch (sqlite3_column_type(row, i)) {
        case SQLITE_INTEGER:
            value = json_object_new_int64(sqlite3_column_int64(row, i));
            break;
        case SQLITE_FLOAT:
            value = number_json(sqlite3_column_double(row, i));
            break;
        case SQLITE_TEXT:
            value = text_json((const char *) sqlite3_column_text(row, i));
            break;
        default:
            continue;
        }
        json_object_object_add(json, sqlite3_column_name(row, i), value);
    }
    return json;
}

int result_note(const struct rule *rule, sqlite3_stmt *row, struct remark *ret) {
    char *text;
    int r = fill_part(rule_value(rule, WORD_TEXT), TEMPLATE_TEXT, row, &text);
    if (r)
        return r;
    *ret = (struct remark){ .id = strdup(rule->id), .text = text, .values = row_json(row) };
    if (ret->id)
        return 0;
    free(text);
    json_object_put(ret->values);
    return -ENOMEM;
}
