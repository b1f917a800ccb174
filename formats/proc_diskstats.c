// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/diskstats
#include <stdio.h>

#include "formats/list.h"
#include "formats/place.h"
#include "formats/words.h"

// block/genhd.c: major, minor, name and 11 numbers; from 4.18 four more about discards, from 5.5
// two more about flushes.
static const char *const columns[] = { "reads_completed", "reads_merged", "sectors_read",
    "time_reading_ms", "writes_completed", "writes_merged", "sectors_written", "time_writing_ms",
    "io_in_progress", "time_io_ms", "weighted_time_io_ms", NULL, NULL, NULL, NULL, "flush_requests",
    "time_flushing_ms" };
enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]), N_LEAST = 11 };

struct device {
    struct word name;
    uint64_t number[N_COLUMNS];
    size_t n;
    bool used; // some loop and ram devices never are
};

static bool parse(const struct line *line, struct device *ret) {
    char path[PLACE_SIZE];
    const char *text = line->text, *rest;
    struct word words[WORDS_MAX];
    uint64_t number;
    if (place_prefix(text, path, sizeof(path), &rest) && place_is(path, "/proc/diskstats", NULL))
        text = rest;
    size_t n = words_split(text, words, 3);
    if (n == 3 && word_count(&words[0], &number))
        n = words_split(text, words, WORDS_MAX);
    if (n < 3 + N_LEAST || !word_count(&words[0], &number) || number > 4095 ||
            !word_count(&words[1], &number) || number > 1 << 20 || word_count(&words[2], &number))
        return false;
    *ret = (struct device){ .name = words[2] };
    for (size_t i = 3; i < n; i++) {
        if (!word_count(&words[i], &number))
            return false;
        ret->used |= number > 0;
        if (ret->n < N_COLUMNS)
            ret->number[ret->n++] = number;
    }
    return true;
}

static int begins(const struct lines *lines, size_t i) {
    struct device device;
    return parse(&lines->line[i], &device) ? FORMAT_CERTAIN - 5 : FORMAT_NO;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct device device;
    char name[64], first[64] = "";
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT && parse(&lines->line[i], &device);
            i++) {
        snprintf(name, sizeof(name), "%.*s", (int) device.name.length, device.name.text);
        if (first[0] && word_is(&device.name, first))
            break; // the next look
        if (!first[0])
            snprintf(first, sizeof(first), "%s", name);
        intake_listed(intake, "disk");
        if (!device.used)
            continue;
        intake_row(intake, &lines->line[i], "disk", (const char *const[]){ name });
        for (size_t k = 0; k < device.n; k++)
            if (columns[k])
                intake_set(intake, columns[k], device.number[k]);
    }
    return i;
}

const struct format format_proc_diskstats = {
    .name = "proc-diskstats",
    .help = "/proc/diskstats",
    .begins = begins,
    .read = read_block,
};
