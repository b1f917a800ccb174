// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace files
#include "collectors/netns_files.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/outcome.h"

struct netns_reader {
    const struct table *table;
    const struct netns_file *files;
    size_t n_files;
    struct field_index *index;
    int inode_column, pid_column; // -1: the table has none
    struct {
        struct source_file host;
        int always; // column
    } state[];      // of each file
};

int netns_reader_new(const struct table *table, const struct netns_file *files, size_t n_files,
        struct netns_reader **ret) {
    struct netns_reader *reader = malloc(sizeof(*reader) + n_files * sizeof(reader->state[0]));
    if (!reader)
        return -ENOMEM;
    *reader = (struct netns_reader){ .table = table, .files = files, .n_files = n_files };
    for (size_t i = 0; i < n_files; i++) {
        reader->state[i].host = SOURCE_FILE_CLOSED;
        reader->state[i].always = table_column(table, files[i].always);
    }
    reader->inode_column = table_column(table, "netns_inode");
    reader->pid_column = table_column(table, "netns_pid");
    reader->index = field_index_new(table);
    if (!reader->index) {
        netns_reader_free(reader);
        return -ENOMEM;
    }
    *ret = reader;
    return 0;
}

struct netns_reader *netns_reader_free(struct netns_reader *reader) {
    if (!reader)
        return NULL;
    for (size_t i = 0; i < reader->n_files; i++)
        source_file_close(&reader->state[i].host);
    field_index_free(reader->index);
    free(reader);
    return NULL;
}

static void fill_keys(const struct netns_reader *reader, const struct netns *netns,
        struct rows *rows, cell *row) {
    row[0] = rows_put_text(rows, netns->name, sizeof(netns->name));
    if (reader->inode_column >= 0 && netns->inode)
        row[reader->inode_column] = (cell) netns->inode;
    if (reader->pid_column >= 0 && netns->pid)
        row[reader->pid_column] = netns->pid;
}

// A kernel without IPv6 has no snmp6, one without conntrack no nf_conntrack, and a process may have
// gone a moment ago.
static bool is_missing(int r) {
    return r == -ENOENT || r == -ESRCH || r == -ENXIO || r == -ENOTDIR;
}

static void read_file(struct netns_reader *reader, size_t i, const struct netns_list *list,
        const struct netns *netns, cell *row, struct outcome *outcome) {
    const struct netns_file *file = &reader->files[i];
    struct parse_problem problem = { 0 };
    char path[NETNS_PATH_SIZE];
    int r = netns_read_records(list, netns, &reader->state[i].host, file->name, file->record_bytes);
    if (is_missing(r))
        return;
    if (r < 0) {
        outcome_read_error(outcome, netns_path(netns, file->name, path), r);
        return;
    }
    file->parse(list->source->buffer, list->source->size, reader->index, row, &problem);
    if (list->source->size == 0)
        parse_problem_add(&problem, 0, "the file is empty");
    else if (row[reader->state[i].always] == CELL_NULL)
        parse_problem_add(&problem, 0, "what every kernel has is missing");
    if (problem.text)
        outcome_problem(outcome, netns_path(netns, file->name, path), &problem);
}

static bool has_value(const struct netns_reader *reader, const cell *row) {
    for (size_t i = 0; i < reader->table->n_columns; i++)
        if (row[i] != CELL_NULL)
            return true;
    return false;
}

static void read_netns(struct netns_reader *reader, const struct netns_list *list,
        const struct netns *netns, struct rows *rows, struct outcome *outcome) {
    cell *row = rows_add(rows);
    if (!row) {
        outcome_set(outcome, OUTCOME_FAILED, "%s", strerror(ENOMEM));
        return;
    }
    for (size_t i = 0; i < reader->n_files; i++)
        read_file(reader, i, list, netns, row, outcome);
    if (has_value(reader, row))
        fill_keys(reader, netns, rows, row);
    if (row[0] == CELL_NULL)
        rows_drop_last(rows);
}

static void read_others(struct netns_reader *reader, struct netns_list *list, struct rows *rows,
        struct outcome *outcome) {
    int64_t before_us = netns_turns_clock_us();
    for (size_t i = 1; i < list->n; i++)
        if (netns_is_due(&list->items[i], NETNS_COUNTERS))
            read_netns(reader, list, &list->items[i], rows, outcome);
    list->turns[NETNS_COUNTERS].spent_us += netns_turns_clock_us() - before_us;
}

void netns_reader_collect(struct netns_reader *reader, struct collect_context *context,
        const char *absent, struct rows *rows, struct outcome *outcome) {
    struct netns_list *list = context->netns;
    if (list->unseen)
        outcome_set(outcome, OUTCOME_OK,
                "the namespaces of %zu processes could not be seen: needs CAP_SYS_PTRACE",
                list->unseen);
    read_netns(reader, list, &list->items[0], rows, outcome);
    if (list->n > 1)
        read_others(reader, list, rows, outcome);
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "%s", absent);
    netns_turns_note(list, NETNS_COUNTERS, outcome);
}
