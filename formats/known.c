// SPDX-License-Identifier: GPL-2.0-or-later
// Known outputs
//
// Outputs that people paste beside the others and that no table has room for. They are known so
// that nobody wonders; some name the adapter that all is about.
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"

static const struct {
    const char *begin;   // of the first line, behind its indent
    const char *also;    // what it has as well; NULL: nothing
    const char *name_of; // what stands before the name of an interface; NULL: none is named
} outputs[] = {
    { "CPU0", NULL, NULL },                        // /proc/interrupts, /proc/softirqs
    { "Bound Device(s)", ":", "Bound Device(s)" }, // /proc/net/pf_ring
    { "Total:", "(kernel", NULL },                 // ss -s
    { "Architecture:", NULL, NULL },               // lscpu
    { "Kernel IP routing table", NULL, NULL },     // netstat -r
    { "Kernel-IP-Routentabelle", NULL, NULL },
    { "IPv6/IPv4 Group Memberships", NULL, NULL }, // netstat -g
    { "Netid", NULL, NULL },
};
#define N_OUTPUTS (sizeof(outputs) / sizeof(outputs[0]))

static size_t output_of(const struct line *line) {
    const char *text = line->text + line->indent;
    size_t i = 0;
    while (i < N_OUTPUTS && (strncmp(text, outputs[i].begin, strlen(outputs[i].begin)) != 0 ||
                                    (outputs[i].also && !strstr(text, outputs[i].also))))
        i++;
    return i;
}

static void take_name(struct intake *intake, const struct line *line, const char *before) {
    char name[INTERFACE_SIZE];
    struct word word;
    const char *text = strstr(line->text, before);
    if (!text)
        return;
    text += strlen(before);
    text += strspn(text, " \t:");
    if (words_split(text, &word, 1) == 0 || word.length >= sizeof(name))
        return;
    snprintf(name, sizeof(name), "%.*s", (int) word.length, word.text);
    intake_row(intake, line, "nic", (const char *const[]){ NULL, name });
}

// The next output without an empty line before it.
static bool is_other_output(const struct lines *lines, size_t i) {
    for (size_t f = 0; f < n_formats; f++)
        if (formats[f] != &format_known && formats[f]->begins(lines, i) >= FORMAT_LIKELY)
            return true;
    return false;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    size_t output = output_of(&lines->line[i]);
    if (outputs[output].name_of)
        take_name(intake, &lines->line[i], outputs[output].name_of);
    size_t end = lines_block_end(lines, i);
    size_t first = i;
    for (; i < end && (i == first || !is_other_output(lines, i)); i++)
        intake_unused(intake, &lines->line[i]);
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    return output_of(&lines->line[i]) < N_OUTPUTS ? FORMAT_MAYBE : FORMAT_NO;
}

const struct format format_known = {
    .name = "known",
    .help = "an output that is not used",
    .begins = begins,
    .read = read_block,
};
