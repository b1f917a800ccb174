// SPDX-License-Identifier: GPL-2.0-or-later
// Verdicts as text
#include "tests/rules/answer.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

static void put_line(FILE *out, int indent, const char *word, const char *text) {
    fprintf(out, "%*s%-9s ", indent, "", word);
    text_put(out, text);
    fputc('\n', out);
}

static void put_ledger(FILE *out, const struct verdict *verdict) {
    for (size_t i = 0; i < verdict->n_ledger; i++) {
        const struct ledger_entry *entry = &verdict->ledger[i];
        fprintf(out, "ledger    %s %s %s %" PRId64 "%s\n", entry->locus, entry->direction,
                entry->netns ? entry->netns : "-", entry->datagrams,
                entry->estimated ? " estimated" : "");
    }
}

static void put_findings(FILE *out, const char *word, const struct finding *findings, size_t n) {
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "    %-9s %s = %.4g %s: ", word, findings[i].name, findings[i].value,
                findings[i].unit);
        text_put(out, findings[i].text);
        fputc('\n', out);
    }
}

static void put_remedies(FILE *out, const struct remedy *remedies, size_t n) {
    for (size_t i = 0; i < n; i++) {
        put_line(out, 4, "do", remedies[i].text);
        if (remedies[i].command)
            put_line(out, 8, "command", remedies[i].command);
        if (remedies[i].undo)
            put_line(out, 8, "undo", remedies[i].undo);
    }
}

static void put_cause_texts(FILE *out, const struct cause *cause) {
    put_line(out, 4, "title", cause->title);
    put_findings(out, "evidence", cause->evidence, cause->n_evidence);
    put_findings(out, "against", cause->against, cause->n_against);
    put_remedies(out, cause->remedies, cause->n_remedies);
    for (size_t i = 0; i < cause->n_nots; i++)
        put_line(out, 4, "not", cause->nots[i]);
}

// Whether the rule of that name tells it.
static bool is_of(const struct cause *cause, const char *rule) {
    return strcmp(cause->rule ? cause->rule : cause->id, rule) == 0;
}

static void put_causes(FILE *out, const struct verdict *verdict, const char *rule) {
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        char *subject = subject_name(&cause->subject);
        fprintf(out, "cause %zu   %s lost %" PRId64 " confidence %.2f %s%s%s; ", i + 1, cause->id,
                cause->lost, cause->confidence, severity_name(cause->severity),
                cause->also ? ", also" : "",
                cause->no_loss     ? ", no loss"
                : cause->uncounted ? ", not counted"
                                   : "");
        text_put(out, subject);
        fputc('\n', out);
        free(subject);
        if (rule && is_of(cause, rule))
            put_cause_texts(out, cause);
    }
}

static void put_levels(FILE *out, const struct verdict *verdict, const char *rule) {
    for (size_t i = 0; i < verdict->n_levels; i++) {
        const struct level *level = &verdict->levels[i];
        if (rule && strcmp(rule, level->id) != 0)
            continue;
        char *subject = subject_name(&level->subject);
        fprintf(out, "level     %s %s %.4g %s; %s\n", level->id, severity_name(level->severity),
                level->value, level->unit, subject);
        free(subject);
        put_line(out, 4, "text", level->text);
        put_remedies(out, level->remedies, level->n_remedies);
    }
}

static void put_remarks(
        FILE *out, const char *word, const struct remark *remarks, size_t n, const char *rule) {
    for (size_t i = 0; i < n; i++)
        if (!rule || (remarks[i].id && strcmp(remarks[i].id, rule) == 0))
            put_line(out, 0, word, remarks[i].text);
}

char *answer_text(const struct verdict *verdict, const char *rule) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fprintf(out, "verdict   %s\nlost      %" PRId64 "\n", verdict_kind_name(verdict->kind),
            verdict->lost);
    put_ledger(out, verdict);
    put_causes(out, verdict, rule);
    put_levels(out, verdict, rule);
    put_remarks(out, "note", verdict->notes, verdict->n_notes, rule);
    if (rule) {
        put_remarks(out, "ruled out", verdict->ruled_out, verdict->n_ruled_out, rule);
        put_remarks(out, "no answer", verdict->not_judged, verdict->n_not_judged, rule);
    } else
        put_remarks(out, "gap", verdict->gaps, verdict->n_gaps, NULL);
    fclose(out);
    return text;
}

static bool names(const struct remark *remarks, size_t n, const char *rule) {
    for (size_t i = 0; i < n; i++)
        if (remarks[i].id && strcmp(remarks[i].id, rule) == 0)
            return true;
    return false;
}

bool answer_fired(const struct verdict *verdict, const char *rule) {
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (is_of(&verdict->causes[i], rule))
            return true;
    for (size_t i = 0; i < verdict->n_levels; i++)
        if (strcmp(verdict->levels[i].id, rule) == 0)
            return true;
    return names(verdict->notes, verdict->n_notes, rule);
}
