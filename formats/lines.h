// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted lines
//
// A pasted text line by line, with what mail programs, loggers and terminals did to it taken off:
// quote marks, log prefixes, HTML entities, prompts, CRLF. What a line said and where it stood stays
// known.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum line_kind {
    LINE_TEXT,
    LINE_BLANK,
    LINE_COMMAND, // behind a prompt: `text` is the command
};

struct line {
    const char *text; // cleaned, NUL-terminated; blanks at its begin are kept, those at its end are not
    size_t length;
    size_t indent;   // blanks before the text; a TAB counts as one
    unsigned number; // from 1, in its file
    enum line_kind kind;
    bool cut;        // what stands beyond LINE_MAX_BYTES is not in it
    int64_t at_ms; // wall clock of the log prefix that was taken off; 0: none
};
// A prefix without a year tells a time of 1972, a leap year that began so many days after the epoch.
#define LINE_YEARLESS_DAYS 730

#define LINE_MAX_BYTES ((size_t) 64 << 10)

// The lines of one file.
struct lines {
    const char *name; // of the file, as it was given
    struct line *line;
    size_t n;
    char *arena; // texts of the lines
};

// Takes the text of a file apart. `text` may hold NULs. 0, -ENOMEM, or -E2BIG: more than
// LINES_MAX lines.
int lines_init(struct lines *lines, const char *name, const char *text, size_t length);
void lines_done(struct lines *lines);
#define LINES_MAX ((size_t) 4 << 20)

// First line from i on that is blank, a command, or the end: where a block without other marks ends.
size_t lines_block_end(const struct lines *lines, size_t i);
// The command that the block at line i is the output of (blank lines between them do not count), or
// NULL: none is in sight.
const char *lines_command(const struct lines *lines, size_t i);
