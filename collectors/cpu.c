// SPDX-License-Identifier: GPL-2.0-or-later
// CPU time
#include <errno.h>
#include <stdlib.h>

#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"
#include "collectors/scan.h"

enum { CPU, USER, N_COLUMNS = 11 };

// In the order of the file. USER_HZ is 100 on every architecture Linux runs on today.
static const struct column columns[N_COLUMNS] = {
    [CPU] = { "cpu", COLUMN_KEY_INTEGER, "", "CPU number", "cpuN" },
    [USER] = { "user", COLUMN_COUNTER, "ticks", "time in programs, guests included", "user" },
    { "nice", COLUMN_COUNTER, "ticks", "time in programs of lowered priority", "nice" },
    { "system", COLUMN_COUNTER, "ticks", "time in the kernel for programs", "system" },
    { "idle", COLUMN_COUNTER, "ticks", "time with nothing to do", "idle" },
    { "iowait", COLUMN_COUNTER, "ticks", "idle time while a task of this CPU waited for a disk",
            "iowait" },
    { "irq", COLUMN_COUNTER, "ticks", "time in interrupt handlers", "irq" },
    { "softirq", COLUMN_COUNTER, "ticks", "time in soft interrupts: packet reception is one",
            "softirq" },
    { "steal", COLUMN_COUNTER, "ticks", "time the hypervisor gave to others", "steal" },
    { "guest", COLUMN_COUNTER, "ticks", "of user: time running virtual machines", "guest" },
    { "guest_nice", COLUMN_COUNTER, "ticks", "of nice: time running virtual machines",
            "guest_nice" },
};

const struct table cpu_table = {
    .name = "cpu",
    .help = "what each CPU spent its time on, in hundredths of a second",
    .per = "CPU",
    .source = "/proc/stat",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

static bool take_number(struct span *line, cell *ret) {
    struct span word = next_word(line);
    return parse_number(word.text, word.n, COLUMN_GAUGE, ret);
}

static bool starts_with_cpu(struct span line) {
    return line.n > 3 && memcmp(line.text, "cpu", 3) == 0;
}

// fs/proc/stat.c: ten times since 2.6.33.
static void add_cpu(
        struct span line, size_t number, struct rows *rows, struct parse_problem *problem) {
    cell *row = rows_add(rows);
    if (!row) {
        parse_problem_add(problem, number, "out of memory");
        return;
    }
    line = (struct span){ line.text + 3, line.n - 3 };
    bool good = take_number(&line, &row[CPU]);
    for (size_t i = USER; good && i < N_COLUMNS; i++)
        good = take_number(&line, &row[i]);
    if (good && rows->n > 1)
        good = row[CPU] > rows_at(rows, rows->n - 2)[CPU];
    if (good)
        return;
    rows_drop_last(rows);
    parse_problem_add(problem, number, "a CPU and ten times were expected");
}

void parse_proc_stat(
        const char *text, size_t length, struct rows *rows, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    for (struct span line; next_line(&scan, &line);) {
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (!starts_with_cpu(line))
            break;
        else if (line.text[3] != ' ') // that line is the sum
            add_cpu(line, scan.number, rows, problem);
    }
    if (rows->n == 0)
        parse_problem_add(problem, 0, "no CPU in it");
}

static int start(struct collect_context *context, void **ret_state) {
    struct source_file *file = malloc(sizeof(*file));
    if (!file)
        return -ENOMEM;
    *file = SOURCE_FILE_CLOSED;
    *ret_state = file;
    return 0;
}

static void stop(void *state) {
    source_file_close(state);
    free(state);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    static const char path[] = "proc/stat";
    int r = source_read_records(context->source, state, path, SOURCE_ONE_RECORD);
    if (r < 0) {
        outcome_read_error(outcome, path, r);
        return;
    }
    struct parse_problem problem = { 0 };
    parse_proc_stat(context->source->buffer, context->source->size, rows, &problem);
    outcome_problem(outcome, path, &problem);
}

const struct collector cpu_collector = { &cpu_table, LANE_FAST, start, collect, stop };
