// SPDX-License-Identifier: GPL-2.0-or-later
// Intake inside
#pragma once

#include "core/objects.h"
#include "formats/format.h"
#include "formats/record.h"

// Rows of one table in one look.
struct look_table {
    struct objects set; // absolute values
    struct rows grown;  // growth, beside the rows of `set`; as long as the last row that has some
    unsigned *line;     // beside them: where each began
    size_t capacity;
};

// Values of one moment, from one block.
struct look {
    const struct format *format;
    const char *file;
    unsigned line;
    const char *command;    // whose output it is; NULL: not known
    int64_t at_ms, span_ms; // 0: not known
    unsigned doubtful; // line that leaves open whether its growth is one; 0: none (doubt.c)
    bool own_time; // at_ms is of its own lines, not of a stamp above them
    struct look_table **table; // one per table; NULL: nothing
    size_t output; // outputs.c
    size_t moment; // moments.c
};

struct intake {
    const struct table *const *tables;
    size_t n_tables;
    struct look *look;
    size_t n_looks, looks_capacity;
    bool looking; // the last one takes values
    struct rows *probe; // one per table: keys to look for
    bool *listed;       // one per table
    size_t table, row;  // of the last intake_row(); table == n_tables: none
    unsigned line;      // of that, for remarks
    const char *file;   // that is being read
    const struct format *format;
    const char *command;
    int64_t sleep_ms; // between the outputs of the last command
    int64_t time_ms; // intake_time()
    struct record *record;
    size_t n_records, records_capacity;
    struct remark_text *note;
    size_t n_notes, notes_capacity;
    char *host, *kernel;
    int64_t uptime_ms;
    int error;
    bool full; // of looks
};

// The rows of a table in the look that takes values, begun where there is none; NULL: no memory.
struct look_table *intake_look_table(struct intake *intake, size_t table);
struct look *look_done(struct look *look, size_t n_tables);
// Tables that count what is lost; all others tell of the host around it.
bool table_counts_losses(const struct table *table);
// Whether a look has rows of such tables.
bool look_tells_losses(const struct intake *intake, const struct look *look);
// Keeps the first error.
void intake_fail(struct intake *intake, int error);
