// SPDX-License-Identifier: GPL-2.0-or-later
// Time stamps
//
// Lines that say when what follows was taken: the output of date, OSWatcher's "zzz ***Mon Nov 30
// ...", a stamp between dashes or stars.
#include <string.h>

#include "formats/clock.h"
#include "formats/list.h"

#define STAMP_SIZE 160

static bool is_decoration(char c) {
    return strchr("*#=<>[]|~_\"'`", c) != NULL;
}

// A word of dashes.
static bool is_rule(const struct word *word) {
    return strspn(word->text, "-") >= word->length;
}

// Words that stand before a stamp, without the decoration.
static bool is_label(const struct word *word) {
    static const char *const labels[] = { "zzz", "TIMESTAMP:", "Timestamp:", "timestamp:", "Time:",
        "time:", "TIME:", "Date:", "date:", "DATE:", "at", "TS:", "@" };
    for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
        if (word_is(word, labels[i]))
            return true;
    return is_rule(word);
}

// Seconds since the epoch, of date +%s.
static bool epoch(const struct lines *lines, size_t i, const struct word *word, int64_t *ret_ms) {
    const char *command = lines_command(lines, i);
    double s;
    if (!command || !strstr(command, "date") || !word_decimal(word, &s) || s < 6e8 || s > 7e9)
        return false;
    *ret_ms = (int64_t) (s * 1000);
    return true;
}

// "21:34:15" alone, of date +%T: of a day that is not known.
static bool time_alone(const struct word *word, int64_t *ret_ms) {
    const char *colon = memchr(word->text, ':', word->length);
    if (!colon || !memchr(colon + 1, ':', word->length - (size_t) (colon + 1 - word->text)) ||
            clock_time(word, 1, ret_ms) != 1)
        return false;
    *ret_ms += LINE_YEARLESS_DAYS * CLOCK_DAY_MS;
    return true;
}

static bool parse(const struct lines *lines, size_t i, int64_t *ret_ms) {
    const struct line *line = &lines->line[i];
    char text[STAMP_SIZE];
    struct word words[WORDS_MAX];
    const char *command = lines_command(lines, i);
    if (line->length >= sizeof(text) ||
            (!strchr(line->text, ':') && !strstr(line->text, "分") && !command))
        return false;
    for (size_t k = 0; k <= line->length; k++)
        text[k] = is_decoration(line->text[k]) && line->text[k] ? ' ' : line->text[k];
    size_t n = words_split(text, words, WORDS_MAX), first = 0;
    bool watcher = n > 0 && word_is(&words[0], "zzz");
    while (first < n && is_label(&words[first]))
        first++;
    size_t last = n;
    while (last > first + 1 && is_rule(&words[last - 1]))
        last--;
    if (last - first == 1 &&
            (epoch(lines, i, &words[first], ret_ms) || time_alone(&words[first], ret_ms)))
        return true;
    size_t taken = clock_stamp(words + first, n - first, ret_ms);
    size_t end = first + taken;
    while (taken > 0 && end < n && is_rule(&words[end]))
        end++;
    return taken > 0 && (end == n || watcher);
}

static int begins(const struct lines *lines, size_t i) {
    int64_t ms;
    return parse(lines, i, &ms) ? FORMAT_CERTAIN : FORMAT_NO;
}

static size_t read_line(struct intake *intake, const struct lines *lines, size_t i) {
    int64_t ms;
    if (parse(lines, i, &ms))
        intake_time(intake, &lines->line[i], ms);
    return i + 1;
}

const struct format format_stamp = {
    .name = "stamp",
    .help = "times between outputs: date, zzz of OSWatcher",
    .begins = begins,
    .read = read_line,
};
