// SPDX-License-Identifier: GPL-2.0-or-later
// Header lines
//
// Rule and ledger files begin with lines "-- word  rest". A line "--" with six or more blanks
// continues the line above; "-- # ..." and "-- SPDX-..." are comments. The header ends at the first
// line that is something else.
#pragma once

#include <stdbool.h>

#include "rules/problem.h"

// How the rest of a line is split into parts.
enum header_split {
    SPLIT_NONE,   // one part
    SPLIT_BLANKS, // up to two words, and the remainder
    SPLIT_BARS,   // at "||"
    SPLIT_EQUALS, // "name = value   remainder"
};

struct header_word {
    const char *name;
    enum header_split split;
    unsigned char parts; // that must be there
    bool many;           // may stand more than once
};

struct header_line {
    int word;            // index into the list of words
    int line;            // number in the file, from 1
    const char *part[3]; // "" where there is none
};

struct header {
    struct header_line *lines;
    size_t n;
};

// Reads the header at *text, which is changed and must stay: the parts point into it. *text and
// *line are moved to the first line behind it. Unknown and repeated words and missing parts are
// problems. 0 or -ENOMEM.
int header_read(char **text, int *line, const struct header_word *words, size_t n_words,
        struct problems *problems, struct header *ret);
void header_done(struct header *header);
// How many bytes of the text header_read() takes.
size_t header_length(const char *text);

// The next line from p on that begins with `mark`, or the end of the text; *line counts the lines
// before it.
char *header_section(char *p, const char *mark, int *line);

// The line of that word, or NULL. The first part of it, or NULL.
const struct header_line *header_find(const struct header *header, int word);
const char *header_value(const struct header *header, int word);
