// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/stat
#include <string.h>

#include "formats/host.h"
#include "formats/list.h"
#include "formats/place.h"

// fs/proc/stat.c: ten times since 2.6.33, fewer before.
static const char *const columns[] = { "user", "nice", "system", "idle", "iowait", "irq", "softirq",
    "steal", "guest", "guest_nice" };
enum { N_COLUMNS = sizeof(columns) / sizeof(columns[0]), N_LEAST = 7 };

// "cpu" is the sum, "cpu3" one of them.
static bool parse(const struct line *line, int *ret_cpu, struct word *ret_times, size_t *ret_n) {
    char path[PLACE_SIZE];
    const char *text = line->text, *rest;
    struct word words[N_COLUMNS + 2];
    uint64_t number;
    if (place_prefix(text, path, sizeof(path), &rest) && place_is(path, "/proc/stat", NULL))
        text = rest;
    size_t n = words_split(text, words, N_COLUMNS + 1);
    if (n < 1 + N_LEAST || !word_begins(&words[0], "cpu"))
        return false;
    struct word digits = { words[0].text + 3, words[0].length - 3 };
    if (digits.length > 0 && (!word_count(&digits, &number) || number > 1 << 20))
        return false;
    *ret_cpu = digits.length > 0 ? (int) number : HOST_ALL_CPUS;
    for (size_t i = 1; i < n; i++)
        if (!word_count(&words[i], &number))
            return false;
    *ret_n = n - 1;
    memcpy(ret_times, words + 1, *ret_n * sizeof(*ret_times));
    return true;
}

static int begins(const struct lines *lines, size_t i) {
    struct word times[N_COLUMNS];
    int cpu;
    size_t n;
    return parse(&lines->line[i], &cpu, times, &n) ? FORMAT_CERTAIN : FORMAT_NO;
}

// The lines behind those of the CPUs.
static bool is_other(const struct line *line) {
    static const char *const names[] = { "intr ", "ctxt ", "btime ", "processes ", "procs_running ",
        "procs_blocked ", "softirq ", "page ", "swap ", "disk_io:" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (strncmp(line->text + line->indent, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void put(struct intake *intake, const struct line *line, int cpu, const struct word *times,
        size_t n) {
    host_cpu_row(intake, line, cpu);
    for (size_t i = 0; i < n; i++)
        intake_put(intake, columns[i], &times[i]);
}

struct sum {
    const struct line *line;                   // NULL: there is none
    uint64_t time[N_COLUMNS], told[N_COLUMNS]; // by the rows of single CPUs
    size_t n;
};

static void add(uint64_t *times, const struct word *words, size_t n) {
    uint64_t value;
    for (size_t i = 0; i < n; i++)
        if (word_count(&words[i], &value) && value < UINT64_MAX / 4096)
            times[i] += value;
}

// The sum counts as far as it is not that of the CPUs which are there: of single ones only some may
// have been pasted.
#define ROUNDING_SHARE 50
static void put_rest(struct intake *intake, const struct sum *sum) {
    uint64_t all = 0, rest = 0, left[N_COLUMNS] = { 0 };
    for (size_t i = 0; i < sum->n; i++) {
        left[i] = sum->time[i] > sum->told[i] ? sum->time[i] - sum->told[i] : 0;
        all += sum->time[i];
        rest += left[i];
    }
    if (!sum->line || rest <= all / ROUNDING_SHARE)
        return;
    host_cpu_row(intake, sum->line, HOST_ALL_CPUS);
    for (size_t i = 0; i < sum->n; i++)
        intake_set(intake, columns[i], left[i]);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word times[N_COLUMNS];
    struct sum sum = { 0 };
    size_t n, first = i;
    int cpu, last = HOST_ALL_CPUS;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (is_other(line))
            continue;
        if (!parse(line, &cpu, times, &n)) {
            if (strncmp(line->text, "cpu", 3) != 0)
                break;
            intake_skip(intake, line); // cut
            continue;
        }
        if (i > first && cpu <= last)
            break; // the next look
        last = cpu;
        add(cpu == HOST_ALL_CPUS ? sum.time : sum.told, times, n);
        if (cpu == HOST_ALL_CPUS) {
            sum.line = line;
            sum.n = n;
        } else
            put(intake, line, cpu, times, n);
    }
    put_rest(intake, &sum);
    return i;
}

const struct format format_proc_stat = {
    .name = "proc-stat",
    .help = "/proc/stat",
    .begins = begins,
    .read = read_block,
};
