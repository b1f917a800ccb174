// SPDX-License-Identifier: GPL-2.0-or-later
// Block places
#include "formats/place.h"

#include <ctype.h>
#include <string.h>

#include "formats/words.h"

static bool is_path(const char *text, size_t n) {
    if (n > 0 && text[0] == '/') {
        text++;
        n--;
    }
    bool known =
            (n > 5 && memcmp(text, "proc/", 5) == 0) || (n > 4 && memcmp(text, "sys/", 4) == 0);
    for (size_t i = 0; known && i < n; i++)
        if (!isalnum((unsigned char) text[i]) && !strchr("/._-@\\:+,", text[i]))
            known = false;
    return known;
}

static bool keep(const char *text, size_t n, char *ret, size_t size) {
    if (n >= size || !is_path(text, n))
        return false;
    memcpy(ret, text, n);
    ret[n] = '\0';
    return true;
}

bool place_heading(const struct line *line, char *ret, size_t size) {
    struct word words[3];
    size_t n = words_split(line->text, words, 3);
    if (line->kind != LINE_TEXT)
        return false;
    // "<==" behind it may be gone with the arrows that people draw.
    if (n >= 2 && word_is(&words[0], "==>") && (n == 2 || word_is(&words[2], "<==")))
        return keep(words[1].text, words[1].length, ret, size);
    if (n != 1)
        return false;
    if (words[0].text[words[0].length - 1] == ':')
        words[0].length--;
    return keep(words[0].text, words[0].length, ret, size);
}

bool place_argument(const char *command, size_t n, char *ret, size_t size) {
    struct word words[WORDS_MAX];
    size_t n_words = words_split(command, words, WORDS_MAX);
    for (size_t i = 0; i < n_words; i++) {
        if (word_is(&words[i], "|") || word_is(&words[i], ";") || word_is(&words[i], "&&"))
            break;
        if (words[i].length > 0 && words[i].text[words[i].length - 1] == ';')
            words[i].length--;
        if (is_path(words[i].text, words[i].length) && n-- == 0)
            return keep(words[i].text, words[i].length, ret, size);
    }
    return false;
}

bool place_argument_like(
        const char *command, const char *pattern, size_t n, char *ret, size_t size) {
    struct word words[WORDS_MAX];
    size_t n_words = words_split(command, words, WORDS_MAX);
    for (size_t i = 0; i < n_words; i++) {
        words[i].length -= words[i].text[words[i].length - 1] == ';';
        if (keep(words[i].text, words[i].length, ret, size) && place_is(ret, pattern, NULL) &&
                n-- == 0)
            return true;
    }
    return false;
}

static size_t line_before(const struct lines *lines, size_t i) {
    while (i > 0 && lines->line[i - 1].kind == LINE_BLANK)
        i--;
    return i > 0 ? i - 1 : SIZE_MAX;
}

// Of a capture: its tree may stand anywhere.
static bool name_of(const struct lines *lines, char *ret, size_t size) {
    const char *name = lines->name ? lines->name : "";
    const char *proc = strstr(name, "proc/"), *sys = strstr(name, "sys/");
    const char *found = proc && (!sys || proc < sys) ? proc : sys;
    if (!found || (found > name && found[-1] != '/'))
        return false;
    return keep(found, strlen(found), ret, size);
}

bool place_of(const struct lines *lines, size_t i, char *ret, size_t size) {
    char second[PLACE_SIZE];
    size_t before = line_before(lines, i);
    if (before == SIZE_MAX)
        return name_of(lines, ret, size);
    if (place_heading(&lines->line[before], ret, size))
        return true;
    const char *command = lines_command(lines, i);
    return command && place_argument(command, 0, ret, size) &&
           !place_argument(command, 1, second, sizeof(second));
}

bool place_prefix(const char *text, char *ret, size_t size, const char **ret_rest) {
    text += strspn(text, " \t");
    size_t n = strcspn(text, " \t");
    for (size_t i = 0; i < n; i++)
        if (text[i] == ':' && keep(text, i, ret, size)) {
            *ret_rest = text + i + 1;
            return true;
        }
    return false;
}

// Compares from the end, name by name.
bool place_is(const char *path, const char *pattern, char *name) {
    const char *p = path + strlen(path), *q = pattern + strlen(pattern);
    while (q > pattern) {
        if (q[-1] == '*') {
            const char *end = p;
            while (p > path && p[-1] != '/')
                p--;
            size_t n = (size_t) (end - p);
            if (n == 0 || n >= PLACE_SIZE)
                return false;
            if (name) {
                memcpy(name, p, n);
                name[n] = '\0';
            }
            q--;
            continue;
        }
        if (p == path) // a tree without its root: proc/1/io
            return q - pattern == 1 && *pattern == '/';
        if (*--p != *--q)
            return false;
    }
    return true;
}
