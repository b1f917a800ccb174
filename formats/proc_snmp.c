// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/snmp, netstat
//
// Pairs of lines: "Udp: InDatagrams ..." with names, "Udp: 653277009 ..." with values. Names decide,
// as fields were added at several places (MemErrors: 5.11, OutTransmits: 6.8).
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

#define FIELD_SIZE 96

static bool is_letter(char c) {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

// "Udp:" and names behind it.
static size_t header(const struct line *line, struct word *words, size_t n_max) {
    size_t n = words_split(line->text, words, n_max);
    if (n < 2 || words[0].length < 3 || words[0].text[words[0].length - 1] != ':')
        return 0;
    for (size_t i = 1; i < n; i++)
        if (!is_letter(words[i].text[0]) || memchr(words[i].text, ':', words[i].length))
            return 0;
    return n;
}

static bool same_heading(const struct line *line, const struct word *heading) {
    struct word first;
    return words_split(line->text, &first, 1) == 1 && first.length == heading->length &&
           memcmp(first.text, heading->text, first.length) == 0;
}

enum { FIELDS_MAX = 160 }; // of TcpExt there are about 130

static bool is_pair(const struct lines *lines, size_t i) {
    struct word names[FIELDS_MAX];
    struct word values[2];
    uint64_t value;
    if (i + 1 >= lines->n || header(&lines->line[i], names, FIELDS_MAX) == 0 ||
            !same_heading(&lines->line[i + 1], &names[0]))
        return false;
    size_t n = words_split(lines->line[i + 1].text, values, 2);
    return n == 2 && (word_count(&values[1], &value) || values[1].text[0] == '-');
}

static int begins(const struct lines *lines, size_t i) {
    return is_pair(lines, i) ? FORMAT_CERTAIN : FORMAT_NO;
}

static void read_pair(struct intake *intake, const struct line *names_line, const struct line *line) {
    struct word names[FIELDS_MAX], values[FIELDS_MAX];
    size_t n_names = header(names_line, names, FIELDS_MAX), n = n_names;
    size_t n_values = words_split(line->text, values, FIELDS_MAX);
    char field[FIELD_SIZE];
    // The last value of a line that was cut may be cut itself.
    if (n_values < n)
        n = n_values > 0 ? n_values - 1 : 0;
    if (n_values < n_names)
        intake_note(intake, line, "cut off: %zu of %zu values are missing, and the last one may be a part",
                n_names - n_values, n_names - 1);
    for (size_t i = 1; i < n && i < n_values; i++) {
        snprintf(field, sizeof(field), "%.*s%.*s", (int) names[0].length - 1, names[0].text,
                (int) names[i].length, names[i].text);
        // What the MIB defines as a signed number of no interest: Tcp MaxConn is -1.
        if (values[i].text[0] != '-' || strncmp(field, "Tcp", 3) != 0)
            intake_put(intake, field, &values[i]);
    }
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word heading;
    size_t first = i;
    intake_row(intake, &lines->line[i], "snmp", NULL);
    while (i < lines->n && is_pair(lines, i)) {
        words_split(lines->line[i].text, &heading, 1);
        bool again = i > first && same_heading(&lines->line[first], &heading);
        if (again) // a second look without anything in between
            return i;
        intake_row(intake, &lines->line[i + 1], "snmp", NULL);
        read_pair(intake, &lines->line[i], &lines->line[i + 1]);
        i += 2;
    }
    return i;
}

const struct format format_proc_snmp = {
    .name = "proc-snmp",
    .help = "/proc/net/snmp, /proc/net/netstat",
    .begins = begins,
    .read = read_block,
};
