// SPDX-License-Identifier: GPL-2.0-or-later
// Memory and swap
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"
#include "collectors/scan.h"

enum {
    SCOPE,
    TOTAL,
    AVAILABLE,
    FREE,
    SWAP_TOTAL,
    SWAP_FREE,
    PSWPIN,
    PSWPOUT,
    PGMAJFAULT,
    ALLOCSTALL,
    OOM_KILL,
    N_COLUMNS
};

static const struct column columns[N_COLUMNS] = {
    [SCOPE] = { "scope", COLUMN_KEY_TEXT, "", "always host", NULL },
    [TOTAL] = { "total_bytes", COLUMN_GAUGE, "bytes", "memory the kernel can use", "MemTotal" },
    [AVAILABLE] = { "available_bytes", COLUMN_GAUGE, "bytes",
            "memory that programs could still get without swapping (since 3.14)", "MemAvailable" },
    [FREE] = { "free_bytes", COLUMN_GAUGE, "bytes", "memory used for nothing at all", "MemFree" },
    [SWAP_TOTAL] = { "swap_total_bytes", COLUMN_GAUGE, "bytes", "size of all swap areas",
            "SwapTotal" },
    [SWAP_FREE] = { "swap_free_bytes", COLUMN_GAUGE, "bytes", "swap not in use", "SwapFree" },
    [PSWPIN] = { "pswpin", COLUMN_COUNTER, "pages", "pages read back from swap", "pswpin" },
    [PSWPOUT] = { "pswpout", COLUMN_COUNTER, "pages", "pages written to swap", "pswpout" },
    [PGMAJFAULT] = { "pgmajfault", COLUMN_COUNTER, "events",
            "page faults that had to wait for a disk or for swap", "pgmajfault" },
    [ALLOCSTALL] = { "allocstall", COLUMN_COUNTER, "events",
            "allocations that had to free memory first, all zones", "allocstall" },
    [OOM_KILL] = { "oom_kill", COLUMN_COUNTER, "processes",
            "processes killed for lack of memory (since 4.13)", "oom_kill" },
};

const struct table memory_table = {
    .name = "memory",
    .help = "memory and swap of the host",
    .per = "host",
    .source = "/proc/meminfo, /proc/vmstat",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

void parse_meminfo(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    parse_proc_lines(text, length, index, row, problem);
    if (length == 0)
        parse_problem_add(problem, 0, "empty");
    for (size_t i = TOTAL; i <= SWAP_FREE; i++) // all in kB
        if (row[i] != CELL_NULL && __builtin_mul_overflow(row[i], 1024, &row[i]))
            row[i] = CELL_NULL;
}

// Since 4.10 there is one allocstall_ZONE for each zone instead of one for all. They stand
// together; only what follows them tells that none is missing.
static bool is_zone_stall(struct span line) {
    static const char prefix[] = "allocstall_";
    return line.n >= sizeof(prefix) && memcmp(line.text, prefix, sizeof(prefix) - 1) == 0;
}

static void sum_allocstall(
        const char *text, size_t length, cell *row, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    cell sum = CELL_NULL, zone;
    for (struct span line; next_line(&scan, &line) && !scan.cut;) {
        if (!is_zone_stall(line)) {
            if (sum == CELL_NULL)
                continue;
            row[ALLOCSTALL] = sum;
            return;
        }
        next_word(&line);
        struct span value = next_word(&line);
        if (!parse_number(value.text, value.n, COLUMN_GAUGE, &zone)) {
            parse_problem_add(problem, scan.number, "not a number in range");
            return;
        }
        sum = sum == CELL_NULL ? zone : sum + zone;
    }
}

void parse_vmstat(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    parse_proc_lines(text, length, index, row, problem);
    if (length == 0)
        parse_problem_add(problem, 0, "empty");
    sum_allocstall(text, length, row, problem);
}

// The longest name has about 40 characters, a number 20.
#define VMSTAT_LINE_BYTES 128
#define VMSTAT_SLACK_BYTES 512

struct memory {
    struct source_file meminfo, vmstat;
    struct field_index *index;
    size_t vmstat_bytes; // as read_vmstat() keeps it; 0: not known
    unsigned vmstat_has; // bits of the columns that the whole of it gave
};

static int start(struct collect_context *context, void **ret_state) {
    struct memory *memory = malloc(sizeof(*memory));
    if (!memory)
        return -ENOMEM;
    *memory = (struct memory){
        .meminfo = SOURCE_FILE_CLOSED,
        .vmstat = SOURCE_FILE_CLOSED,
        .index = field_index_new(&memory_table),
    };
    if (!memory->index) {
        free(memory);
        return -ENOMEM;
    }
    *ret_state = memory;
    return 0;
}

static void stop(void *state) {
    struct memory *memory = state;
    source_file_close(&memory->meminfo);
    source_file_close(&memory->vmstat);
    field_index_free(memory->index);
    free(memory);
}

static bool take(const struct memory *memory, const struct source *source, const char *path, int r,
        parse_function *parse, cell *row, struct outcome *outcome) {
    if (r < 0) {
        outcome_read_error(outcome, path, r);
        return false;
    }
    struct parse_problem problem = { 0 };
    parse(source->buffer, source->size, memory->index, row, &problem);
    outcome_problem(outcome, path, &problem);
    return true;
}

static bool read_meminfo(
        struct memory *memory, struct source *source, cell *row, struct outcome *outcome) {
    static const char path[] = "proc/meminfo";
    int r = source_read_records(source, &memory->meminfo, path, SOURCE_ONE_RECORD);
    return take(memory, source, path, r, parse_meminfo, row, outcome);
}

static unsigned columns_of_vmstat(const cell *row) {
    unsigned has = 0;
    for (size_t i = PSWPIN; i < N_COLUMNS; i++)
        has |= row[i] == CELL_NULL ? 0 : 1U << i;
    return has;
}

// How much of the text it takes to find all of them, with room for numbers that become longer.
static size_t vmstat_needed(const struct memory *memory, const char *text, size_t length) {
    struct line_scan scan = { .at = text, .end = text + length };
    size_t needed = 0;
    for (struct span line; next_line(&scan, &line);) {
        struct span name = next_word(&line);
        if (field_index_find(memory->index, "", 0, name.text, name.n) >= 0 || is_zone_stall(name))
            needed = (size_t) (scan.at - text);
    }
    return needed + VMSTAT_SLACK_BYTES;
}

// mm/vmstat.c: the order of the names is that of the kernel's build, and of 200 lines, which the
// kernel writes as they are asked for, the last third or half is not wanted here.
static bool read_vmstat(
        struct memory *memory, struct source *source, cell *row, struct outcome *outcome) {
    static const char path[] = "proc/vmstat";
    if (memory->vmstat_bytes > 0 &&
            source_read_lines(source, &memory->vmstat, path, memory->vmstat_bytes) == 0) {
        struct parse_problem ignored = { 0 };
        parse_vmstat(source->buffer, source->size, memory->index, row, &ignored);
        if (!ignored.text && columns_of_vmstat(row) == memory->vmstat_has)
            return true;
        for (size_t i = PSWPIN; i < N_COLUMNS; i++)
            row[i] = CELL_NULL;
    }
    int r = source_read_records(source, &memory->vmstat, path, VMSTAT_LINE_BYTES);
    if (!take(memory, source, path, r, parse_vmstat, row, outcome))
        return false;
    memory->vmstat_has = columns_of_vmstat(row);
    memory->vmstat_bytes = vmstat_needed(memory, source->buffer, source->size);
    return true;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct memory *memory = state;
    cell *row = rows_add(rows);
    if (!row)
        return;
    bool meminfo = read_meminfo(memory, context->source, row, outcome);
    bool vmstat = read_vmstat(memory, context->source, row, outcome);
    row[SCOPE] = rows_put_text(rows, "host", 4);
    if (!meminfo && !vmstat)
        rows_drop_last(rows);
}

const struct collector memory_collector = { &memory_table, LANE_FAST, start, collect, stop };
