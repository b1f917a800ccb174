// SPDX-License-Identifier: GPL-2.0-or-later
// Softnet backlog
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"
#include "collectors/scan.h"

#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"
#include "collectors/scan.h"

enum {
    CPU,
    PROCESSED,
    DROPPED,
    TIME_SQUEEZE,
    CPU_COLLISION,
    RECEIVED_RPS,
    FLOW_LIMIT_COUNT,
    BACKLOG_LENGTH,
    INPUT_QUEUE_LENGTH,
    PROCESS_QUEUE_LENGTH,
    N_COLUMNS
};

static const struct column columns[N_COLUMNS] = {
    [CPU] = { "cpu", COLUMN_KEY_INTEGER, "", "CPU number", "column 13" },
    [PROCESSED] = { "processed", COLUMN_COUNTER, "packets",
            "packets this CPU handed to the protocols", "column 1" },
    [DROPPED] = { "dropped", COLUMN_COUNTER, "packets",
            "packets lost because the backlog queue of this CPU was full", "column 2" },
    [TIME_SQUEEZE] = { "time_squeeze", COLUMN_COUNTER, "events",
            "times the receive softirq stopped with work left; not a loss", "column 3" },
    [CPU_COLLISION] = { "cpu_collision", COLUMN_COUNTER, "events",
            "transmit lock collisions, always 0 since 4.15", "column 9" },
    [RECEIVED_RPS] = { "received_rps", COLUMN_COUNTER, "interrupts",
            "wake-ups by other CPUs for steered packets, not packets", "column 10" },
    [FLOW_LIMIT_COUNT] = { "flow_limit_count", COLUMN_COUNTER, "packets",
            "of dropped: those of one flow above its limit, counted at the steering CPU",
            "column 11" },
    [BACKLOG_LENGTH] = { "backlog_length", COLUMN_GAUGE, "packets", "packets in the backlog now",
            "column 12" },
    [INPUT_QUEUE_LENGTH] = { "input_queue_length", COLUMN_GAUGE, "packets",
            "of backlog_length: not yet taken over by this CPU", "column 14" },
    [PROCESS_QUEUE_LENGTH] = { "process_queue_length", COLUMN_GAUGE, "packets",
            "of backlog_length: taken over, being processed", "column 15" },
};

const struct table softnet_table = {
    .name = "softnet",
    .help = "receive backlog of each CPU",
    .per = "CPU",
    .source = "/proc/net/softnet_stat",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

// net/core/net-procfs.c: 10 columns in 3.10, 11 from 4.4, 13 from 5.10 (and in RHEL 8), 15
// from 6.5.
#define MAX_WORDS 15
#define WORDS_WITH_CPU 13
// Twice what a line of 15 numbers has, and more.
#define RECORD_BYTES 512
// Where each column stands in the file, from 0.
static const unsigned char word_of[N_COLUMNS] = {
    [CPU] = 12,
    [PROCESSED] = 0,
    [DROPPED] = 1,
    [TIME_SQUEEZE] = 2,
    [CPU_COLLISION] = 8,
    [RECEIVED_RPS] = 9,
    [FLOW_LIMIT_COUNT] = 10,
    [BACKLOG_LENGTH] = 11,
    [INPUT_QUEUE_LENGTH] = 13,
    [PROCESS_QUEUE_LENGTH] = 14,
};

static bool is_known_width(size_t n) {
    return n == 10 || n == 11 || n == 13 || n >= MAX_WORDS;
}

bool cpu_list_nth(const char *list, size_t n, cell *ret) {
    for (;;) {
        char *end;
        unsigned long first = strtoul(list, &end, 10), last = first;
        if (end == list)
            return false;
        if (*end == '-')
            last = strtoul(end + 1, &end, 10);
        if (last < first)
            return false;
        if (n <= last - first) {
            *ret = (cell) (first + n);
            return true;
        }
        n -= last - first + 1;
        if (*end != ',')
            return false;
        list = end + 1;
    }
}

static bool parse_hex(struct span word, uint32_t *ret) {
    uint32_t value = 0;
    if (word.n != 8)
        return false;
    for (size_t i = 0; i < word.n; i++) {
        unsigned char c = (unsigned char) word.text[i];
        unsigned digit = c <= '9' ? (unsigned) c - '0' : (unsigned) c - 'a' + 10;
        if (digit > 15 || (c > '9' && c < 'a'))
            return false;
        value = value << 4 | digit;
    }
    *ret = value;
    return true;
}

// The number of words in the line, of which the first MAX_WORDS are kept; 0: one is no number.
static size_t parse_words(struct span line, uint32_t words[MAX_WORDS]) {
    size_t n = 0;
    for (struct span word; (word = next_word(&line)).n > 0; n++) {
        uint32_t value;
        if (!parse_hex(word, &value))
            return 0;
        if (n < MAX_WORDS)
            words[n] = value;
    }
    return n;
}

static bool choose_cpu(
        const uint32_t *words, size_t n, const char *online, size_t line, cell *ret) {
    if (n >= WORDS_WITH_CPU)
        *ret = words[word_of[CPU]];
    else if (*online)
        return cpu_list_nth(online, line - 1, ret);
    else
        *ret = (cell) line - 1;
    return true;
}

static bool add_row(struct rows *rows, cell cpu, const uint32_t *words, size_t n) {
    cell *row = rows_add(rows);
    if (!row)
        return false;
    row[CPU] = cpu;
    for (size_t i = CPU + 1; i < N_COLUMNS; i++)
        if (word_of[i] < n)
            row[i] = words[word_of[i]];
    return true;
}

bool parse_softnet_stat(const char *text, size_t length, const char *online, struct rows *rows,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    uint32_t words[MAX_WORDS];
    size_t width = 0; // of the first line; all lines have the same
    cell cpu, last = -1;
    for (struct span line; next_line(&scan, &line);) {
        size_t n = scan.cut ? 0 : parse_words(line, words);
        if (width == 0)
            width = n;
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (n == 0)
            parse_problem_add(problem, scan.number, "not hexadecimal numbers");
        else if (n != width || !is_known_width(n))
            parse_problem_add(problem, scan.number, "unexpected number of columns");
        else if (!choose_cpu(words, n, online, scan.number, &cpu) || cpu <= last)
            parse_problem_add(problem, scan.number, "unexpected CPU");
        else if (!add_row(rows, cpu, words, n))
            parse_problem_add(problem, scan.number, "out of memory");
        else
            last = cpu;
    }
    if (scan.number == 0)
        parse_problem_add(problem, 0, "empty");
    return width >= WORDS_WITH_CPU;
}

struct softnet {
    struct source_file file, online_file;
    bool names_cpus;
    char online[4096];
};

static int start(struct collect_context *context, void **ret_state) {
    struct softnet *softnet = malloc(sizeof(*softnet));
    if (!softnet)
        return -ENOMEM;
    *softnet = (struct softnet){ .file = SOURCE_FILE_CLOSED, .online_file = SOURCE_FILE_CLOSED };
    *ret_state = softnet;
    return 0;
}

static void stop(void *state) {
    struct softnet *softnet = state;
    source_file_close(&softnet->file);
    source_file_close(&softnet->online_file);
    free(softnet);
}

// Without the file, or with a list that does not fit, lines are counted.
static void read_online(struct source *source, struct softnet *softnet) {
    softnet->online[0] = '\0';
    int r = source_read(source, &softnet->online_file, "sys/devices/system/cpu/online");
    if (r == 0 && source->size < sizeof(softnet->online))
        memcpy(softnet->online, source->buffer, source->size + 1);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    static const char path[] = "proc/net/softnet_stat";
    struct softnet *softnet = state;
    if (!softnet->names_cpus)
        read_online(context->source, softnet);
    int r = source_read_records(context->source, &softnet->file, path, RECORD_BYTES);
    if (r < 0) {
        outcome_read_error(outcome, path, r);
        return;
    }
    struct parse_problem problem = { 0 };
    softnet->names_cpus = parse_softnet_stat(
            context->source->buffer, context->source->size, softnet->online, rows, &problem);
    outcome_problem(outcome, path, &problem);
}

const struct collector softnet_collector = { &softnet_table, LANE_FAST, start, collect, stop };
