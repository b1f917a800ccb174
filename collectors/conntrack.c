// SPDX-License-Identifier: GPL-2.0-or-later
// Connection tracking
#include "collectors/list.h"
#include "collectors/netns_files.h"
#include "collectors/scan.h"

#define C(name, help)                                                                              \
    { name, COLUMN_COUNTER, "packets", help, name }

static const struct column columns[] = {
    { "netns", COLUMN_KEY_TEXT, "", "network namespace", NULL },
    { "netns_inode", COLUMN_IDENTITY, "", "inode number of the namespace", NULL },
    { "count", COLUMN_GAUGE, "entries", "connections in the table", "entries" },
    C("found", "found in the table"),
    C("invalid", "cannot be tracked"),
    C("insert", "new connections entered"),
    C("insert_failed", "not entered since another packet of the same flow was first; dropped"),
    C("drop", "dropped: the table is full, or an entry clashed"),
    { "early_drop", COLUMN_COUNTER, "entries", "old entries removed to make room; no loss",
            "early_drop" },
    C("icmp_error", "ICMP errors that could not be tracked"),
};

const struct table conntrack_table = {
    .name = "conntrack",
    .help = "connection tracking: fill of the table and what it dropped",
    .per = "network namespace",
    .source = "/proc/PID/net/stat/nf_conntrack",
    .columns = columns,
    .n_columns = sizeof(columns) / sizeof(columns[0]),
    .n_keys = 1,
};

enum { MAX_FIELDS = 32 };

// The columns of the header line; -1 for names that are none of ours.
static size_t read_header(struct span line, const struct field_index *index, int *columns_of) {
    size_t n = 0;
    for (struct span word = next_word(&line); word.n > 0 && n < MAX_FIELDS; word = next_word(&line))
        columns_of[n++] = field_index_find(index, "", 0, word.text, word.n);
    return n;
}

// One CPU. False: not as many values as names, or not hexadecimal.
static bool read_cpu(struct span line, size_t n, uint32_t *values) {
    for (size_t i = 0; i < n; i++)
        if (!hex32(next_word(&line), &values[i]))
            return false;
    return next_word(&line).n == 0;
}

// "entries" is the same in each line, the others count per CPU. The sum of 32-bit counters that
// wrap one by one is right modulo 2^32 only.
static void add_cpu(const int *columns_of, const uint32_t *values, size_t n, cell *row) {
    for (size_t i = 0; i < n; i++) {
        int column = columns_of[i];
        if (column < 0)
            continue;
        cell before =
                row[column] == CELL_NULL || columns[column].kind == COLUMN_GAUGE ? 0 : row[column];
        row[column] = (cell) (uint32_t) ((uint32_t) before + values[i]);
    }
}

// net/stat/nf_conntrack: a line of names, then a line of hexadecimal numbers for each possible CPU.
// Names came and went (searched, ignore, delete, clashres, chainlength); a line is cut: the sum is
// not known.
static void parse_stat(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line;
    int columns_of[MAX_FIELDS];
    uint32_t values[MAX_FIELDS];
    cell sum[sizeof(columns) / sizeof(columns[0])];
    for (size_t i = 0; i < sizeof(sum) / sizeof(sum[0]); i++)
        sum[i] = CELL_NULL;
    size_t n = next_line(&scan, &line) ? read_header(line, index, columns_of) : 0;
    while (next_line(&scan, &line)) {
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (!read_cpu(line, n, values))
            parse_problem_add(
                    problem, scan.number, "as many hexadecimal values as names were expected");
        else
            add_cpu(columns_of, values, n, sum);
    }
    for (size_t i = 0; i < sizeof(sum) / sizeof(sum[0]) && !problem->text; i++)
        row[i] = sum[i];
}

// 17 numbers of 8 digits, or their names.
#define RECORD_BYTES 512

static const struct netns_file files[] = {
    { "stat/nf_conntrack", parse_stat, "count", RECORD_BYTES },
};

static int start(struct collect_context *context, void **ret_state) {
    return netns_reader_new(&conntrack_table, files, sizeof(files) / sizeof(files[0]),
            (struct netns_reader **) ret_state);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    netns_reader_collect(
            state, context, "connection tracking is not in use: no nf_conntrack", rows, outcome);
}

static void stop(void *state) {
    netns_reader_free(state);
}

const struct collector conntrack_collector = { &conntrack_table, LANE_FAST, start, collect, stop };
