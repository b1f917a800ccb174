// SPDX-License-Identifier: GPL-2.0-or-later
// Output writer
//
// Verbs say what they have to show; the writer knows the format. A document consists of records
// (one row, shown as labelled lines) and tables; the columns of both are constant data, and values
// follow in the order of the columns.
#pragma once

#include <json-c/json.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "cli/terminal.h"

struct verdict;

enum writer_column_flag {
    WRITER_RIGHT = 1, // numbers
    WRITER_WRAP = 2,  // long text; the last column only
};

struct writer_column {
    const char *name;  // member of the JSON object; NULL: not there
    const char *label; // heading or label; NULL: not shown as text
    const char *unit;  // of numbers, as text_put_unit() knows them; NULL: plain digits
    unsigned flags;
};

struct writer_table {
    const char
            *name; // member of the JSON document; NULL for a record: its members are the document's
    const char *title; // heading line, or NULL
    const char *empty; // sentence in place of a table without rows, or NULL
    const struct writer_column *columns;
    size_t n_columns;
};

struct writer;

// `now_ms`: the wall clock; moments of today are shown without their date. NULL: out of memory.
struct writer *writer_new(bool json, const struct terminal *terminal, int64_t now_ms, FILE *out);
// Writes what is left. NULL always. Whether the output could be written, ferror() of the stream
// tells.
struct writer *writer_free(struct writer *writer);

void writer_record(struct writer *writer, const struct writer_table *record);
void writer_begin(struct writer *writer, const struct writer_table *table);
// Begins the next row of the table; `style` is that of its text.
void writer_row(struct writer *writer, enum style style);
// Ends the record or table.
void writer_end(struct writer *writer);

// Values of the columns, in their order.
void writer_text(struct writer *writer, const char *text); // NULL: unknown
void writer_integer(struct writer *writer, int64_t value); // CELL_NULL: unknown
void writer_real(struct writer *writer, double value);     // NAN: unknown
void writer_moment(struct writer *writer, int64_t ms);     // CELL_NULL: unknown
void writer_boolean(struct writer *writer, bool value);
// A nested value, which passes to the writer, and its text.
void writer_nested(struct writer *writer, json_object *value, const char *text);

// A sentence that stands in the text only.
void writer_sentence(struct writer *writer, enum style style, const char *text);
// Lines as they are, such as a file or a plot: the text, or a member of the document.
void writer_lines(struct writer *writer, const char *name, const char *text);
// Text that is escaped and wrapped already: for people only.
void writer_page(struct writer *writer, const char *text);
// The whole verdict. `all`: nothing is left out or shortened. `now_ms`: the wall clock.
void writer_verdict(struct writer *writer, const struct verdict *verdict, bool all, int64_t now_ms);
// Ends one document and begins another, as for repeated looks: in text a line apart, in JSON one
// line each.
void writer_next(struct writer *writer);
