// SPDX-License-Identifier: GPL-2.0-or-later
// Pressure stall
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"
#include "collectors/scan.h"

enum { RESOURCE, SOME_TOTAL, FULL_TOTAL, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [RESOURCE] = { "resource", COLUMN_KEY_TEXT, "", "cpu, memory, io or irq", "file name" },
    [SOME_TOTAL] = { "some_total_us", COLUMN_COUNTER, "us",
            "time in which at least one task waited for the resource", "some total" },
    [FULL_TOTAL] = { "full_total_us", COLUMN_COUNTER, "us",
            "time in which every task that could run waited for it; of cpu always 0",
            "full total" },
};

const struct table pressure_table = {
    .name = "pressure",
    .help = "time lost waiting for CPU, memory, disk, interrupts",
    .per = "resource",
    .source = "/proc/pressure",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

static bool take_prefix(struct span *word, const char *prefix) {
    size_t n = strlen(prefix);
    if (word->n < n || memcmp(word->text, prefix, n) != 0)
        return false;
    *word = (struct span){ word->text + n, word->n - n };
    return true;
}

// kernel/sched/psi.c: "some avg10=0.00 avg60=0.00 avg300=0.00 total=0"
static bool parse_line(struct span line, struct pressure *ret) {
    struct span name = next_word(&line), total = { 0 };
    for (struct span word; (word = next_word(&line)).n > 0;)
        total = word;
    cell value;
    if (!take_prefix(&total, "total=") || !parse_number(total.text, total.n, COLUMN_GAUGE, &value))
        return false;
    if (take_prefix(&name, "some"))
        ret->some = value;
    else if (take_prefix(&name, "full"))
        ret->full = value;
    return true;
}

void parse_pressure(
        const char *text, size_t length, struct pressure *ret, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    *ret = (struct pressure){ CELL_NULL, CELL_NULL };
    for (struct span line; next_line(&scan, &line);)
        if (scan.cut || !parse_line(line, ret))
            parse_problem_add(problem, scan.number, "no total at the end of the line");
    if (scan.number == 0)
        parse_problem_add(problem, 0, "empty");
}

// irq needs 6.1 and accounting of interrupt time; it has no "some".
static const struct {
    const char *name, *path;
} resources[] = {
    { "cpu", "proc/pressure/cpu" },
    { "memory", "proc/pressure/memory" },
    { "io", "proc/pressure/io" },
    { "irq", "proc/pressure/irq" },
};
#define N_RESOURCES (sizeof(resources) / sizeof(resources[0]))

struct pressures {
    struct source_file files[N_RESOURCES];
    int errors[N_RESOURCES]; // -errno of a file that this kernel lacks: it is not tried again
};

static int start(struct collect_context *context, void **ret_state) {
    struct pressures *pressures = calloc(1, sizeof(*pressures));
    if (!pressures)
        return -ENOMEM;
    for (size_t i = 0; i < N_RESOURCES; i++)
        pressures->files[i] = SOURCE_FILE_CLOSED;
    *ret_state = pressures;
    return 0;
}

static void stop(void *state) {
    struct pressures *pressures = state;
    for (size_t i = 0; i < N_RESOURCES; i++)
        source_file_close(&pressures->files[i]);
    free(pressures);
}

static void add_pressure(
        struct source *source, size_t resource, struct rows *rows, struct outcome *outcome) {
    struct parse_problem problem = { 0 };
    struct pressure pressure;
    parse_pressure(source->buffer, source->size, &pressure, &problem);
    outcome_problem(outcome, resources[resource].path, &problem);
    cell *row = pressure.some == CELL_NULL && pressure.full == CELL_NULL ? NULL : rows_add(rows);
    if (!row)
        return;
    const char *name = resources[resource].name;
    row[RESOURCE] = rows_put_text(rows, name, strlen(name));
    row[SOME_TOTAL] = pressure.some;
    row[FULL_TOTAL] = pressure.full;
}

// A file that is there and cannot be opened or read says EOPNOTSUPP while accounting is off.
static void report_absent(int error, struct outcome *outcome) {
    if (error == -EOPNOTSUPP)
        outcome_set(outcome, OUTCOME_ABSENT,
                "pressure is not measured on this host; it is after a boot with psi=1");
    else if (error == -ENOENT)
        outcome_set(outcome, OUTCOME_ABSENT,
                "no /proc/pressure on this kernel (before 4.20, or built without it)");
    else
        outcome_read_error(outcome, resources[0].path, error);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct pressures *pressures = state;
    for (size_t i = 0; i < N_RESOURCES; i++) {
        int r = pressures->errors[i];
        if (r == 0)
            r = source_read_records(
                    context->source, &pressures->files[i], resources[i].path, SOURCE_ONE_RECORD);
        if (r == 0)
            add_pressure(context->source, i, rows, outcome);
        else if (r == -ENOENT || r == -EOPNOTSUPP)
            pressures->errors[i] = r;
        else
            outcome_read_error(outcome, resources[i].path, r);
    }
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        report_absent(pressures->errors[0], outcome);
}

const struct collector pressure_collector = { &pressure_table, LANE_FAST, start, collect, stop };
