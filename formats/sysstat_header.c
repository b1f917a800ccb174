// SPDX-License-Identifier: GPL-2.0-or-later
// Headers of sysstat
#include "formats/sysstat_header.h"

#include <stdio.h>
#include <string.h>

#include "formats/clock.h"

#define LINES_TO_VALUES 12

bool sysstat_header(const struct word *words, size_t n) {
    return n >= 5 && word_is(&words[0], "Linux") && words[2].text[0] == '(' &&
           (memchr(words[n - 1].text, ')', words[n - 1].length) ||
                   memchr(words[n - 2].text, '_', words[n - 2].length));
}

static bool has_decimal_comma(const struct line *line) {
    struct word words[WORDS_MAX];
    size_t n = words_split(line->text, words, WORDS_MAX);
    for (size_t i = 0; i < n; i++) {
        double value;
        if (words[i].length > 3 && words[i].text[words[i].length - 3] == ',' &&
                word_decimal(&words[i], &value))
            return true;
    }
    return false;
}

// Where fractions have commas ("0,00"), dates with slashes have the day first. The values follow
// within a few lines.
static bool is_day_first(const struct lines *lines, size_t i) {
    for (size_t end = i + LINES_TO_VALUES; i < lines->n && i < end; i++)
        if (has_decimal_comma(&lines->line[i]))
            return true;
    return false;
}

void sysstat_take_header(
        struct intake *intake, const struct lines *lines, size_t at, struct sysstat_host *ret) {
    struct word words[WORDS_MAX];
    size_t n = words_split(lines->line[at].text, words, WORDS_MAX);
    char name[128];
    uint64_t cpus;
    ret->day_first = is_day_first(lines, at + 1);
    snprintf(name, sizeof(name), "%.*s", (int) words[2].length - 2, words[2].text + 1);
    intake_host(intake, words[2].length > 2 ? name : NULL);
    snprintf(name, sizeof(name), "%.*s", (int) words[1].length, words[1].text);
    intake_kernel(intake, name);
    for (size_t i = 3; i < n; i++) {
        struct word word = words[i];
        if (!ret->day_first || !clock_date_day_first(&word, &ret->day_ms))
            clock_date(&word, &ret->day_ms);
        if (word.text[0] != '(')
            continue;
        word.text++;
        word.length--;
        if (word_count(&word, &cpus) && cpus < 100000)
            ret->n_cpus = (unsigned) cpus;
    }
}

size_t sysstat_average(const struct word *words, size_t n) {
    if (n > 1 && word_is(&words[1], ":"))
        return 2;
    bool label = n > 0 && words[0].length > 3 && words[0].text[words[0].length - 1] == ':' &&
                 (words[0].text[0] < '0' || words[0].text[0] > '9') &&
                 !word_is(&words[0], "avg-cpu:") && !word_is(&words[0], "Device:");
    return label ? 1 : 0;
}

int64_t sysstat_growing(int64_t before_ms, int64_t now_ms) {
    while (before_ms >= 0 && now_ms < before_ms - CLOCK_DAY_MS / 2)
        now_ms += CLOCK_DAY_MS;
    return now_ms;
}
