// SPDX-License-Identifier: GPL-2.0-or-later
// top
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "formats/clock.h"
#include "formats/command.h"
#include "formats/host.h"
#include "formats/list.h"
#include "formats/process_list.h"
#include "formats/sizes.h"
#include "formats/top_threads.h"
#include "formats/uptime.h"

static const char *text_of(const struct line *line) {
    return line->text + line->indent;
}

// "top - 21:33:10 up  3:28, ...": the time of day.
static bool is_first(const struct line *line, int64_t *ret_ms) {
    struct word words[3];
    return line->kind == LINE_TEXT && strncmp(text_of(line), "top - ", 6) == 0 &&
           words_split(line->text, words, 3) == 3 && clock_time(words + 2, 1, ret_ms) == 1;
}

// Two letters, translated in procps 4.0: src/top/top_nls.c and po/*.po; those of BusyBox cut.
#define LABEL_SIZE 5
static const struct {
    char label[LABEL_SIZE];
    const char *column;
} shares[] = {
    { "us", "user" },
    { "sy", "system" },
    { "ni", "nice" },
    { "id", "idle" },
    { "wa", "iowait" },
    { "hi", "irq" },
    { "si", "softirq" },
    { "st", "steal" },
    // BusyBox, and Polish
    { "io", "iowait" },
    { "ir", "irq" },
    // French
    { "ut", "user" },
    // Swedish
    { "an", "user" },
    { "in", "idle" },
    { "vä", "iowait" },
    { "ha", "irq" },
    { "ma", "softirq" },
    // Polish
    { "uż", "user" },
    { "be", "idle" },
    { "sk", "steal" },
};

// "%Cpu(s):  0.0 us, ...", "%Cpu3  : ...", "Cpu(s):  0.3%us, ...": where the numbers begin.
static const char *cpu_line(const struct line *line, int *ret_cpu) {
    const char *text = text_of(line);
    text += *text == '%';
    if (strncasecmp(text, "cpu", 3) != 0)
        return NULL;
    text += 3;
    *ret_cpu = *text >= '0' && *text <= '9' ? atoi(text) : HOST_ALL_CPUS;
    bool all = strncmp(text, "(s)", 3) == 0 || strncmp(text, "/er", 3) == 0; // English, Swedish
    text += all ? 3 : strspn(text, "0123456789");
    text += strspn(text, " ");
    return *text == ':' ? text + 1 : NULL;
}

// The first two letters, of one or two bytes.
static void copy_label(const char *text, char *label) {
    size_t n = 0;
    for (int letters = 0; letters < 2 && text[n]; letters++)
        n += (text[n] & 0xe0) == 0xc0 && text[n + 1] ? 2 : 1;
    memcpy(label, text, n);
    label[n] = '\0';
}

// Numbers may have a decimal comma, and no blank between them: "0,0 ni,100,0 id,".
static const char *next_share(const char *text, double *ret, char *label) {
    char *end;
    text += strcspn(text, "0123456789");
    size_t n = strspn(text, "0123456789");
    if (n == 0)
        return NULL;
    *ret = strtod(text, &end);
    const char *behind = text + n;
    if ((*behind == '.' || *behind == ',') && behind[1] >= '0' && behind[1] <= '9') {
        *ret = (double) strtoul(text, NULL, 10) + (behind[1] - '0') / 10.0;
        behind += 1 + strspn(behind + 1, "0123456789");
    }
    behind += strspn(behind, "% ");
    copy_label(behind, label);
    return behind;
}

static const char *column_of(const char *label) {
    for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++)
        if (strcmp(label, shares[i].label) == 0)
            return shares[i].column;
    return NULL;
}

// A line that was cut before its idle time would look busy.
static void put_cpu(struct intake *intake, const struct line *line, const char *text, int cpu) {
    enum { N_SHARES = sizeof(shares) / sizeof(shares[0]) };
    double share, told[N_SHARES];
    bool is_told[N_SHARES] = { false }, has_idle = false;
    char label[LABEL_SIZE];
    while ((text = next_share(text, &share, label)))
        for (size_t i = 0; i < N_SHARES; i++)
            if (strcmp(label, shares[i].label) == 0) {
                told[i] = share;
                is_told[i] = true;
                has_idle |= strcmp(shares[i].column, "idle") == 0;
            }
    if (!has_idle) {
        intake_skip(intake, line);
        return;
    }
    host_cpu_row(intake, line, cpu);
    for (size_t i = 0; i < N_SHARES; i++)
        if (is_told[i])
            intake_rate(intake, shares[i].column, told[i]);
}

static bool begins_with_any(const struct word *word, const char *const *begins) {
    while (*begins && !word_begins(word, *begins))
        begins++;
    return *begins;
}

// "MiB", which is "MB" in Portuguese and "Mio" in Romanian, of 1024 all the same.
static double unit_of(const struct word *word) {
    struct word prefix = { word->text, 1 }, rest = { word->text + 1, word->length - 1 };
    return word_is(&rest, "iB") || word_is(&rest, "B") || word_is(&rest, "io") ? size_unit(&prefix)
                                                                               : 0;
}

// "MiB Mem :  24105.6 total,  22763.6 free, ...", "KiB Swap:  ...": total comes first, free behind
// it since 3.3.
static bool put_memory(struct intake *intake, const struct line *line) {
    static const char *const of_memory[] = { "Mem", "mem", "Spch", "Minn", "RAM", NULL };
    static const char *const of_swap[] = { "Swap", "swap", "Interc", "Éch", "Växl", NULL };
    static const char *const of_free[] = { "free", "libr", "liber", "fritt", "wolne", NULL };
    struct word words[12];
    size_t n = words_split(line->text, words, 12);
    double unit = n > 4 ? unit_of(&words[0]) : 0, total, free_bytes;
    if (unit < 1024)
        return false;
    size_t first = words[2].text[0] == ':' ? 3 : 2;
    bool swap = begins_with_any(&words[1], of_swap);
    if (first + 4 > n || (!swap && !begins_with_any(&words[1], of_memory)) ||
            !begins_with_any(&words[first + 3], of_free) || !word_decimal(&words[first], &total) ||
            !word_decimal(&words[first + 2], &free_bytes))
        return true;
    if (!(total >= 0 && free_bytes >= 0 && total * unit < 9e18 && free_bytes * unit < 9e18))
        return true;
    host_memory_row(intake, line);
    intake_set(intake, swap ? "swap_total_bytes" : "total_bytes", (uint64_t) (total * unit));
    intake_set(intake, swap ? "swap_free_bytes" : "free_bytes", (uint64_t) (free_bytes * unit));
    return true;
}

static bool is_summary(const struct line *line) {
    static const char *const begins[] = { "Tasks:", "Threads:", "Mem:", "Swap:", "Prozesse:",
        "Tareas:", "Hilos:", "Tâches:", "Zadania:", "Wątki:", "Tarefas:", "Sarcini:", "Fire exec:",
        "Uppgifter:", "Trådar:", "任务:" };
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(text_of(line), begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

static int begins(const struct lines *lines, size_t i) {
    int64_t ms;
    int cpu;
    double share;
    char label[LABEL_SIZE];
    if (is_first(&lines->line[i], &ms))
        return FORMAT_CERTAIN + 5; // uptime knows it too
    const char *text = cpu_line(&lines->line[i], &cpu);
    const char *column = text && next_share(text, &share, label) ? column_of(label) : NULL;
    return column && strcmp(column, "user") == 0 ? FORMAT_CERTAIN : FORMAT_NO;
}

// One screen. The first of a batch measures nothing yet: its shares are since boot or of an
// instant.
static size_t read_screen(struct intake *intake, const struct lines *lines, size_t i,
        const char *command, bool measures) {
    struct process_heading heading = { 0 };
    struct process_row row;
    struct top_threads threads;
    size_t first = i;
    int64_t ms;
    int cpu;
    top_threads_init(&threads, command);
    for (; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK) {
            if (heading.n > 0)
                break;
            continue;
        }
        const char *shares_text = cpu_line(line, &cpu);
        if (i > first && is_first(line, &ms))
            break;
        if (shares_text && measures)
            put_cpu(intake, line, shares_text, cpu);
        else if (heading.n > 0 && process_row(line->text, &heading, &row) && threads.listed &&
                 strncmp(row.command, "ksoftirqd/", 10) != 0) // a thread that is a process
            top_threads_add(&threads, intake, line, &row, measures);
        else if (heading.n > 0 && process_row(line->text, &heading, &row))
            process_put(intake, line, &row, measures);
        else if (!process_heading(line->text, &heading) && !put_memory(intake, line) &&
                 !shares_text && !is_summary(line) && i > first)
            break;
        top_threads_summary(&threads, line);
    }
    top_threads_put(&threads, intake, &lines->line[first]);
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    const char *command = command_above(lines, i, "top");
    bool batch = command_has_option(command, "top", 'b');
    int64_t ms = -1, before = -1, up;
    for (size_t n = 0; i < lines->n; n++) {
        bool first = is_first(&lines->line[i], &ms);
        if (n > 0 && !first)
            break;
        if (n > 0)
            intake_look(intake, &lines->line[i], 0);
        if (before >= 0 && ms != before)
            intake_span(intake, (ms - before + CLOCK_DAY_MS) % CLOCK_DAY_MS);
        before = first ? ms : -1;
        if (first && uptime_parse(lines->line[i].text, &up))
            intake_uptime(intake, up);
        i = read_screen(intake, lines, i, command, n > 0 || !batch);
        size_t next = i;
        while (next < lines->n &&
                (lines->line[next].kind == LINE_BLANK || strcmp(lines->line[next].text, "--") == 0))
            next++; // grep -A parts what it finds with dashes
        if (next == lines->n || !is_first(&lines->line[next], &ms))
            break;
        i = next;
    }
    return i;
}

const struct format format_top = {
    .name = "top",
    .help = "top, also -b",
    .begins = begins,
    .read = read_block,
};
