// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/sockstat, sockstat6
//
// "UDP: inuse 5 mem 2": memory in pages. "FRAG: inuse 0 memory 0": in bytes.
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/place.h"
#include "formats/words.h"

// net/ipv4/proc.c, net/ipv6/proc.c
static const char *const groups[] = {
    "sockets:",
    "TCP:",
    "UDP:",
    "UDPLITE:",
    "RAW:",
    "FRAG:",
    "TCP6:",
    "UDP6:",
    "UDPLITE6:",
    "RAW6:",
    "FRAG6:",
};
#define WORDS_OF_LINE 13 // of TCP

static const char *text_of(const struct line *line) {
    char path[PLACE_SIZE];
    const char *rest;
    return place_prefix(line->text, path, sizeof(path), &rest) ? rest : line->text;
}

// The number of words; 0: no line of this kind.
static size_t split(const struct line *line, struct word *words) {
    size_t n = words_split(text_of(line), words, WORDS_OF_LINE);
    for (size_t i = 0; n >= 3 && i < sizeof(groups) / sizeof(groups[0]); i++)
        if (word_is(&words[0], groups[i]) &&
                (word_is(&words[1], "inuse") || word_is(&words[1], "used")))
            return n;
    return 0;
}

static void take_line(struct intake *intake, const struct line *line) {
    struct word words[WORDS_OF_LINE];
    size_t n = split(line, words);
    char field[64];
    for (size_t i = 1; i + 1 < n; i += 2) {
        snprintf(field, sizeof(field), "%.*s %.*s", (int) words[0].length - 1, words[0].text,
                (int) words[i].length, words[i].text);
        intake_put(intake, field, &words[i + 1]);
    }
}

static bool same_group(const struct line *a, const struct line *b) {
    struct word x[WORDS_OF_LINE], y[WORDS_OF_LINE];
    return split(a, x) && split(b, y) && x[0].length == y[0].length &&
           memcmp(x[0].text, y[0].text, x[0].length) == 0;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE];
    size_t first = i;
    intake_row(intake, &lines->line[i], "sockstat", NULL);
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT && split(&lines->line[i], words); i++) {
        if (i > first && same_group(&lines->line[first], &lines->line[i]))
            break; // the next look
        take_line(intake, &lines->line[i]);
    }
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE];
    return split(&lines->line[i], words) ? FORMAT_CERTAIN : FORMAT_NO;
}

const struct format format_sockstat = {
    .name = "sockstat",
    .help = "/proc/net/sockstat, sockstat6",
    .begins = begins,
    .read = read_block,
};
