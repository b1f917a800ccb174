// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted lines
#include "formats/lines.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/damage.h"

static size_t count_lines(const char *text, size_t length) {
    size_t n = 0;
    for (const char *at = text, *end = text + length; at < end; n++) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));
        at = stop ? stop + 1 : end;
    }
    return n;
}

// The arena is as large as the text and a NUL for every line: what is taken off never makes a line
// longer.
static int allocate(struct lines *lines, size_t n, size_t length) {
    if (n > LINES_MAX)
        return -E2BIG;
    lines->line = calloc(n + 1, sizeof(*lines->line));
    lines->arena = malloc(length + n + 1);
    if (lines->line && lines->arena)
        return 0;
    lines_done(lines);
    return -ENOMEM;
}

int lines_init(struct lines *lines, const char *name, const char *text, size_t length) {
    *lines = (struct lines){ .name = name };
    int r = allocate(lines, count_lines(text, length), length);
    if (r < 0)
        return r;
    char *out = lines->arena;
    for (const char *at = text, *end = text + length; at < end;) {
        const char *stop = memchr(at, '\n', (size_t) (end - at));
        size_t n = (size_t) ((stop ? stop : end) - at);
        bool cut = n > LINE_MAX_BYTES;
        n = cut ? LINE_MAX_BYTES : n;
        struct line *line = &lines->line[lines->n++];
        memcpy(out, at, n);
        out[n] = '\0';
        *line = (struct line){
            .text = out, .length = n, .number = (unsigned) lines->n, .cut = cut
        };
        out += n + 1;
        at = stop ? stop + 1 : end;
    }
    damage_take_off(lines);
    return 0;
}

void lines_done(struct lines *lines) {
    free(lines->line);
    free(lines->arena);
    *lines = (struct lines){ 0 };
}

size_t lines_block_end(const struct lines *lines, size_t i) {
    while (i < lines->n && lines->line[i].kind == LINE_TEXT)
        i++;
    return i;
}

const char *lines_command(const struct lines *lines, size_t i) {
    while (i > 0 && lines->line[i - 1].kind == LINE_BLANK)
        i--;
    return i > 0 && lines->line[i - 1].kind == LINE_COMMAND ? lines->line[i - 1].text : NULL;
}
