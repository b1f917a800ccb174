// SPDX-License-Identifier: GPL-2.0-or-later
// Line damage
#include "formats/damage.h"

#include <string.h>

static void cut(struct line *line, size_t length) {
    ((char *) line->text)[length] = '\0';
    line->length = length;
}

static void take_blanks_off(struct line *line) {
    size_t n = strlen(line->text);
    while (n > 0 && strchr(" \t\r\f\v", line->text[n - 1]))
        n--;
    cut(line, n);
    line->indent = strspn(line->text, " \t");
    line->kind = line->indent == n ? LINE_BLANK : LINE_TEXT;
}

void damage_take_off(struct lines *lines) {
    for (size_t i = 0; i < lines->n; i++)
        take_blanks_off(&lines->line[i]);
}
