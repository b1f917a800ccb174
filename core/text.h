// SPDX-License-Identifier: GPL-2.0-or-later
// Safe text
//
// The one way by which text from outside (process names, interface names, file contents) reaches a
// terminal, and the one way numbers are written for people.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

// Writes text with control characters, escape sequences, bidirectional overrides and invalid UTF-8
// as \xNN.
void text_put(FILE *out, const char *text);
// Valid UTF-8 for JSON and SQL: invalid bytes become U+FFFD. malloc()ed, or NULL: out of memory.
char *text_utf8(const char *text);
// Whether `length` bytes, with a NUL behind them, are valid UTF-8.
bool text_is_utf8(const char *text, size_t length);

// Reads a decimal number ("-1", "0.93", "1e6") whatever the locale; false where the text is anything else.
bool text_to_number(const char *text, double *ret);
void text_put_count(FILE *out, int64_t n);         // 12,431; CELL_NULL: unknown
void text_put_number(FILE *out, double value);     // 3 significant digits, 12,431, 0.93
void text_put_rate(FILE *out, double per_second);  // 9,200/s, 0.4/s
void text_put_bytes(FILE *out, int64_t bytes);     // 208 KiB
void text_put_duration(FILE *out, double seconds); // 18 ms, 1.4 s, 10 min, 3 h
void text_put_share(FILE *out, double ratio);      // 41 %
// A value in its unit, as declared by columns and rules: "bytes", "ratio", "percent", "s", "ms",
// "us", "datagrams/s", ...
void text_put_unit(FILE *out, double value, const char *unit);

// Escaped paragraph with its newline, wrapped at `width` columns. The caller has already written `indent` columns of the first line;
// the others are indented by so many blanks.
void text_wrap(FILE *out, const char *text, int indent, int width);
