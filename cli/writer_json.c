// SPDX-License-Identifier: GPL-2.0-or-later
// JSON format
#include <stdlib.h>
#include <string.h>

#include "cli/writer_ops.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"
#include "core/verdict.h"

struct json_state {
    json_object *document, *array; // array: of the table begun
    json_object *object;           // of the row begun
    bool used;                     // there is something to print
    bool one_line;                 // documents follow each other
};

#define JSON_FLAGS (JSON_C_TO_STRING_SPACED | JSON_C_TO_STRING_NOSLASHESCAPE)

static json_object *new_document(void) {
    json_object *document = json_object_new_object();
    if (document)
        json_object_object_add(document, "schema", json_object_new_int(VERDICT_SCHEMA));
    return document;
}

void *writer_json_state(void) {
    struct json_state *state = calloc(1, sizeof(*state));
    if (!state)
        return NULL;
    state->document = new_document();
    if (!state->document) {
        free(state);
        return NULL;
    }
    return state;
}

static void begin(struct writer *writer, bool is_record) {
    struct json_state *state = writer->state;
    state->used = true;
    if (is_record)
        return;
    state->array = json_object_new_array();
    json_object_object_add(state->document, writer->table->name, state->array);
}

static void row(struct writer *writer, enum style style) {
    struct json_state *state = writer->state;
    if (writer->is_record && !writer->table->name) {
        state->object = state->document;
        return;
    }
    state->object = json_object_new_object();
    if (writer->is_record)
        json_object_object_add(state->document, writer->table->name, state->object);
    else
        json_object_array_add(state->array, state->object);
}

static json_object *from_text(const char *text) {
    _cleanup_free_ char *utf8 = text_utf8(text);
    return utf8 ? json_object_new_string(utf8) : NULL;
}

// Enough digits for every measured value, and 0.93 stays 0.93.
static json_object *from_real(double value) {
    char text[32];
    snprintf(text, sizeof(text), "%.10g", value);
    return json_object_new_double_s(value, text);
}

static json_object *from_moment(int64_t ms) {
    char buffer[MOMENT_SIZE];
    return json_object_new_string(moment_format(ms, buffer));
}

static json_object *from_value(const struct value *value) {
    if (value->unknown)
        return NULL;
    switch (value->kind) {
    case VALUE_TEXT:
        return from_text(value->text);
    case VALUE_INTEGER:
        return json_object_new_int64(value->integer);
    case VALUE_REAL:
        return from_real(value->real);
    case VALUE_MOMENT:
        return from_moment(value->integer);
    case VALUE_BOOLEAN:
        return json_object_new_boolean(value->integer != 0);
    case VALUE_NESTED:
        return value->nested;
    }
    return NULL;
}

static void put(
        struct writer *writer, const struct writer_column *column, const struct value *value) {
    struct json_state *state = writer->state;
    if (column->name)
        json_object_object_add(state->object, column->name, from_value(value));
    else if (value->kind == VALUE_NESTED)
        json_object_put(value->nested);
}

static void end(struct writer *writer, bool is_record) {
}

static void sentence(struct writer *writer, enum style style, const char *text) {
}

static void lines(struct writer *writer, const char *name, const char *text) {
    struct json_state *state = writer->state;
    state->used |= name != NULL;
    if (name)
        json_object_object_add(state->document, name, from_text(text));
}

static void page(struct writer *writer, const char *text) {
}

static void verdict(struct writer *writer, const struct verdict *shown, bool all, int64_t now_ms) {
    struct json_state *state = writer->state;
    json_object_put(state->document);
    state->document = verdict_json(shown);
    state->used = true;
}

static void print(struct writer *writer, int flags) {
    struct json_state *state = writer->state;
    const char *text =
            state->document ? json_object_to_json_string_ext(state->document, flags) : NULL;
    if (text)
        fprintf(writer->out, "%s\n", text);
    else
        fputs("udpdiag: out of memory, there is no output\n", stderr);
}

static void next(struct writer *writer) {
    struct json_state *state = writer->state;
    state->one_line = true;
    print(writer, JSON_FLAGS);
    fflush(writer->out);
    json_object_put(state->document);
    state->document = new_document();
}

static void done(struct writer *writer) {
    struct json_state *state = writer->state;
    if (state->used && !state->one_line)
        print(writer, JSON_FLAGS | JSON_C_TO_STRING_PRETTY);
    json_object_put(state->document);
    free(state);
}

const struct writer_ops writer_ops_json = {
    .begin = begin,
    .row = row,
    .put = put,
    .end = end,
    .sentence = sentence,
    .lines = lines,
    .page = page,
    .verdict = verdict,
    .next = next,
    .done = done,
};
