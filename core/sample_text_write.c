// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as text, written
#include <errno.h>
#include <inttypes.h>

#include "core/sample_text.h"

struct writing {
    FILE *out;
    sample_text_alias *alias;
    void *data;
};

static void put_escaped(FILE *out, const char *text) {
    for (; *text; text++) {
        switch (*text) {
        case '\\':
            fputs("\\\\", out);
            break;
        case '\t':
            fputs("\\t", out);
            break;
        case '\n':
            fputs("\\n", out);
            break;
        case '\r':
            fputs("\\r", out);
            break;
        default:
            putc(*text, out);
        }
    }
}

static int put_cell(const struct writing *writing, const struct rows *rows,
        const struct column *column, cell value) {
    putc('\t', writing->out);
    if (value == CELL_NULL) {
        fputs("\\N", writing->out);
    } else if (!column_is_text(column)) {
        fprintf(writing->out, "%" PRId64, value);
    } else {
        const char *text = rows_text(rows, value);
        if (writing->alias)
            text = writing->alias(writing->data, rows->table, column, text);
        if (!text)
            return -ENOMEM;
        put_escaped(writing->out, text);
    }
    return 0;
}

static int put_row(
        const struct writing *writing, const struct rows *rows, const char *word, const cell *row) {
    int r = 0;
    fputs(word, writing->out);
    for (size_t i = 0; r == 0 && i < rows->table->n_columns; i++)
        r = put_cell(writing, rows, &rows->table->columns[i], row[i]);
    putc('\n', writing->out);
    return r;
}

static int put_rows(const struct writing *writing, const struct rows *rows) {
    int r = 0;
    if (rows->n == 0)
        return 0;
    fputs("columns", writing->out);
    for (size_t i = 0; i < rows->table->n_columns; i++)
        fprintf(writing->out, "\t%s", rows->table->columns[i].name);
    putc('\n', writing->out);
    for (size_t i = 0; r == 0 && i < rows->n; i++) {
        const cell *before = rows_before_at(rows, i);
        r = put_row(writing, rows, "row", rows_at(rows, i));
        if (r == 0 && before)
            r = put_row(writing, rows, "before", before);
    }
    return r;
}

int sample_text_write(
        const struct sample *sample, sample_text_alias *alias, void *data, FILE *out) {
    struct writing writing = { out, alias, data };
    int r = 0;
    fprintf(out, "sample\t%d\t%" PRId64 "\t%" PRId64 "\t%" PRId64 "\n", SAMPLE_TEXT_VERSION,
            sample->wall_ms, sample->boottime_ms, sample->monotonic_ms);
    for (size_t t = 0; r == 0 && t < sample->n_tables; t++) {
        const struct outcome *outcome = &sample->outcome[t];
        if (outcome->state == OUTCOME_NOT_DUE)
            continue;
        fprintf(out, "table\t%s\t%s\t", sample->rows[t].table->name, outcome_name(outcome->state));
        put_escaped(out, outcome->reason);
        putc('\n', out);
        r = put_rows(&writing, &sample->rows[t]);
    }
    fputs("end\n", out);
    return r < 0 ? r : ferror(out) ? -EIO : 0;
}
