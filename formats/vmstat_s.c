// SPDX-License-Identifier: GPL-2.0-or-later
// vmstat -s
#include <stdio.h>
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/vmstat_s_words.h"

enum { PHRASE_SIZE = 64, PHRASE_WORDS = 8 };

static const struct {
    const char *column;
    uint64_t scale;
    bool of_cpu;
} columns[] = {
    [VMSTAT_S_TOTAL] = { "total_bytes", 1024, false },
    [VMSTAT_S_FREE] = { "free_bytes", 1024, false },
    [VMSTAT_S_SWAP_TOTAL] = { "swap_total_bytes", 1024, false },
    [VMSTAT_S_SWAP_FREE] = { "swap_free_bytes", 1024, false },
    [VMSTAT_S_SWAPPED_IN] = { "pswpin", 1, false },
    [VMSTAT_S_SWAPPED_OUT] = { "pswpout", 1, false },
    [VMSTAT_S_USER] = { "user", 1, true },
    [VMSTAT_S_NICE] = { "nice", 1, true },
    [VMSTAT_S_SYSTEM] = { "system", 1, true },
    [VMSTAT_S_IDLE] = { "idle", 1, true },
    [VMSTAT_S_IOWAIT] = { "iowait", 1, true },
    [VMSTAT_S_IRQ] = { "irq", 1, true },
    [VMSTAT_S_SOFTIRQ] = { "softirq", 1, true },
    [VMSTAT_S_STEAL] = { "steal", 1, true },
};

// Of a line "     24684096 K total memory", or as in Polish with the number behind the words.
static enum vmstat_s_field field_of(const struct line *line, uint64_t *ret) {
    struct word words[PHRASE_WORDS];
    char phrase[PHRASE_SIZE];
    size_t n = words_split(line->text, words, PHRASE_WORDS), length = 0;
    bool number = false;
    if (n < 2 || line->length >= PHRASE_SIZE)
        return VMSTAT_S_NONE;
    for (size_t i = 0; i < n; i++) {
        if (!number && word_count(&words[i], ret)) {
            number = true;
            continue;
        }
        length += (size_t) snprintf(phrase + length, sizeof(phrase) - length, "%s%.*s",
                length > 0 ? " " : "", (int) words[i].length, words[i].text);
    }
    return number ? vmstat_s_field(phrase) : VMSTAT_S_NONE;
}

static int begins(const struct lines *lines, size_t i) {
    uint64_t value;
    return field_of(&lines->line[i], &value) < VMSTAT_S_OTHER ? FORMAT_CERTAIN : FORMAT_NO;
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
        enum vmstat_s_field field = field_of(line, &value);
        if (field == VMSTAT_S_NONE && !is_other(line))
            break;
        if (field >= VMSTAT_S_OTHER)
            continue;
        if (seen & 1U << field)
            break; // the next look
        seen |= 1U << field;
        if (columns[field].of_cpu)
            host_cpu_row(intake, line, HOST_ALL_CPUS);
        else
            host_memory_row(intake, line);
        intake_set(intake, columns[field].column, value * columns[field].scale);
    }
    return i;
}

const struct format format_vmstat_s = {
    .name = "vmstat-s",
    .help = "vmstat -s",
    .begins = begins,
    .read = read_block,
};
