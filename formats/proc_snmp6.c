// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/snmp6
//
// One counter a line: its name, blanks and a TAB, its value.
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

#define FIELD_SIZE 64

static bool is_row(const struct line *line, struct word *words) {
    static const char *const prefixes[] = { "Ip6", "Icmp6", "Udp6", "UdpLite6" };
    struct word split[3];
    uint64_t value;
    if (words_split(line->text, split, 3) != 2 || split[0].length >= FIELD_SIZE ||
            !word_count(&split[1], &value))
        return false;
    words[0] = split[0];
    words[1] = split[1];
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++)
        if (word_begins(&split[0], prefixes[i]))
            return true;
    return false;
}

// nstat has the same names, in its own order: here all of them stand, from Ip6InReceives on.
static int begins(const struct lines *lines, size_t i) {
    struct word words[2];
    const char *command = lines_command(lines, i);
    if (!is_row(&lines->line[i], words))
        return FORMAT_NO;
    bool named = command && strstr(command, "snmp6");
    if (named || word_is(&words[0], "Ip6InReceives"))
        return FORMAT_CERTAIN;
    return strchr(lines->line[i].text, '\t') ? FORMAT_LIKELY + 10 : FORMAT_MAYBE;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[2];
    char field[FIELD_SIZE];
    intake_row(intake, &lines->line[i], "snmp", NULL);
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT && is_row(&lines->line[i], words); i++) {
        snprintf(field, sizeof(field), "%.*s", (int) words[0].length, words[0].text);
        if (intake_has(intake, field))
            break; // the next look
        if (!intake_put(intake, field, &words[1]))
            intake_unused(intake, &lines->line[i]);
    }
    return i;
}

const struct format format_proc_snmp6 = {
    .name = "proc-snmp6",
    .help = "/proc/net/snmp6",
    .begins = begins,
    .read = read_block,
};
