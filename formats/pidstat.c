// SPDX-License-Identifier: GPL-2.0-or-later
// pidstat
//
// Rates of processes, and with -t of their threads below them. Of several threads the one that ran
// most stands for the reader, as in table process.
#include <stdio.h>
#include <string.h>

#include "formats/clock.h"
#include "formats/host.h"
#include "formats/list.h"
#include "formats/sysstat_header.h"

enum { COLUMNS_MAX = 40 };

static const struct {
    const char *heading, *column;
    double scale; // of the column in one of the heading
} fields[] = {
    { "%usr", "user_us", 10000 },
    { "%system", "system_us", 10000 },
    { "%CPU", "run_us", 10000 },
    { "%wait", "delay_us", 10000 },
    { "majflt/s", "major_faults", 1 },
    { "kB_rd/s", "read_bytes", 1024 },
    { "kB_wr/s", "write_bytes", 1024 },
    { "cswch/s", "switches_voluntary", 1 },
    { "nvcswch/s", "switches_involuntary", 1 },
};

// Where columns stand; -1: not there.
struct heading {
    size_t n;
    int pid, tid, share, wait, cpu, iodelay, command;
    int field[sizeof(fields) / sizeof(fields[0])];
};

struct report {
    struct intake *intake;
    struct sysstat_host host;
    struct heading heading;
    int64_t heading_ms, group_ms;
    bool open;
    // The process whose threads follow.
    uint64_t pid;
    const struct line *line;
    unsigned n_threads;
};

static int find(const struct word *words, size_t n, const char *heading) {
    for (size_t i = 0; i < n; i++)
        if (word_is(&words[i], heading))
            return (int) i;
    return -1;
}

static bool to_heading(const struct word *words, size_t n, struct heading *ret) {
    struct heading heading = { .n = n };
    int known = 0;
    if (n < 4 || find(words, n, "UID") < 0 || find(words, n, "Command") != (int) n - 1)
        return false;
    heading.tid = find(words, n, "TID");
    heading.pid = find(words, n, heading.tid >= 0 ? "TGID" : "PID");
    heading.share = find(words, n, "%CPU");
    heading.wait = find(words, n, "%wait");
    heading.cpu = find(words, n, "CPU");
    heading.iodelay = find(words, n, "iodelay");
    heading.command = (int) n - 1;
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
        heading.field[i] = find(words, n, fields[i].heading);
        known += heading.field[i] >= 0;
    }
    if (heading.pid < 0 || known == 0)
        return false;
    *ret = heading;
    return true;
}

static bool number_at(const struct word *words, int at, double *ret) {
    return at >= 0 && word_decimal(&words[at], ret) && *ret >= 0;
}

static void put_cpu(struct report *report, const struct word *words) {
    double cpu;
    if (number_at(words, report->heading.cpu, &cpu) && cpu < 100000)
        intake_set(report->intake, "last_cpu", (uint64_t) cpu);
}

static void put_process(
        struct report *report, const struct line *line, const struct word *words, uint64_t pid) {
    double value;
    host_process_row(report->intake, line, pid);
    for (size_t i = 0; i < sizeof(fields) / sizeof(fields[0]); i++)
        if (number_at(words, report->heading.field[i], &value))
            intake_rate(report->intake, fields[i].column, value * fields[i].scale);
    // In clock ticks over the whole interval; 0 where delay accounting is off too.
    if (number_at(words, report->heading.iodelay, &value) && value > 0 && value < 1e12)
        intake_grow(report->intake, "block_delay_us", (uint64_t) (value * 10000));
    host_set_word(report->intake, "comm", &words[report->heading.command]);
    if (report->heading.tid < 0)
        put_cpu(report, words);
    report->pid = pid;
    report->line = line;
    report->n_threads = 0;
}

static uint64_t permille(double percent) {
    return percent < 100 ? (uint64_t) (percent * 10) : 1000;
}

// Kept until the last thread is seen: levels of a row are set once.
struct busiest {
    double share, wait;
    uint64_t tid;
    struct word name;
};

static void put_busiest(struct report *report, const struct busiest *busiest) {
    if (report->pid == 0 || report->n_threads == 0)
        return;
    host_process_row(report->intake, report->line, report->pid);
    intake_set(report->intake, "threads", report->n_threads);
    if (busiest->share < 0)
        return;
    intake_set(report->intake, "hottest_thread", busiest->tid);
    host_set_word(report->intake, "hottest_name", &busiest->name);
    intake_set(report->intake, "hottest_run_permille", permille(busiest->share));
    intake_set(report->intake, "reader_run_permille", permille(busiest->share));
    if (busiest->wait < 0)
        return;
    intake_set(report->intake, "hottest_delay_permille", permille(busiest->wait));
    intake_set(report->intake, "reader_delay_permille", permille(busiest->wait));
}

static void take_thread(struct report *report, const struct word *words, struct busiest *busiest) {
    double share = -1, wait = -1;
    uint64_t tid;
    if (report->pid == 0 || !word_count(&words[report->heading.tid], &tid))
        return;
    report->n_threads++;
    if (!number_at(words, report->heading.share, &share) || share <= busiest->share)
        return;
    number_at(words, report->heading.wait, &wait);
    struct word name = words[report->heading.command];
    while (name.length > 0 && strchr("|_", name.text[0])) {
        name.text++;
        name.length--;
    }
    *busiest = (struct busiest){ share, wait, tid, name };
}

static void open_group(struct report *report, const struct line *line, int64_t time_ms) {
    int64_t before = report->group_ms >= 0 ? report->group_ms : report->heading_ms;
    time_ms = time_ms < 0 ? -1 : sysstat_growing(before, time_ms);
    if (report->open && time_ms == report->group_ms)
        return;
    report->open = true;
    report->group_ms = time_ms;
    bool dated = time_ms >= 0 && report->host.day_ms > 0;
    intake_look(report->intake, line, dated ? report->host.day_ms + time_ms : line->at_ms);
    if (time_ms >= 0 && before >= 0 && time_ms > before)
        intake_span(report->intake, time_ms - before);
}

static bool take_line(struct report *report, const struct line *line, struct busiest *busiest) {
    struct word words[COLUMNS_MAX];
    int64_t time_ms = -1;
    size_t n = words_split(line->text, words, COLUMNS_MAX);
    size_t taken = clock_time(words, n, &time_ms), mean = taken ? 0 : sysstat_average(words, n);
    struct word *first = words + taken + mean;
    n -= taken + mean;
    uint64_t pid;
    if (to_heading(first, n, &report->heading)) {
        put_busiest(report, busiest);
        report->pid = 0;
        report->open = false;
        report->heading_ms = mean ? -1 : time_ms;
        report->group_ms = -1;
        return true;
    }
    if (report->heading.n == 0 || n < report->heading.n)
        return false;
    if (mean > 0)
        return true; // of what is there already
    if (word_count(&first[report->heading.pid], &pid) && pid > 0) {
        put_busiest(report, busiest);
        *busiest = (struct busiest){ -1, -1, 0, { "", 0 } };
        open_group(report, line, time_ms);
        put_process(report, line, first, pid);
        return true;
    }
    if (report->heading.tid < 0 || !word_is(&first[report->heading.pid], "-"))
        return false;
    take_thread(report, first, busiest);
    return true;
}

static int begins(const struct lines *lines, size_t i) {
    struct word words[COLUMNS_MAX];
    struct heading heading;
    int64_t ms;
    size_t n = words_split(lines->line[i].text, words, COLUMNS_MAX);
    bool header = sysstat_header(words, n);
    for (i++; header && i < lines->n && lines->line[i].kind == LINE_BLANK; i++)
        ;
    if (header && (i == lines->n || lines->line[i].kind != LINE_TEXT))
        return FORMAT_NO;
    if (header)
        n = words_split(lines->line[i].text, words, COLUMNS_MAX);
    size_t taken = clock_time(words, n, &ms);
    if (taken == 0)
        taken = sysstat_average(words, n);
    return to_heading(words + taken, n - taken, &heading) ? FORMAT_CERTAIN + 5 : FORMAT_NO;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct report report = { .intake = intake, .heading_ms = -1, .group_ms = -1 };
    struct busiest busiest = { -1, -1, 0, { "", 0 } };
    struct word words[COLUMNS_MAX];
    size_t end = i + 1, first = i;
    for (; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK)
            continue;
        size_t n = words_split(line->text, words, COLUMNS_MAX);
        bool header = sysstat_header(words, n);
        if (header && i > first)
            break; // the next output
        if (header)
            sysstat_take_header(intake, lines, i, &report.host);
        else if (!take_line(&report, line, &busiest))
            break;
        end = i + 1;
    }
    put_busiest(&report, &busiest);
    return end;
}

const struct format format_pidstat = {
    .name = "pidstat",
    .help = "pidstat with any of -u -d -w -r -t",
    .begins = begins,
    .read = read_block,
};
