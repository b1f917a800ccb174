// SPDX-License-Identifier: GPL-2.0-or-later
// Header lines
#include "rules/header.h"

#include <errno.h>
#include <string.h>

#include "rules/append.h"

#define CONTINUATION_BLANKS 6

static char *skip_blanks(char *p) {
    return p + strspn(p, " \t");
}

// Cuts blanks and a carriage return off the end.
static void cut_blanks(char *text) {
    size_t n = strlen(text);
    while (n > 0 && strchr(" \t\r", text[n - 1]))
        text[--n] = '\0';
}

// Ends the word at p. Returns what follows it.
static char *cut_word(char *p) {
    p += strcspn(p, " \t");
    if (*p)
        *p++ = '\0';
    return skip_blanks(p);
}

static void split_blanks(char *rest, const char **part) {
    for (int i = 0; i < 2 && *rest; i++) {
        part[i] = rest;
        rest = cut_word(rest);
    }
    part[2] = rest;
}

static void split_bars(char *rest, const char **part) {
    for (int i = 0; i < 3 && rest; i++) {
        char *bars = strstr(rest, "||");
        if (bars)
            *bars = '\0';
        cut_blanks(rest);
        part[i] = skip_blanks(rest);
        rest = bars ? bars + 2 : NULL;
    }
}

static void split_equals(char *rest, const char **part) {
    char *equals = strchr(rest, '=');
    if (!equals)
        return;
    *equals = '\0';
    cut_blanks(rest);
    part[0] = rest;
    char *value = skip_blanks(equals + 1);
    part[1] = value;
    part[2] = cut_word(value);
}

static void split(char *rest, enum header_split how, const char **part) {
    part[0] = part[1] = part[2] = "";
    switch (how) {
    case SPLIT_NONE:
        part[0] = rest;
        break;
    case SPLIT_BLANKS:
        split_blanks(rest, part);
        break;
    case SPLIT_BARS:
        split_bars(rest, part);
        break;
    case SPLIT_EQUALS:
        split_equals(rest, part);
        break;
    }
}

// Ends the line at p. Returns the next one.
static char *cut_line(char *p) {
    p += strcspn(p, "\n");
    if (*p)
        *p++ = '\0';
    return p;
}

static bool is_continuation(const char *line) {
    return strncmp(line, "--", 2) == 0 && strspn(line + 2, " \t") >= CONTINUATION_BLANKS &&
           line[2 + strspn(line + 2, " \t\r")] != '\n';
}

// The text of the line behind "--", with the lines that continue it; *next is moved behind them.
static char *take_line(char *line, char **next, int *number) {
    char *rest = line + 2, *end;
    *next = cut_line(line);
    (*number)++;
    cut_blanks(rest);
    end = rest + strlen(rest);
    while (is_continuation(*next)) {
        char *more = *next + 2;
        *next = cut_line(more);
        (*number)++;
        cut_blanks(more);
        more = skip_blanks(more);
        size_t n = strlen(more);
        *end++ = ' ';
        memmove(end, more, n + 1);
        end += n;
    }
    return skip_blanks(rest);
}

static int word_index(const char *name, const struct header_word *words, size_t n_words) {
    for (size_t i = 0; i < n_words; i++)
        if (strcmp(words[i].name, name) == 0)
            return (int) i;
    return -1;
}

static int add_line(struct header *header, char *text, int number, const struct header_word *words,
        size_t n_words, struct problems *problems) {
    char *rest = cut_word(text);
    int word = word_index(text, words, n_words);
    if (word < 0) {
        problem(problems, number, "unknown word '%s'", text);
        return 0;
    }
    if (!words[word].many && header_find(header, word)) {
        problem(problems, number, "'%s' stands twice", text);
        return 0;
    }
    struct header_line *line = append(header->lines, header->n);
    if (!line)
        return -ENOMEM;
    line->word = word;
    line->line = number;
    split(rest, words[word].split, line->part);
    for (int i = 0; i < words[word].parts; i++)
        if (*line->part[i] == '\0') {
            problem(problems, number, "'%s' is incomplete", text);
            header->n--;
            break;
        }
    return 0;
}

static bool is_blank_line(const char *line) {
    return line[strspn(line, " \t\r")] == '\n';
}

static bool is_comment(const char *line) {
    return strncmp(line, "--", 2) == 0;
}

size_t header_length(const char *text) {
    const char *p = text;
    while (is_blank_line(p) || is_comment(p)) {
        p += strcspn(p, "\n");
        p += *p == '\n';
    }
    return (size_t) (p - text);
}

int header_read(char **text, int *line, const struct header_word *words, size_t n_words,
        struct problems *problems, struct header *ret) {
    char *p = *text;
    *ret = (struct header){ 0 };
    for (;;) {
        if (is_blank_line(p)) {
            p = cut_line(p);
            (*line)++;
            continue;
        }
        if (!is_comment(p))
            break;
        int number = *line;
        char *start = p;
        char *content = take_line(start, &p, line);
        if (*content == '\0' || *content == '#' || strncmp(content, "SPDX-", 5) == 0)
            continue;
        int r = add_line(ret, content, number, words, n_words, problems);
        if (r < 0) {
            header_done(ret);
            return r;
        }
    }
    *text = p;
    return 0;
}

void header_done(struct header *header) {
    free(header->lines);
    *header = (struct header){ 0 };
}

const struct header_line *header_find(const struct header *header, int word) {
    for (size_t i = 0; i < header->n; i++)
        if (header->lines[i].word == word)
            return &header->lines[i];
    return NULL;
}

const char *header_value(const struct header *header, int word) {
    const struct header_line *line = header_find(header, word);
    return line ? line->part[0] : NULL;
}

char *header_section(char *p, const char *mark, int *line) {
    while (*p && strncmp(p, mark, strlen(mark)) != 0) {
        p += strcspn(p, "\n");
        if (*p) {
            p++;
            (*line)++;
        }
    }
    return p;
}
