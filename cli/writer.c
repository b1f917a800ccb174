// SPDX-License-Identifier: GPL-2.0-or-later
// Output writer
#include "cli/writer_ops.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "core/moment.h"
#include "core/table.h"
#include "core/text.h"

struct writer *writer_new(bool json, const struct terminal *terminal, int64_t now_ms, FILE *out) {
    struct writer *writer = calloc(1, sizeof(*writer));
    if (!writer)
        return NULL;
    *writer = (struct writer){
        .ops = json ? &writer_ops_json : &writer_ops_text,
        .terminal = terminal,
        .now_ms = now_ms,
        .out = out,
        .state = json ? writer_json_state() : writer_text_state(),
    };
    if (!writer->state) {
        free(writer);
        return NULL;
    }
    return writer;
}

struct writer *writer_free(struct writer *writer) {
    if (writer) {
        writer->ops->done(writer);
        free(writer);
    }
    return NULL;
}

static void begin(struct writer *writer, const struct writer_table *table, bool is_record) {
    writer->table = table;
    writer->is_record = is_record;
    writer->column = writer->n_rows = 0;
    writer->ops->begin(writer, is_record);
}

void writer_record(struct writer *writer, const struct writer_table *record) {
    begin(writer, record, true);
    writer_row(writer, STYLE_PLAIN);
}

void writer_begin(struct writer *writer, const struct writer_table *table) {
    begin(writer, table, false);
}

void writer_row(struct writer *writer, enum style style) {
    writer->column = 0;
    writer->n_rows++;
    writer->ops->row(writer, style);
}

void writer_end(struct writer *writer) {
    writer->ops->end(writer, writer->is_record);
    writer->table = NULL;
}

static void put(struct writer *writer, const struct value *value) {
    writer->ops->put(writer, &writer->table->columns[writer->column++], value);
}

void writer_text(struct writer *writer, const char *text) {
    put(writer, &(struct value){ VALUE_TEXT, .unknown = !text, .text = text });
}

void writer_integer(struct writer *writer, int64_t value) {
    put(writer, &(struct value){ VALUE_INTEGER, .unknown = value == CELL_NULL, .integer = value });
}

void writer_real(struct writer *writer, double value) {
    put(writer, &(struct value){ VALUE_REAL, .unknown = !isfinite(value), .real = value });
}

void writer_moment(struct writer *writer, int64_t ms) {
    put(writer, &(struct value){ VALUE_MOMENT, .unknown = ms == CELL_NULL, .integer = ms });
}

void writer_boolean(struct writer *writer, bool value) {
    put(writer, &(struct value){ VALUE_BOOLEAN, .integer = value });
}

void writer_nested(struct writer *writer, json_object *value, const char *text) {
    put(writer, &(struct value){
                        VALUE_NESTED, .unknown = !value, .nested = value, .nested_text = text });
}

void writer_sentence(struct writer *writer, enum style style, const char *text) {
    writer->ops->sentence(writer, style, text);
}

void writer_lines(struct writer *writer, const char *name, const char *text) {
    writer->ops->lines(writer, name, text);
}

void writer_page(struct writer *writer, const char *text) {
    writer->ops->page(writer, text);
}

void writer_verdict(
        struct writer *writer, const struct verdict *verdict, bool all, int64_t now_ms) {
    writer->ops->verdict(writer, verdict, all, now_ms);
}

void writer_next(struct writer *writer) {
    writer->ops->next(writer);
}

static void put_integer(FILE *out, int64_t value, const char *unit) {
    if (!unit)
        fprintf(out, "%" PRId64, value);
    else if (!*unit)
        text_put_count(out, value);
    else
        text_put_unit(out, (double) value, unit);
}

static void put_value(FILE *out, const struct value *value, const char *unit, int64_t now_ms) {
    char buffer[MOMENT_SIZE];
    if (value->kind == VALUE_TEXT)
        text_put(out, value->text);
    else if (value->kind == VALUE_INTEGER)
        put_integer(out, value->integer, unit);
    else if (value->kind == VALUE_REAL)
        text_put_unit(out, value->real, unit ? unit : "");
    else if (value->kind == VALUE_MOMENT)
        fputs(moment_format_short(value->integer, now_ms, buffer), out);
    else if (value->kind == VALUE_BOOLEAN)
        fputs(value->integer ? "yes" : "no", out);
    else
        text_put(out, value->nested_text ? value->nested_text : "");
}

char *value_text(const struct writer *writer, const struct value *value, const char *unit) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    if (value->unknown && !(value->kind == VALUE_NESTED && value->nested_text))
        fputs("-", out);
    else
        put_value(out, value, unit, writer->now_ms);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
