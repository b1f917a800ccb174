// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict
#include "core/verdict.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *severity_name(enum severity severity) {
    static const char *const names[] = {
        [SEVERITY_INFO] = "info",
        [SEVERITY_WARNING] = "warning",
        [SEVERITY_CRITICAL] = "critical",
    };
    return names[severity];
}

const char *verdict_kind_name(enum verdict_kind kind) {
    static const char *const names[] = {
        [VERDICT_CAUSES] = "causes",
        [VERDICT_HEALTHY] = "healthy",
        [VERDICT_PAST_ONLY] = "past-only",
        [VERDICT_ONE_SNAPSHOT] = "one-snapshot",
        [VERDICT_CANNOT_TELL] = "cannot-tell",
    };
    return names[kind];
}

const char *change_verdict_name(enum change_verdict verdict) {
    static const char *const names[] = {
        [CHANGE_CURED] = "cured",
        [CHANGE_NO_EFFECT] = "no-effect",
        [CHANGE_BETTER] = "better",
        [CHANGE_WORSE] = "worse",
        [CHANGE_MOVED] = "moved",
        [CHANGE_TOO_EARLY] = "too-early",
    };
    return names[verdict];
}

const struct subject_field subject_fields[] = {
    { "port", false, offsetof(struct subject, port) },
    { "address", true, offsetof(struct subject, address) },
    { "process", true, offsetof(struct subject, process) },
    { "pid", false, offsetof(struct subject, pid) },
    { "unit", true, offsetof(struct subject, unit) },
    { "container", true, offsetof(struct subject, container) },
    { "interface", true, offsetof(struct subject, interface) },
    { "mount", true, offsetof(struct subject, mount) },
    { "cpu", false, offsetof(struct subject, cpu) },
    { "netns", true, offsetof(struct subject, netns) },
};
const size_t n_subject_fields = sizeof(subject_fields) / sizeof(subject_fields[0]);

const struct subject subject_none = { .port = CELL_NULL, .pid = CELL_NULL, .cpu = CELL_NULL };

static char **text_of(struct subject *subject, const struct subject_field *field) {
    return (char **) ((char *) subject + field->offset);
}
static int64_t *number_of(struct subject *subject, const struct subject_field *field) {
    return (int64_t *) ((char *) subject + field->offset);
}

const char *subject_text(const struct subject *subject, const struct subject_field *field) {
    return *text_of((struct subject *) subject, field);
}

int64_t subject_number(const struct subject *subject, const struct subject_field *field) {
    return *number_of((struct subject *) subject, field);
}

int subject_set_text(struct subject *subject, const struct subject_field *field, const char *text) {
    char *copy = strdup(text);
    if (!copy)
        return -1;
    free(*text_of(subject, field));
    *text_of(subject, field) = copy;
    return 0;
}

void subject_set_number(struct subject *subject, const struct subject_field *field, int64_t value) {
    *number_of(subject, field) = value;
}

char *subject_name(const struct subject *subject) {
    char *name = NULL;
    size_t size;
    FILE *out = open_memstream(&name, &size);
    if (!out)
        return NULL;
    const char *separator = "";
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        if (field->is_text && subject_text(subject, field))
            fprintf(out, "%s%s %s", separator, field->name, subject_text(subject, field));
        else if (!field->is_text && subject_number(subject, field) != CELL_NULL)
            fprintf(out, "%s%s %" PRId64, separator, field->name, subject_number(subject, field));
        else
            continue;
        separator = ", ";
    }
    if (*separator == '\0')
        fputs("host", out);
    if (fclose(out) == 0)
        return name;
    free(name);
    return NULL;
}

void subject_done(struct subject *subject) {
    for (size_t i = 0; i < n_subject_fields; i++)
        if (subject_fields[i].is_text)
            free(*text_of(subject, &subject_fields[i]));
}

static void findings_free(struct finding *findings, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(findings[i].name);
        free(findings[i].unit);
        free(findings[i].text);
    }
    free(findings);
}

static void remedies_free(struct remedy *remedies, size_t n) {
    for (size_t i = 0; i < n; i++) {
        free(remedies[i].text);
        free(remedies[i].command);
        free(remedies[i].undo);
    }
    free(remedies);
}

void remark_done(struct remark *remark) {
    free(remark->id);
    free(remark->text);
    free(remark->locus);
    free(remark->table);
    json_object_put(remark->values);
}

void next_step_done(struct next_step *next) {
    free(next->command);
    free(next->text);
}

static void remarks_free(struct remark *remarks, size_t n) {
    for (size_t i = 0; i < n; i++)
        remark_done(&remarks[i]);
    free(remarks);
}

void cause_done(struct cause *cause) {
    free(cause->id);
    free(cause->rule);
    free(cause->locus);
    free(cause->title);
    subject_done(&cause->subject);
    findings_free(cause->evidence, cause->n_evidence);
    findings_free(cause->against, cause->n_against);
    remedies_free(cause->remedies, cause->n_remedies);
    for (size_t i = 0; i < cause->n_nots; i++)
        free(cause->nots[i]);
    free(cause->nots);
}

void ledger_entry_done(struct ledger_entry *entry) {
    free(entry->locus);
    free(entry->direction);
    free(entry->netns);
    json_object_put(entry->counters);
}

void level_done(struct level *level) {
    free(level->id);
    free(level->unit);
    free(level->text);
    subject_done(&level->subject);
    remedies_free(level->remedies, level->n_remedies);
}

void change_done(struct change *change) {
    char *const texts[] = { change->what, change->from, change->to, change->unit, change->locus,
        change->moved_to };
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        free(texts[i]);
    subject_done(&change->subject);
}

struct narrowing *narrowing_free(struct narrowing *narrowing) {
    if (!narrowing)
        return NULL;
    free(narrowing->process);
    free(narrowing->netns);
    for (size_t i = 0; i < narrowing->n_known; i++)
        free(narrowing->known[i]);
    free(narrowing->known);
    free(narrowing);
    return NULL;
}

struct verdict *verdict_free(struct verdict *verdict) {
    if (!verdict)
        return NULL;
    free(verdict->host);
    free(verdict->kernel);
    for (size_t i = 0; i < verdict->n_ledger; i++)
        ledger_entry_done(&verdict->ledger[i]);
    free(verdict->ledger);
    for (size_t i = 0; i < verdict->n_causes; i++)
        cause_done(&verdict->causes[i]);
    free(verdict->causes);
    for (size_t i = 0; i < verdict->n_levels; i++)
        level_done(&verdict->levels[i]);
    free(verdict->levels);
    remarks_free(verdict->ruled_out, verdict->n_ruled_out);
    remarks_free(verdict->notes, verdict->n_notes);
    remarks_free(verdict->not_judged, verdict->n_not_judged);
    remarks_free(verdict->gaps, verdict->n_gaps);
    for (size_t i = 0; i < verdict->n_next; i++)
        next_step_done(&verdict->next[i]);
    free(verdict->next);
    for (size_t i = 0; i < verdict->n_changes; i++)
        change_done(&verdict->changes[i]);
    free(verdict->changes);
    narrowing_free(verdict->narrowing);
    free(verdict);
    return NULL;
}

int64_t verdict_muted(const struct verdict *verdict) {
    int64_t lost = 0;
    for (size_t i = 0; i < verdict->n_causes; i++)
        if (verdict->causes[i].muted && !verdict->causes[i].also)
            lost += verdict->causes[i].lost;
    return lost < verdict->lost ? lost : verdict->lost;
}

int verdict_exit_status(const struct verdict *verdict) {
    if (verdict->kind == VERDICT_CANNOT_TELL)
        return 3;
    int status = 0;
    for (size_t i = 0; i < verdict->n_causes; i++) {
        const struct cause *cause = &verdict->causes[i];
        if (cause->no_loss || cause->muted)
            continue;
        if (cause->severity == SEVERITY_CRITICAL)
            return 11;
        status = 10;
    }
    return status;
}
