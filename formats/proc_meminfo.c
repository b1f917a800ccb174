// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/meminfo
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/place.h"
#include "formats/words.h"

// "MemTotal:       24684096 kB", also behind the path. The name without its colon.
static bool parse(const struct line *line, struct word *ret_name, uint64_t *ret_kib) {
    char path[PLACE_SIZE];
    const char *text = line->text, *rest;
    struct word words[4];
    if (place_prefix(text, path, sizeof(path), &rest) && place_is(path, "/proc/meminfo", NULL))
        text = rest;
    size_t n = words_split(text, words, 4);
    if ((n != 3 || !word_is(&words[2], "kB")) && n != 2)
        return false;
    if (words[0].text[words[0].length - 1] != ':' || !word_count(&words[1], ret_kib))
        return false;
    *ret_name = (struct word){ words[0].text, words[0].length - 1 };
    return n == 3 || word_begins(ret_name, "HugePages_");
}

static bool is_ours(const struct word *name) {
    static const char *const names[] = { "MemTotal", "MemFree", "MemAvailable", "SwapTotal",
        "SwapFree" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word_is(name, names[i]))
            return true;
    return false;
}

static int begins(const struct lines *lines, size_t i) {
    struct word name;
    uint64_t kib;
    if (!parse(&lines->line[i], &name, &kib) || !is_ours(&name))
        return FORMAT_NO;
    return word_is(&name, "MemTotal") ? FORMAT_CERTAIN : FORMAT_LIKELY + 10;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word name;
    uint64_t kib;
    char column[32];
    host_memory_row(intake, &lines->line[i]);
    size_t first = i;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT && parse(&lines->line[i], &name, &kib);
            i++) {
        if (i > first && word_is(&name, "MemTotal"))
            break; // the next look
        if (is_ours(&name) && kib < UINT64_MAX / 1024) {
            memcpy(column, name.text, name.length);
            column[name.length] = '\0';
            intake_set(intake, column, kib * 1024);
        }
    }
    return i;
}

const struct format format_proc_meminfo = {
    .name = "proc-meminfo",
    .help = "/proc/meminfo",
    .begins = begins,
    .read = read_block,
};
