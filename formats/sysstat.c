// SPDX-License-Identifier: GPL-2.0-or-later
// sar, mpstat, iostat
//
// Tables of rates and shares under headings, one group of rows for each time. The time of a heading
// is that of the group before. sysstat prints decimal commas, 12-hour clocks and dates as the
// locale has them; its headings are never translated.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "formats/clock.h"
#include "formats/command.h"
#include "formats/host.h"
#include "formats/interface.h"
#include "formats/list.h"
#include "formats/sysstat_header.h"
#include "formats/sysstat_section.h"

#define NO_TIME (-1)

struct report {
    struct intake *intake;
    struct section section;
    bool unused; // the last one was none of ours
    struct sysstat_host host;
    int64_t heading_ms, group_ms;      // time of day, growing beyond midnight
    int64_t span_ms;                   // between reports that have no times; 0: not known
    unsigned n_groups;                 // with a time, or reports without
    bool open;                         // a group is
    bool has_header, since_boot, told; // the first report of iostat
    struct word first_heading;         // of the disks in this report
    // Of rows "all", and what single CPUs had of it.
    const struct line *all_line;
    double all[SYSSTAT_COLUMNS_MAX], told_by_cpus[SYSSTAT_COLUMNS_MAX];
    unsigned n_rows;
};

static size_t split(const struct line *line, struct word *words) {
    return words_split(line->text, words, SYSSTAT_COLUMNS_MAX);
}

static void open_row(struct report *report, const struct line *line, const char *table, int cpu,
        const char *name) {
    char number[16];
    snprintf(number, sizeof(number), "%d", cpu);
    const struct section *section = &report->section;
    bool per_cpu = section->key == KEY_CPU || section->averaged;
    const char *keys[] = { per_cpu ? number : section->key == KEY_NONE ? NULL : name };
    if (section->key == KEY_INTERFACE) {
        interface_row(report->intake, line, name, NULL);
        return;
    }
    if (strcmp(table, "memory") == 0)
        keys[0] = "host";
    intake_row(report->intake, line, table, keys);
}

static void put_value(
        struct report *report, const struct line *line, const double *values, size_t i) {
    const struct sysstat_field *field = report->section.field[i];
    double value = values[i] * section_factor(&report->section, values, i);
    if (values[i] < 0) {
        intake_note(report->intake, line, "%s cannot be negative", field->heading);
        return;
    }
    if (field->kind == SYSSTAT_LEVEL)
        intake_set(report->intake, field->column, value < 9e18 ? (uint64_t) llround(value) : 0);
    else
        intake_rate(report->intake, field->column, value);
    if (field->when_zero && values[i] == 0)
        intake_rate(report->intake, field->when_zero, 0);
}

static void put_row(struct report *report, const struct line *line, const double *values, int cpu,
        const char *name) {
    const char *table = NULL;
    for (size_t i = 0; i < report->section.n; i++) {
        const struct sysstat_field *field = report->section.field[i];
        if (!field)
            continue;
        if (!table || strcmp(table, field->table) != 0)
            open_row(report, line, field->table, cpu, name);
        table = field->table;
        put_value(report, line, values, i);
    }
}

// What the row "all" says of CPUs that have none of their own. Shares are means over all CPUs,
// counts are sums.
static void put_rest(struct report *report) {
    const struct line *line = report->all_line;
    const struct section *section = &report->section;
    bool shares = false;
    double rest[SYSSTAT_COLUMNS_MAX], most = 0;
    report->all_line = NULL;
    unsigned n_rows = report->n_rows;
    report->n_rows = 0;
    if (!line || (n_rows > 0 && report->host.n_cpus <= n_rows))
        return;
    for (size_t i = 0; i < section->n; i++)
        shares |= section->field[i] && section->field[i]->kind == SYSSTAT_SHARE;
    unsigned n_cpus = shares && report->host.n_cpus > 0 ? report->host.n_cpus : 1;
    for (size_t i = 0; i < section->n; i++) {
        rest[i] = fmax(report->all[i] * n_cpus - (n_rows > 0 ? report->told_by_cpus[i] : 0), 0);
        most = fmax(most, section->field[i] ? rest[i] : 0);
    }
    if (most > 0 || n_rows == 0)
        put_row(report, line, rest, HOST_ALL_CPUS, NULL);
}

static void take_cpu(struct report *report, const struct line *line, const struct word *key,
        const double *values) {
    uint64_t cpu;
    if (word_is(key, "all") || report->section.averaged) {
        report->all_line = line;
        memcpy(report->all, values, sizeof(report->all));
        return;
    }
    if (!word_count(key, &cpu) || cpu > 100000) {
        intake_skip(report->intake, line);
        return;
    }
    if (report->n_rows++ == 0)
        memset(report->told_by_cpus, 0, sizeof(report->told_by_cpus));
    for (size_t i = 0; i < report->section.n; i++)
        report->told_by_cpus[i] += i == report->section.key_at ? 0 : values[i];
    put_row(report, line, values, (int) cpu, NULL);
}

static void take_row(struct report *report, const struct line *line, const struct word *words,
        const double *values) {
    const struct section *section = &report->section;
    const struct word *key = section->key == KEY_NONE ? NULL : &words[section->key_at];
    char name[64];
    if (report->since_boot)
        return;
    if (section->averaged || section->key == KEY_CPU) {
        take_cpu(report, line, key ? key : words, values);
        return;
    }
    if (key) {
        size_t n = key->length < sizeof(name) - 1 ? key->length : sizeof(name) - 1;
        n -= n > 1 && key->text[n - 1] == ':'; // iostat before 12
        memcpy(name, key->text, n);
        name[n] = '\0';
    }
    put_row(report, line, values, 0, key ? name : NULL);
}

static void close_group(struct report *report) {
    if (report->open)
        put_rest(report);
    report->open = false;
}

static void open_group(struct report *report, const struct line *line, int64_t time_ms) {
    int64_t before = report->group_ms >= 0 ? report->group_ms : report->heading_ms;
    time_ms = time_ms == NO_TIME ? NO_TIME : sysstat_growing(before, time_ms);
    if (report->open && time_ms == report->group_ms)
        return;
    close_group(report);
    report->open = true;
    report->n_groups++;
    report->group_ms = time_ms;
    bool dated = time_ms >= 0 && report->host.day_ms > 0;
    intake_look(report->intake, line, dated ? report->host.day_ms + time_ms : line->at_ms);
    if (time_ms >= 0 && before >= 0 && time_ms > before)
        intake_span(report->intake, time_ms - before);
}

// Reports of iostat begin with their first heading and have no time of their own. The first one is
// the mean since boot, unless it was told not to print that.
static void open_report(struct report *report, const struct line *line) {
    close_group(report);
    report->since_boot = report->n_groups == 0 && report->has_header;
    if (report->since_boot && !report->told)
        intake_note(report->intake, line,
                "the first report of iostat is the mean since boot, which says nothing of now; not "
                "used: iostat -x 1 10 prints more");
    report->told |= report->since_boot;
    report->open = true;
    report->n_groups++;
    report->first_heading = (struct word){ 0 };
    intake_look(report->intake, line,
            report->host.day_ms > 0 && report->group_ms >= 0
                    ? report->host.day_ms + report->group_ms
                    : line->at_ms);
    intake_span(report->intake, report->span_ms);
}

static void take_section(struct report *report, const struct line *line, int64_t time_ms,
        const struct section *section) {
    if (time_ms == NO_TIME && (section->averaged || section->key == KEY_DISK)) {
        if (report->open && section->averaged)
            close_group(report);
        const struct word *heading = &section->heading[section->key_at == 0 && section->n > 1];
        const struct word *first = &report->first_heading;
        bool again = section->key == KEY_DISK && first->length > 0 &&
                     first->length == heading->length &&
                     memcmp(first->text, heading->text, first->length) == 0;
        if (!report->open || section->averaged || again)
            open_report(report, line);
        else
            put_rest(report);
        if (section->key == KEY_DISK && first->length == 0)
            report->first_heading = *heading;
        report->section = *section;
        return;
    }
    close_group(report);
    int64_t before = report->group_ms;
    report->heading_ms = time_ms;
    if (time_ms != NO_TIME && section_same(&report->section, section))
        report->heading_ms = sysstat_growing(before, time_ms);
    report->group_ms = NO_TIME;
    report->section = *section;
}

// Times of iostat -t, alone in their line.
static bool take_stamp(struct report *report, const struct word *words, size_t n) {
    int64_t ms;
    int64_t day_ms;
    if (n < 2 || clock_stamp(words, n, &ms) != n)
        return false;
    if (report->host.day_first && clock_date_day_first(&words[0], &day_ms))
        ms = day_ms + ms % CLOCK_DAY_MS;
    close_group(report);
    int64_t before = report->host.day_ms + report->group_ms;
    if (report->group_ms >= 0 && ms > before)
        report->span_ms = ms - before;
    report->host.day_ms = ms - ms % CLOCK_DAY_MS;
    report->group_ms = ms % CLOCK_DAY_MS;
    return true;
}

// A section that no table has room for: its rows are not of the section before.
static bool is_other_heading(const struct word *words, size_t n) {
    double number;
    for (size_t i = 0; i < n; i++)
        if (word_decimal(&words[i], &number))
            return false;
    return n > 1;
}

static bool take_line(struct report *report, const struct line *line) {
    struct word words[SYSSTAT_COLUMNS_MAX];
    struct section section;
    double values[SYSSTAT_COLUMNS_MAX] = { 0 };
    int64_t time_ms = NO_TIME;
    size_t n = split(line, words);
    size_t taken = clock_time(words, n, &time_ms), mean = taken ? 0 : sysstat_average(words, n);
    bool of_disks = report->section.key == KEY_DISK;
    if (section_of(words + taken + mean, n - taken - mean, of_disks, &section)) {
        if (mean == 0 || report->n_groups == 0)
            take_section(report, line, time_ms, &section);
        else {
            close_group(report);
            report->section = section;
        }
        return true;
    }
    if (taken + mean > 0 && is_other_heading(words + taken + mean, n - taken - mean)) {
        close_group(report);
        report->section = (struct section){ .n = 0 };
        report->group_ms = NO_TIME;
        report->unused = true;
        intake_unused(report->intake, line);
        return true;
    }
    if (report->unused && report->section.n == 0 && taken + mean > 0) {
        intake_unused(report->intake, line);
        return true;
    }
    bool has_time = taken + mean > 0 || report->heading_ms == NO_TIME;
    if (has_time && section_row(&report->section, words + taken + mean, n - taken - mean, values)) {
        if (mean > 0 && report->n_groups > 0)
            return true; // of what is there already
        if (taken > 0 || !report->open)
            open_group(report, line, time_ms);
        take_row(report, line, words + taken + mean, values);
        return true;
    }
    return (taken == 0 && take_stamp(report, words, n)) ||
           (taken > 0 && n > 1 && word_is(&words[taken < n ? taken : 0], "LINUX"));
}

// A row that was cut, or elided ("......").
static bool is_damaged(const struct line *line) {
    struct word words[SYSSTAT_COLUMNS_MAX];
    int64_t ms;
    size_t n = split(line, words);
    return clock_time(words, n, &ms) > 0 || (n == 1 && word_begins(&words[0], "..")) ||
           (n == 1 && word_is(&words[0], "[...]"));
}

// A time of iostat -t in words that are not known: a report follows.
static bool is_unknown_time(const struct lines *lines, size_t i) {
    struct word words[SYSSTAT_COLUMNS_MAX];
    struct section section;
    if (i + 1 >= lines->n || lines->line[i + 1].kind != LINE_TEXT)
        return false;
    size_t n = split(&lines->line[i + 1], words);
    return section_of(words, n, true, &section) && (section.averaged || section.key == KEY_DISK) &&
           strpbrk(lines->line[i].text, "0123456789");
}

// Old iostat prints a long name and its numbers on two lines: they are put together.
static bool take_wrapped(struct report *report, const struct line *line, const struct line *next) {
    struct word words[SYSSTAT_COLUMNS_MAX];
    double values[SYSSTAT_COLUMNS_MAX] = { 0 };
    if (report->section.key != KEY_DISK || split(line, words) != 1 || next->kind != LINE_TEXT)
        return false;
    size_t n = 1 + words_split(next->text, words + 1, SYSSTAT_COLUMNS_MAX - 1);
    if (!section_row(&report->section, words, n, values))
        return false;
    take_row(report, line, words, values);
    return true;
}

static int begins(const struct lines *lines, size_t i) {
    struct word words[SYSSTAT_COLUMNS_MAX];
    struct section section;
    int64_t ms;
    size_t n = split(&lines->line[i], words);
    if (sysstat_header(words, n))
        return FORMAT_CERTAIN;
    size_t taken = clock_time(words, n, &ms);
    if (taken == 0)
        taken = sysstat_average(words, n);
    if (!section_of(words + taken, n - taken, false, &section))
        return FORMAT_NO;
    return section.key != KEY_NONE || section.averaged || section.n > 2 ? FORMAT_CERTAIN
                                                                        : FORMAT_LIKELY;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct report report = { .intake = intake, .heading_ms = NO_TIME, .group_ms = NO_TIME };
    struct word words[SYSSTAT_COLUMNS_MAX];
    const char *command = command_above(lines, i, "iostat");
    report.span_ms = command_interval_ms(command, "iostat");
    bool skips_first = command_has_option(command, "iostat", 'y');
    size_t end = i, first = i;
    for (; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK)
            continue;
        size_t n = split(line, words);
        if (sysstat_header(words, n)) {
            if (i > first)
                break; // the next output
            sysstat_take_header(intake, lines, i, &report.host);
            report.has_header = !skips_first;
        } else if (i + 1 < lines->n && take_wrapped(&report, line, &lines->line[i + 1]))
            i++;
        else if (!take_line(&report, line)) {
            if (!is_damaged(line) && !(report.has_header && is_unknown_time(lines, i)))
                break;
            intake_skip(intake, line);
        }
        end = i + 1;
    }
    close_group(&report);
    return end;
}

const struct format format_sysstat = {
    .name = "sysstat",
    .help = "sar -n UDP,IP,EIP,EDEV,SOFT, -u, -d, -W and others; mpstat; iostat -x",
    .begins = begins,
    .read = read_block,
};
