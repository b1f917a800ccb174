// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/vmstat
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/place.h"
#include "formats/words.h"

// "pswpin 113078", also behind the path.
static bool parse(const struct line *line, struct word *ret_name, struct word *ret_value) {
    char path[PLACE_SIZE];
    const char *text = line->text, *rest;
    struct word words[3];
    uint64_t value;
    if (place_prefix(text, path, sizeof(path), &rest) && place_is(path, "/proc/vmstat", NULL))
        text = rest;
    if (words_split(text, words, 3) != 2 || !word_count(&words[1], &value))
        return false;
    *ret_name = words[0];
    *ret_value = words[1];
    return words[0].text[0] >= 'a' && words[0].text[0] <= 'z';
}

static bool is_ours(const struct word *name) {
    static const char *const names[] = { "pswpin", "pswpout", "pgmajfault", "oom_kill" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word_is(name, names[i]))
            return true;
    return word_begins(name, "allocstall");
}

static int begins(const struct lines *lines, size_t i) {
    struct word name, value;
    if (!parse(&lines->line[i], &name, &value))
        return FORMAT_NO;
    if (word_is(&name, "nr_free_pages"))
        return FORMAT_CERTAIN;
    return is_ours(&name) ? FORMAT_LIKELY + 10 : FORMAT_NO;
}

// Since 4.10 there is one allocstall_ZONE for each zone; they are summed.
static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word name, value;
    uint64_t stalls = 0, zone;
    bool stalled = false;
    size_t first = i;
    host_memory_row(intake, &lines->line[i]);
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT &&
            parse(&lines->line[i], &name, &value);
            i++) {
        if (i > first && word_is(&name, "nr_free_pages"))
            break;
        if (word_begins(&name, "allocstall") && word_count(&value, &zone)) {
            stalls += zone;
            stalled = true;
        } else if (is_ours(&name)) {
            char column[16];
            memcpy(column, name.text, name.length);
            column[name.length] = '\0';
            intake_put(intake, column, &value);
        }
    }
    if (stalled)
        intake_set(intake, "allocstall", stalls);
    return i;
}

const struct format format_proc_vmstat = {
    .name = "proc-vmstat",
    .help = "/proc/vmstat",
    .begins = begins,
    .read = read_block,
};
