// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted words
//
// Words and numbers as people paste them. Numbers may have thousands separators (1,234 or 1'234 or
// 1.234.567), the letter O in place of 0 (text read off a picture), and stars around them.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct word {
    const char *text; // not NUL-terminated
    size_t length;
};
#define WORDS_MAX 64

// Splits at blanks and TABs; at most n words. Returns how many there are.
size_t words_split(const char *text, struct word *ret, size_t n);
bool word_is(const struct word *word, const char *text);
bool word_begins(const struct word *word, const char *text);

// A whole number without a sign, up to 2^64 - 1. The whole word must be one.
bool word_count(const struct word *word, uint64_t *ret);
// The same of a text that ends with NUL.
bool text_count(const char *text, uint64_t *ret);
// The same in hexadecimal, without 0x.
bool word_hex(const struct word *word, uint64_t *ret);
// With a fraction behind a point or a comma, and a sign.
bool word_decimal(const struct word *word, double *ret);
