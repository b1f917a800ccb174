// SPDX-License-Identifier: GPL-2.0-or-later
// Verdict document
//
// The field names and their meaning are stable (schema 1): fields may be added, none renamed.
#include "core/verdict.h"

#include <math.h>
#include <stdlib.h>

#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

json_object *text_json(const char *text) {
    if (!text)
        return NULL;
    _cleanup_free_ char *valid = text_utf8(text);
    return valid ? json_object_new_string(valid) : NULL;
}

// Whole numbers without a fraction, others with ten digits: 0.93, not 0.93000000000000005.
json_object *number_json(double value) {
    if (!isfinite(value))
        return NULL;
    if (value == trunc(value) && fabs(value) < 9e15)
        return json_object_new_int64((int64_t) value);
    json_object *number = json_object_new_double(value);
    if (number)
        json_object_set_serializer(
                number, json_object_double_to_json_string, (void *) "%.10g", NULL);
    return number;
}

static json_object *count_json(int64_t value) {
    return value == CELL_NULL ? NULL : json_object_new_int64(value);
}

static void add(json_object *to, const char *key, json_object *value) {
    json_object_object_add(to, key, value);
}
static void add_text(json_object *to, const char *key, const char *text) {
    add(to, key, text_json(text));
}

static json_object *subject_json(const struct subject *subject) {
    json_object *json = json_object_new_object();
    for (size_t i = 0; i < n_subject_fields; i++) {
        const struct subject_field *field = &subject_fields[i];
        if (field->is_text)
            add_text(json, field->name, subject_text(subject, field));
        else
            add(json, field->name, count_json(subject_number(subject, field)));
    }
    return json;
}

static json_object *findings_json(const struct finding *findings, size_t n) {
    json_object *json = json_object_new_array_ext((int) n);
    for (size_t i = 0; i < n; i++) {
        json_object *finding = json_object_new_object();
        add_text(finding, "name", findings[i].name);
        add(finding, "value", number_json(findings[i].value));
        add_text(finding, "unit", findings[i].unit);
        add_text(finding, "text", findings[i].text);
        json_object_array_add(json, finding);
    }
    return json;
}

static json_object *remedies_json(const struct remedy *remedies, size_t n) {
    json_object *json = json_object_new_array_ext((int) n);
    for (size_t i = 0; i < n; i++) {
        json_object *remedy = json_object_new_object();
        add_text(remedy, "text", remedies[i].text);
        add_text(remedy, "command", remedies[i].command);
        add_text(remedy, "undo", remedies[i].undo);
        json_object_array_add(json, remedy);
    }
    return json;
}

static json_object *nots_json(char *const *nots, size_t n) {
    json_object *json = json_object_new_array_ext((int) n);
    for (size_t i = 0; i < n; i++) {
        json_object *not = json_object_new_object();
        add_text(not, "text", nots[i]);
        json_object_array_add(json, not );
    }
    return json;
}

json_object *cause_json(const struct cause *cause) {
    json_object *json = json_object_new_object();
    add_text(json, "id", cause->id);
    add_text(json, "rule", cause->rule ? cause->rule : cause->id);
    add_text(json, "locus", cause->locus);
    add_text(json, "severity", severity_name(cause->severity));
    add(json, "confidence", number_json(cause->confidence));
    add(json, "lost", json_object_new_int64(cause->lost));
    add(json, "no_loss", json_object_new_boolean(cause->no_loss));
    add(json, "uncounted", json_object_new_boolean(cause->uncounted));
    add(json, "also", json_object_new_boolean(cause->also));
    add(json, "muted", json_object_new_boolean(cause->muted));
    add_text(json, "title", cause->title);
    add(json, "subject", subject_json(&cause->subject));
    add(json, "evidence", findings_json(cause->evidence, cause->n_evidence));
    add(json, "against", findings_json(cause->against, cause->n_against));
    add(json, "do", remedies_json(cause->remedies, cause->n_remedies));
    add(json, "not", nots_json(cause->nots, cause->n_nots));
    return json;
}

json_object *level_json(const struct level *level) {
    json_object *json = json_object_new_object();
    add_text(json, "id", level->id);
    add_text(json, "severity", severity_name(level->severity));
    add(json, "muted", json_object_new_boolean(level->muted));
    add(json, "subject", subject_json(&level->subject));
    add(json, "value", number_json(level->value));
    add_text(json, "unit", level->unit);
    add_text(json, "text", level->text);
    add(json, "do", remedies_json(level->remedies, level->n_remedies));
    return json;
}

static json_object *ledger_json(const struct ledger_entry *entry) {
    json_object *json = json_object_new_object();
    add_text(json, "locus", entry->locus);
    add_text(json, "direction", entry->direction);
    add(json, "datagrams", json_object_new_int64(entry->datagrams));
    add(json, "estimated", json_object_new_boolean(entry->estimated));
    add_text(json, "netns", entry->netns);
    add(json, "counters",
            entry->counters ? json_object_get(entry->counters) : json_object_new_object());
    return json;
}

static json_object *window_json(const struct verdict *verdict) {
    const struct window *window = &verdict->window;
    char moment[MOMENT_SIZE];
    json_object *json = json_object_new_object(), *gaps = json_object_new_array();
    add_text(json, "kind", window_kind_name(window->kind));
    add_text(json, "start", window->undated ? NULL : moment_format(window->start_ms, moment));
    add_text(json, "end", window->undated ? NULL : moment_format(window->end_ms, moment));
    add(json, "seconds", window->untimed ? NULL : number_json(window->seconds));
    add(json, "steps", json_object_new_int64(window->steps));
    add(json, "complete", json_object_new_boolean(verdict->n_gaps == 0));
    for (size_t i = 0; i < verdict->n_gaps; i++)
        json_object_array_add(gaps, text_json(verdict->gaps[i].text));
    add(json, "gaps", gaps);
    return json;
}

// Rules by name and a text; `key` is what the document calls that text.
static json_object *remarks_json(const struct remark *remarks, size_t n, const char *key) {
    json_object *json = json_object_new_array();
    for (size_t i = 0; i < n; i++) {
        json_object *remark = json_object_new_object();
        add_text(remark, "id", remarks[i].id);
        add_text(remark, key, remarks[i].text);
        json_object_array_add(json, remark);
    }
    return json;
}

static json_object *notes_json(const struct remark *notes, size_t n) {
    json_object *json = json_object_new_array();
    for (size_t i = 0; i < n; i++) {
        json_object *note = json_object_new_object(), *values = notes[i].values;
        add_text(note, "text", notes[i].text);
        add(note, "values", values ? json_object_get(values) : json_object_new_object());
        json_object_array_add(json, note);
    }
    return json;
}

static json_object *side_json(double value, const char *text) {
    return isfinite(value) ? number_json(value) : text_json(text);
}

static json_object *change_json(const struct change *change) {
    json_object *json = json_object_new_object();
    char moment[MOMENT_SIZE];
    add_text(json, "at", moment_format(change->at_ms, moment));
    add_text(json, "what", change->what);
    add(json, "from", side_json(change->from_value, change->from));
    add(json, "to", side_json(change->to_value, change->to));
    add_text(json, "unit", change->unit);
    add_text(json, "locus", change->locus);
    add(json, "subject", subject_json(&change->subject));
    add(json, "before_rate", number_json(change->before_rate));
    add(json, "after_rate", number_json(change->after_rate));
    add(json, "before_seconds", number_json(change->before_seconds));
    add(json, "after_seconds", number_json(change->after_seconds));
    add_text(json, "verdict", change_verdict_name(change->verdict));
    add_text(json, "moved_to", change->moved_to);
    return json;
}

static json_object *changes_json(const struct verdict *verdict) {
    json_object *json = json_object_new_array();
    for (size_t i = 0; i < verdict->n_changes; i++)
        json_object_array_add(json, change_json(&verdict->changes[i]));
    return json;
}

static json_object *next_json(const struct verdict *verdict) {
    json_object *json = json_object_new_array();
    for (size_t i = 0; i < verdict->n_next; i++) {
        json_object *step = json_object_new_object();
        add_text(step, "command", verdict->next[i].command);
        add_text(step, "text", verdict->next[i].text);
        json_object_array_add(json, step);
    }
    return json;
}

static json_object *narrowing_json(const struct narrowing *narrowing) {
    json_object *json = json_object_new_object(), *known = json_object_new_array();
    add(json, "port", count_json(narrowing->port));
    add_text(json, "process", narrowing->process);
    add_text(json, "netns", narrowing->netns);
    add(json, "lost_in_all", json_object_new_int64(narrowing->lost_in_all));
    add(json, "sockets", json_object_new_int64((int64_t) narrowing->n_sockets));
    for (size_t i = 0; i < narrowing->n_known; i++)
        json_object_array_add(known, text_json(narrowing->known[i]));
    add(json, "known", known);
    return json;
}

json_object *verdict_json(const struct verdict *verdict) {
    json_object *json = json_object_new_object(), *traffic = json_object_new_object();
    json_object *ledger = json_object_new_array(), *causes = json_object_new_array();
    json_object *levels = json_object_new_array();
    if (!json || !traffic || !ledger || !causes || !levels)
        return NULL;
    for (size_t i = 0; i < verdict->n_ledger; i++)
        json_object_array_add(ledger, ledger_json(&verdict->ledger[i]));
    for (size_t i = 0; i < verdict->n_causes; i++)
        json_object_array_add(causes, cause_json(&verdict->causes[i]));
    for (size_t i = 0; i < verdict->n_levels; i++)
        json_object_array_add(levels, level_json(&verdict->levels[i]));
    add(traffic, "received", count_json(verdict->received));
    add(traffic, "sent", count_json(verdict->sent));
    add(json, "schema", json_object_new_int(VERDICT_SCHEMA));
    add_text(json, "host", verdict->host);
    add_text(json, "kernel", verdict->kernel);
    add(json, "window", window_json(verdict));
    add(json, "filter", verdict->narrowing ? narrowing_json(verdict->narrowing) : NULL);
    add(json, "traffic", traffic);
    add(json, "lost", json_object_new_int64(verdict->lost));
    add(json, "ledger", ledger);
    add(json, "causes", causes);
    add(json, "levels", levels);
    add(json, "changes", changes_json(verdict));
    add(json, "ruled_out", remarks_json(verdict->ruled_out, verdict->n_ruled_out, "text"));
    add(json, "notes", notes_json(verdict->notes, verdict->n_notes));
    add(json, "not_judged", remarks_json(verdict->not_judged, verdict->n_not_judged, "reason"));
    add(json, "next", next_json(verdict));
    add_text(json, "verdict", verdict_kind_name(verdict->kind));
    return json;
}
