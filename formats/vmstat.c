// SPDX-License-Identifier: GPL-2.0-or-later
// vmstat
//
// Rows of means under short headings; the first row is the mean since boot. vmstat -s is another
// output: sums, one a line.
#include <stdio.h>
#include <string.h>

#include "formats/clock.h"
#include "formats/command.h"
#include "formats/host.h"
#include "formats/list.h"

enum { COLUMNS_MAX = 32 };
#define PAGE_BYTES 4096

// procps 4.0: src/vmstat.c and po/*.po, which translate these in Swedish, Polish and Romanian only.
static const struct {
    const char *heading;
    const char *column;
    bool of_cpu;
} fields[] = {
    { "si", "pswpin", false }, { "so", "pswpout", false }, { "us", "user", true },
    { "gu", "user", true }, { "sy", "system", true }, { "id", "idle", true },
    { "wa", "iowait", true }, { "st", "steal", true }, { "vi", "pswpin", false }, // sv
    { "vu", "pswpout", false }, { "an", "user", true }, { "gä", "user", true },
    { "ia", "idle", true }, { "vä", "iowait", true }, { "uż", "user", true }, // pl
    { "go", "user", true }, { "be", "idle", true }, { "io", "iowait", true },
    { "sk", "steal", true }, { "sin", "pswpin", false }, // ro
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

struct heading {
    size_t at[N_FIELDS]; // SIZE_MAX: not there
    size_t n;            // columns without the time
};

// "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----"
static bool is_banner(const struct line *line) {
    return (strstr(line->text, "proc") || strstr(line->text, "-procese-")) &&
           strstr(line->text, "--cpu--");
}

static bool to_heading(const struct line *line, struct heading *ret) {
    struct word words[COLUMNS_MAX];
    const char *text = line->text + line->indent;
    static const char *const runnable[] = { "r ", "k ", "dz " };
    bool first = false;
    for (size_t i = 0; i < sizeof(runnable) / sizeof(runnable[0]); i++)
        first |= strncmp(text, runnable[i], strlen(runnable[i])) == 0;
    if (!first)
        return false;
    size_t n = words_split(text, words, COLUMNS_MAX), known = 0;
    struct heading heading = { .n = n };
    if (n < 14 || !word_begins(&words[1], "b"))
        return false;
    for (size_t f = 0; f < N_FIELDS; f++) {
        heading.at[f] = SIZE_MAX;
        for (size_t i = 0; i < n; i++)
            if (word_is(&words[i], fields[f].heading)) {
                heading.at[f] = i;
                known++;
            }
    }
    // -t: the zone is the heading of the time.
    const struct word *last = &words[n - 1];
    heading.n -= last->text[0] >= 'A' && last->text[0] <= 'Z';
    if (known < 6)
        return false;
    *ret = heading;
    return true;
}

static bool to_row(const struct line *line, const struct heading *heading, struct word *words,
        int64_t *ret_ms) {
    size_t n = words_split(line->text, words, COLUMNS_MAX);
    uint64_t number;
    *ret_ms = 0;
    if (n < heading->n)
        return false;
    for (size_t i = 0; i < heading->n; i++)
        if (!word_count(&words[i], &number))
            return false;
    return n == heading->n || clock_stamp(words + n - 2, 2, ret_ms) == 2;
}

// Of -S k, K, m, M; KiB without.
static double unit_of(const char *command) {
    const char *option = command ? strstr(command, "-S") : NULL;
    char letter = option ? option[2 + strspn(option + 2, " ")] : 'K';
    return letter == 'k' ? 1000 : letter == 'm' ? 1e6 : letter == 'M' ? 1048576 : 1024;
}

static void put(struct intake *intake, const struct line *line, const struct heading *heading,
        const struct word *words, double unit) {
    uint64_t value;
    for (size_t f = 0; f < N_FIELDS; f++) {
        if (heading->at[f] == SIZE_MAX || !word_count(&words[heading->at[f]], &value))
            continue;
        if (fields[f].of_cpu)
            host_cpu_row(intake, line, HOST_ALL_CPUS);
        else
            host_memory_row(intake, line);
        double scale = fields[f].of_cpu ? 1 : unit / PAGE_BYTES;
        intake_rate(intake, fields[f].column, (double) value * scale);
    }
}

static int begins(const struct lines *lines, size_t i) {
    struct heading heading;
    if (is_banner(&lines->line[i]))
        return FORMAT_CERTAIN;
    return to_heading(&lines->line[i], &heading) ? FORMAT_CERTAIN : FORMAT_NO;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct heading heading = { 0 };
    struct word words[COLUMNS_MAX];
    const char *command = command_above(lines, i, "vmstat");
    int64_t span_ms = command_interval_ms(command, "vmstat"), ms, before_ms = 0;
    bool skip = !command_has_option(command, "vmstat", 'y');
    size_t n_rows = 0, first = i;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (is_banner(line) || to_heading(line, &heading))
            continue;
        if (heading.n == 0 || !to_row(line, &heading, words, &ms))
            break;
        if (n_rows++ > 0 || !skip) {
            intake_look(intake, line, ms ? ms : line->at_ms);
            intake_span(intake, ms && before_ms ? ms - before_ms : span_ms);
            put(intake, line, &heading, words, unit_of(command));
        }
        before_ms = ms;
    }
    if (n_rows == 1 && skip)
        intake_note(intake, &lines->line[first],
                "the first row of vmstat is the mean since boot, which says nothing of now; not used: "
                "vmstat 1 10 prints more");
    return i;
}

const struct format format_vmstat = {
    .name = "vmstat",
    .help = "vmstat, also with -w, -a, -t",
    .begins = begins,
    .read = read_block,
};
