// SPDX-License-Identifier: GPL-2.0-or-later
// ps
#include <stdio.h>
#include <string.h>

#include "formats/command.h"
#include "formats/list.h"
#include "formats/process_list.h"

// "ps aux | grep NAME" has no heading, but the shape of ps aux: a user, five numbers, a terminal, a
// state, a start, a time.
static const char aux[] = "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND";

static bool is_aux(const char *text, struct process_row *ret) {
    struct process_heading heading;
    struct word words[11];
    double number;
    if (words_split(text, words, 11) < 11 || !process_heading(aux, &heading))
        return false;
    for (size_t i = 2; i < 6; i++)
        if (!word_decimal(&words[i], &number))
            return false;
    return memchr(words[9].text, ':', words[9].length) && process_row(text, &heading, ret);
}

// "ps -eLo pid,stat,wchan:24,comm | grep D" has none either, but the command names the columns.
static bool heading_of_command(const char *command, char *ret, size_t size) {
    static const struct {
        const char *field, *heading;
    } columns[] = { { "pid", "PID" }, { "tgid", "PID" }, { "stat", "STAT" }, { "state", "S" },
        { "s", "S" }, { "wchan", "WCHAN" }, { "comm", "COMMAND" }, { "ucmd", "COMMAND" },
        { "args", "COMMAND" }, { "cmd", "COMMAND" }, { "command", "COMMAND" }, { "lwp", "LWP" },
        { "tid", "LWP" }, { "spid", "LWP" }, { "nlwp", "NLWP" }, { "thcount", "NLWP" },
        { "psr", "PSR" } };
    size_t n = 0;
    const char *list = command ? strpbrk(command, "oO") : NULL;
    // -o LIST, -eo LIST, -eLo LIST, --format LIST
    while (list && (list[1] != ' ' || !memchr(command, '-', (size_t) (list - command))))
        list = strpbrk(list + 1, "oO");
    if (!list)
        return false;
    list += 1 + strspn(list + 1, " ");
    while (*list && *list != ' ' && n + 16 < size) {
        size_t length = strcspn(list, ",:= "), at = 0;
        while (at < sizeof(columns) / sizeof(columns[0]) &&
                (strlen(columns[at].field) != length ||
                        strncmp(columns[at].field, list, length) != 0))
            at++;
        n += (size_t) snprintf(ret + n, size - n, "%s ",
                at < sizeof(columns) / sizeof(columns[0]) ? columns[at].heading : "-");
        list += strcspn(list, ", ");
        list += *list == ',';
    }
    return n > 0;
}

static bool named_heading(const struct lines *lines, size_t i, struct process_heading *ret) {
    char text[256];
    return heading_of_command(command_above(lines, i, "ps"), text, sizeof(text)) &&
           process_heading(text, ret);
}

static int begins(const struct lines *lines, size_t i) {
    struct process_heading heading;
    struct process_row row;
    if (process_heading(lines->line[i].text, &heading))
        return i + 1 < lines->n && process_row(lines->line[i + 1].text, &heading, &row)
                       ? FORMAT_CERTAIN - 10
                       : FORMAT_NO;
    if (is_aux(lines->line[i].text, &row))
        return FORMAT_LIKELY;
    return named_heading(lines, i, &heading) && process_row(lines->line[i].text, &heading, &row) &&
                           row.state
                   ? FORMAT_LIKELY
                   : FORMAT_NO;
}

// Of threads that stand in several rows the most telling state is the process's.
static int weight(char state) {
    const char *found = state ? strchr("SRtTD", state) : NULL;
    return found ? (int) (found - "SRtTD") + 1 : 0;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct process_heading heading;
    struct process_row row, next;
    bool headed = process_heading(lines->line[i].text, &heading);
    if (!headed && (is_aux(lines->line[i].text, &row) || !named_heading(lines, i, &heading)))
        process_heading(aux, &heading);
    intake_listed(intake, "process");
    for (i += headed; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (!process_row(line->text, &heading, &row)) {
            if (!headed || process_heading(line->text, &heading))
                break; // another output, or the next look
            intake_skip(intake, line);
            continue;
        }
        while (row.thread > 0 && i + 1 < lines->n &&
                process_row(lines->line[i + 1].text, &heading, &next) && next.pid == row.pid) {
            if (weight(next.state) > weight(row.state)) {
                row.state = next.state;
                row.wchan = next.wchan;
            }
            i++;
        }
        process_put(intake, line, &row, false);
    }
    return i;
}

const struct format format_ps = {
    .name = "ps",
    .help = "ps aux, -ef, -el, -eLo with headings; rows of ps aux",
    .begins = begins,
    .read = read_block,
};
