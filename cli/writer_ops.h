// SPDX-License-Identifier: GPL-2.0-or-later
// Output formats
//
// Shared by the writer and its formats; verbs use cli/writer.h.
#pragma once

#include "cli/writer.h"

enum value_kind {
    VALUE_TEXT,
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_MOMENT,
    VALUE_BOOLEAN,
    VALUE_NESTED
};

struct value {
    enum value_kind kind;
    bool unknown;
    union {
        const char *text;
        int64_t integer; // also moments and booleans
        double real;
        json_object *nested; // owned by who receives the value
    };
    const char *nested_text;
};

struct writer_ops {
    void (*begin)(struct writer *writer, bool is_record);
    void (*row)(struct writer *writer, enum style style);
    void (*put)(
            struct writer *writer, const struct writer_column *column, const struct value *value);
    void (*end)(struct writer *writer, bool is_record);
    void (*sentence)(struct writer *writer, enum style style, const char *text);
    void (*lines)(struct writer *writer, const char *name, const char *text);
    void (*page)(struct writer *writer, const char *text);
    void (*verdict)(struct writer *writer, const struct verdict *verdict, bool all, int64_t now_ms);
    void (*next)(struct writer *writer);
    void (*done)(struct writer *writer); // writes what is left and frees `state`
};
extern const struct writer_ops writer_ops_text, writer_ops_json;

struct writer {
    const struct writer_ops *ops;
    const struct terminal *terminal;
    int64_t now_ms;
    FILE *out;
    const struct writer_table *table; // begun and not ended
    bool is_record;
    size_t column, n_rows;
    void *state; // of the format
};

// State of the formats; NULL: out of memory.
void *writer_text_state(void);
void *writer_json_state(void);

// A value as people read it, escaped, malloc()ed; NULL: out of memory. "-" where it is unknown.
char *value_text(const struct writer *writer, const struct value *value, const char *unit);
