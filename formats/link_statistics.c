// SPDX-License-Identifier: GPL-2.0-or-later
// /sys/class/net/IF/statistics
//
// A number below the path of its file, as cat leaves it, or behind it, as grep and head write.
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"
#include "formats/place.h"

// "sys/class/net/eth2/statistics/rx_missed_errors": the interface and the name.
static bool parse_path(const char *path, char *interface, char *column) {
    static const char before[] = "class/net/", between[] = "/statistics/";
    const char *name = strstr(path, before);
    if (!name)
        return false;
    name += sizeof(before) - 1;
    const char *end = strstr(name, between);
    if (!end || end == name || end - name >= INTERFACE_SIZE)
        return false;
    snprintf(interface, INTERFACE_SIZE, "%.*s", (int) (end - name), name);
    snprintf(column, PLACE_SIZE, "%s", end + sizeof(between) - 1);
    return *column && !strchr(column, '/') && !strchr(interface, '/');
}

// The path and the number of a line. False: it is another one.
static bool parse_line(
        const struct lines *lines, size_t i, char *interface, char *column, struct word *ret) {
    char path[PLACE_SIZE];
    const char *rest;
    uint64_t value;
    const struct line *line = &lines->line[i];
    if (!place_prefix(line->text, path, sizeof(path), &rest)) {
        rest = line->text;
        if (!place_of(lines, i, path, sizeof(path)))
            return false;
    }
    return words_split(rest, ret, 1) == 1 && ret->text[ret->length] == '\0' &&
           word_count(ret, &value) && parse_path(path, interface, column);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    char interface[INTERFACE_SIZE], column[PLACE_SIZE], path[PLACE_SIZE];
    struct word number;
    const char *rest;
    if (!parse_line(lines, i, interface, column, &number))
        return i + 1;
    do {
        interface_row(intake, &lines->line[i], interface, NULL);
        if (intake_has(intake, column)) {
            intake_look(intake, &lines->line[i], lines->line[i].at_ms);
            interface_row(intake, &lines->line[i], interface, NULL);
        }
        if (!intake_put(intake, column, &number))
            intake_unused(intake, &lines->line[i]);
        i++;
    } while (i < lines->n && lines->line[i].kind == LINE_TEXT &&
             place_prefix(lines->line[i].text, path, sizeof(path), &rest) &&
             parse_line(lines, i, interface, column, &number));
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    char interface[INTERFACE_SIZE], column[PLACE_SIZE];
    struct word number;
    return parse_line(lines, i, interface, column, &number) ? FORMAT_CERTAIN : FORMAT_NO;
}

const struct format format_link_statistics = {
    .name = "link-statistics",
    .help = "/sys/class/net/IF/statistics",
    .begins = begins,
    .read = read_block,
};
