// SPDX-License-Identifier: GPL-2.0-or-later
// uptime
#include "formats/uptime.h"

#include <string.h>

#include "formats/list.h"
#include "formats/place.h"
#include "formats/words.h"

static struct word without_comma(struct word word) {
    if (word.length > 0 && word.text[word.length - 1] == ',')
        word.length--;
    return word;
}

// "3:17"
static bool hours_and_minutes(const struct word *word, int64_t *ret_s) {
    const char *colon = memchr(word->text, ':', word->length);
    struct word hours, minutes;
    uint64_t h, m;
    if (!colon)
        return false;
    hours = (struct word){ word->text, (size_t) (colon - word->text) };
    minutes = (struct word){ colon + 1, word->length - hours.length - 1 };
    if (!word_count(&hours, &h) || !word_count(&minutes, &m) || m > 59 || h > 10000)
        return false;
    *ret_s = (int64_t) (h * 60 + m) * 60;
    return true;
}

static int64_t unit_s(const struct word *word) {
    static const struct {
        const char *name;
        int64_t s;
    } units[] = { { "week", 7 * 86400 }, { "day", 86400 }, { "hour", 3600 }, { "hr", 3600 },
        { "min", 60 }, { "sec", 1 } };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (word_begins(word, units[i].name))
            return units[i].s;
    return 0;
}

// What follows "up", as far as it is a time.
static bool add_up(const struct word *words, size_t n, int64_t *ret_s) {
    bool any = false;
    *ret_s = 0;
    for (size_t i = 0; i < n; i += 2) {
        struct word word = without_comma(words[i]);
        uint64_t count;
        int64_t s;
        if (hours_and_minutes(&word, &s)) {
            *ret_s += s;
            return true;
        }
        if (i + 1 == n || !word_count(&word, &count) || count > 100000)
            break;
        s = unit_s(&words[i + 1]);
        if (s == 0)
            break;
        *ret_s += (int64_t) count * s;
        any = true;
    }
    return any;
}

// "up" stands first, or behind the time of day.
bool uptime_parse(const char *text, int64_t *ret_ms) {
    struct word words[WORDS_MAX];
    if (!strstr(text, "up"))
        return false;
    size_t n = words_split(text, words, WORDS_MAX);
    int64_t s;
    for (size_t i = 0; i < n && i < 5; i++)
        if (word_is(&words[i], "up") && add_up(words + i + 1, n - i - 1, &s)) {
            *ret_ms = s * 1000;
            return true;
        }
    return false;
}

static bool has_fraction(const struct word *word) {
    double value;
    return word->length > 3 && word->text[word->length - 3] == '.' && word_decimal(word, &value) &&
           value >= 0;
}

// /proc/uptime: "12549.11 12451.12", which says nothing of itself.
static bool is_proc_uptime(const struct lines *lines, size_t i, double *ret_s) {
    char path[PLACE_SIZE];
    struct word words[3];
    const char *text = lines->line[i].text, *rest;
    bool prefixed = place_prefix(text, path, sizeof(path), &rest);
    if (words_split(prefixed ? rest : text, words, 3) != 2 || !has_fraction(&words[0]) ||
            !has_fraction(&words[1]))
        return false;
    return (prefixed || place_of(lines, i, path, sizeof(path))) &&
           place_is(path, "/proc/uptime", NULL) && word_decimal(&words[0], ret_s) && *ret_s < 1e11;
}

static int begins(const struct lines *lines, size_t i) {
    const char *text = lines->line[i].text;
    int64_t ms;
    double s;
    char path[PLACE_SIZE];
    if (is_proc_uptime(lines, i, &s) || (place_heading(&lines->line[i], path, sizeof(path)) &&
                                                place_is(path, "/proc/uptime", NULL)))
        return FORMAT_CERTAIN;
    if (!uptime_parse(text, &ms))
        return FORMAT_NO;
    return strstr(text, "load average") || strstr(text, "user") ? FORMAT_CERTAIN - 10
                                                                : FORMAT_LIKELY;
}

static size_t read_line(struct intake *intake, const struct lines *lines, size_t i) {
    int64_t ms;
    double s;
    if (is_proc_uptime(lines, i, &s))
        intake_uptime(intake, (int64_t) (s * 1000));
    else if (uptime_parse(lines->line[i].text, &ms))
        intake_uptime(intake, ms);
    return i + 1;
}

const struct format format_uptime = {
    .name = "uptime",
    .help = "uptime, the first line of w, /proc/uptime",
    .begins = begins,
    .read = read_line,
};
