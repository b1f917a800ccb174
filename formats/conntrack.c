// SPDX-License-Identifier: GPL-2.0-or-later
// conntrack -S, /proc/net/stat/nf_conntrack
//
// Counters of each CPU, which are added up: "cpu=0 found=0 invalid=412 insert_failed=27 drop=27",
// or a line of names above lines of hexadecimal numbers.
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

// error is what conntrack-tools 1.4 calls icmp_error; entries is a level, the same in each line.
static const struct {
    const char *name, *column;
    bool level;
} counters[] = {
    { "entries", "count", true },
    { "found", "found", false },
    { "invalid", "invalid", false },
    { "insert", "insert", false },
    { "insert_failed", "insert_failed", false },
    { "drop", "drop", false },
    { "early_drop", "early_drop", false },
    { "icmp_error", "icmp_error", false },
    { "error", "icmp_error", false },
};
#define N_COUNTERS (sizeof(counters) / sizeof(counters[0]))
#define WORDS_OF_LINE 40

// A sum is known if each line has its part.
struct sums {
    uint64_t value[N_COUNTERS];
    unsigned n[N_COUNTERS], lines;
};

static size_t counter_of(const char *name, size_t n) {
    size_t i = 0;
    while (i < N_COUNTERS &&
            (strlen(counters[i].name) != n || memcmp(counters[i].name, name, n) != 0))
        i++;
    return i;
}

static void add(struct sums *sums, size_t i, uint64_t value) {
    if (i == N_COUNTERS)
        return;
    sums->value[i] = counters[i].level ? value : sums->value[i] + value;
    sums->n[i]++;
}

static void put(struct intake *intake, const struct line *line, const struct sums *sums) {
    intake_row(intake, line, "conntrack", NULL);
    for (size_t i = 0; i < N_COUNTERS; i++)
        if (sums->lines > 0 && sums->n[i] == sums->lines)
            intake_set(intake, counters[i].column, sums->value[i]);
}

// "cpu=0": the CPU; false: not such a line.
static bool parse_cpu(const struct line *line, struct word *words, size_t *ret_n, uint64_t *ret) {
    *ret_n = words_split(line->text, words, WORDS_OF_LINE);
    if (*ret_n < 2 || words[0].length < 5 || memcmp(words[0].text, "cpu=", 4) != 0 ||
            !memchr(words[1].text, '=', words[1].length))
        return false;
    struct word cpu = { words[0].text + 4, words[0].length - 4 };
    return word_count(&cpu, ret);
}

// The last value of a line that is shorter than the others may be cut: only what something follows
// counts there.
static void add_pairs(const struct word *words, size_t n, bool cut, struct sums *sums) {
    for (size_t i = 1; i + cut < n; i++) {
        const char *equals = memchr(words[i].text, '=', words[i].length);
        if (!equals)
            continue;
        size_t name = (size_t) (equals - words[i].text);
        struct word number = { equals + 1, words[i].length - name - 1 };
        uint64_t value;
        if (word_count(&number, &value))
            add(sums, counter_of(words[i].text, name), value);
    }
}

static size_t read_pairs(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE];
    const struct line *first = &lines->line[i];
    struct sums sums = { 0 };
    uint64_t cpu, last = 0;
    size_t n, width = 0;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        if (!parse_cpu(&lines->line[i], words, &n, &cpu) || (width && cpu <= last))
            break; // a CPU that comes again begins the next look
        bool cut =
                n < width || (n == width && !memchr(words[n - 1].text, '=', words[n - 1].length));
        if (cut)
            intake_note(intake, &lines->line[i],
                    "the line is cut: what it lacks is not known of all CPUs");
        add_pairs(words, n, cut, &sums);
        sums.lines++;
        width = width ? width : n;
        last = cpu;
    }
    put(intake, first, &sums);
    return i;
}

static bool is_header(const struct line *line, struct word *words, size_t *ret_n) {
    size_t n = *ret_n = words_split(line->text, words, WORDS_OF_LINE);
    return n > 5 && word_is(&words[0], "entries") &&
           (word_is(&words[1], "searched") || word_is(&words[1], "clashres"));
}

static bool is_hex32(const struct word *word, uint64_t *ret) {
    return word->length == 8 && word_hex(word, ret);
}

static size_t read_stat(struct intake *intake, const struct lines *lines, size_t i) {
    struct word names[WORDS_OF_LINE], values[WORDS_OF_LINE];
    const struct line *first = &lines->line[i];
    struct sums sums = { 0 };
    size_t n_names, n;
    uint64_t value;
    is_header(first, names, &n_names);
    for (i++; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        n = words_split(lines->line[i].text, values, WORDS_OF_LINE);
        if (n == 0 || !is_hex32(&values[0], &value))
            break;
        if (n != n_names || !is_hex32(&values[n - 1], &value)) {
            intake_skip(intake, &lines->line[i]);
            sums.lines++; // its part is not known
            continue;
        }
        sums.lines++;
        for (size_t k = 0; k < n; k++)
            if (is_hex32(&values[k], &value))
                add(&sums, counter_of(names[k].text, names[k].length), value);
    }
    put(intake, first, &sums);
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE];
    size_t n;
    return is_header(&lines->line[i], words, &n) ? read_stat(intake, lines, i)
                                                 : read_pairs(intake, lines, i);
}

static int begins(const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE];
    uint64_t cpu;
    size_t n;
    const struct line *line = &lines->line[i];
    return is_header(line, words,
                   &n) || (parse_cpu(line, words, &n, &cpu) &&
                                  (strstr(line->text, "invalid=") || strstr(line->text, "insert") ||
                                          strstr(line->text, "drop=")))
                   ? FORMAT_CERTAIN
                   : FORMAT_NO;
}

const struct format format_conntrack = {
    .name = "conntrack",
    .help = "conntrack -S, /proc/net/stat/nf_conntrack",
    .begins = begins,
    .read = read_block,
};
