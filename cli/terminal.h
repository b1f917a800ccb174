// SPDX-License-Identifier: GPL-2.0-or-later
// Terminal properties
#pragma once

#include <stdbool.h>
#include <stdio.h>

enum color { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

struct terminal {
    int width; // columns to write into
    bool is_terminal, color, utf8;
};

// Looks at the standard output, $COLUMNS, $NO_COLOR, $TERM and the locale.
void terminal_init(struct terminal *terminal, enum color color);

enum style { STYLE_PLAIN, STYLE_BOLD, STYLE_DIM, STYLE_GOOD, STYLE_WARNING, STYLE_CRITICAL };
// Begins and ends a style; nothing where the terminal has no colour.
void style_begin(const struct terminal *terminal, FILE *out, enum style style);
void style_end(const struct terminal *terminal, FILE *out, enum style style);
// The escape sequence that begins a style, "" for STYLE_PLAIN.
const char *style_sequence(enum style style);
// Columns that escaped text takes.
int text_columns(const char *text);
