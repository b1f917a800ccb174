// SPDX-License-Identifier: GPL-2.0-or-later
// vmstat -s
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"

static const struct {
    const char *words;
    const char *column;
    uint64_t scale;
    bool of_cpu;
} fields[] = {
    { "K total memory", "total_bytes", 1024, false },
    { "K free memory", "free_bytes", 1024, false },
    { "K total swap", "swap_total_bytes", 1024, false },
    { "K free swap", "swap_free_bytes", 1024, false },
    { "pages swapped in", "pswpin", 1, false },
    { "pages swapped out", "pswpout", 1, false },
    { "non-nice user cpu ticks", "user", 1, true },
    { "nice user cpu ticks", "nice", 1, true },
    { "system cpu ticks", "system", 1, true },
    { "idle cpu ticks", "idle", 1, true },
    { "IO-wait cpu ticks", "iowait", 1, true },
    { "IRQ cpu ticks", "irq", 1, true },
    { "softirq cpu ticks", "softirq", 1, true },
    { "stolen cpu ticks", "steal", 1, true },
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

// The field of a line "     24684096 K total memory"; N_FIELDS: none.
static size_t field_of(const struct line *line, uint64_t *ret) {
    struct word word;
    if (words_split(line->text, &word, 1) != 1 || !word_count(&word, ret))
        return N_FIELDS;
    const char *rest = word.text + word.length + strspn(word.text + word.length, " \t");
    for (size_t i = 0; i < N_FIELDS; i++)
        if (strcmp(rest, fields[i].words) == 0)
            return i;
    return N_FIELDS;
}

static int begins(const struct lines *lines, size_t i) {
    uint64_t value;
    return field_of(&lines->line[i], &value) < N_FIELDS ? FORMAT_CERTAIN : FORMAT_NO;
}

// The others begin with a number too.
static bool is_other(const struct line *line) {
    struct word words[3];
    uint64_t value;
    return words_split(line->text, words, 3) == 3 && word_count(&words[0], &value) &&
           !word_count(&words[1], &value);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    uint64_t value;
    unsigned seen = 0;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        size_t field = field_of(line, &value);
        if (field == N_FIELDS && !is_other(line) && !strstr(line->text, "boot time") &&
                !strstr(line->text, "forks") && !strstr(line->text, "interrupts"))
            break;
        if (field == N_FIELDS)
            continue;
        if (seen & 1U << field)
            break; // the next look
        seen |= 1U << field;
        if (fields[field].of_cpu)
            host_cpu_row(intake, line, HOST_ALL_CPUS);
        else
            host_memory_row(intake, line);
        intake_set(intake, fields[field].column, value * fields[field].scale);
    }
    return i;
}

const struct format format_vmstat_s = {
    .name = "vmstat-s",
    .help = "vmstat -s",
    .begins = begins,
    .read = read_block,
};
