// SPDX-License-Identifier: GPL-2.0-or-later
// Lines and words
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

// A stretch of text, not terminated.
struct span {
    const char *text;
    size_t n;
};

// Walks over the lines of a text.
struct line_scan {
    const char *at, *end;
    size_t number; // of the line returned last, from 1
    bool cut;      // that line had no newline
};

static inline bool next_line(struct line_scan *scan, struct span *ret) {
    if (scan->at >= scan->end)
        return false;
    size_t left = (size_t) (scan->end - scan->at);
    const char *newline = memchr(scan->at, '\n', left);
    *ret = (struct span){ scan->at, newline ? (size_t) (newline - scan->at) : left };
    scan->at += ret->n + (newline ? 1 : 0);
    scan->cut = !newline;
    scan->number++;
    return true;
}

// Takes the next word off the front of `line`; an empty span at its end.
static inline struct span next_word(struct span *line) {
    const char *at = line->text, *end = at + line->n;
    while (at < end && (*at == ' ' || *at == '\t'))
        at++;
    const char *word = at;
    while (at < end && *at != ' ' && *at != '\t')
        at++;
    *line = (struct span){ at, (size_t) (end - at) };
    return (struct span){ word, (size_t) (at - word) };
}

// A number of exactly 8 hexadecimal digits, as the kernel prints 32-bit counters.
static inline bool hex32(struct span word, uint32_t *ret) {
    uint32_t value = 0;
    for (size_t i = 0; i < word.n; i++) {
        char c = word.text[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        value = value << 4 | (uint32_t) (c <= '9' ? c - '0' : c - 'a' + 10);
    }
    if (word.n == 8)
        *ret = value;
    return word.n == 8;
}
