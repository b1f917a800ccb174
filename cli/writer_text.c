// SPDX-License-Identifier: GPL-2.0-or-later
// Text format
#include <libsmartcols.h>
#include <stdlib.h>
#include <string.h>

#include "cli/verdict_text.h"
#include "cli/writer_ops.h"
#include "core/cleanup.h"
#include "core/text.h"

// Cells are kept until the end of their table, since the widths decide how the last column wraps.
struct row {
    enum style style;
    char **cells; // one per column of the declaration; NULL where it is not shown
};

struct text_state {
    struct row *rows;
    size_t n_rows;
    bool failed;  // out of memory: said once, at the end
    bool started; // something was written before: a blank line goes between
};

void *writer_text_state(void) {
    return calloc(1, sizeof(struct text_state));
}

static void drop_rows(struct writer *writer) {
    struct text_state *state = writer->state;
    for (size_t i = 0; i < state->n_rows; i++) {
        for (size_t j = 0; j < writer->table->n_columns; j++)
            free(state->rows[i].cells[j]);
        free(state->rows[i].cells);
    }
    free(state->rows);
    state->rows = NULL;
    state->n_rows = 0;
}

static void separate(struct writer *writer) {
    struct text_state *state = writer->state;
    if (state->started)
        fputc('\n', writer->out);
    state->started = true;
}

static bool has_labels(const struct writer_table *table) {
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].label)
            return true;
    return false;
}

static void begin(struct writer *writer, bool is_record) {
    const char *title = writer->table->title;
    if (has_labels(writer->table))
        separate(writer);
    if (!title)
        return;
    style_begin(writer->terminal, writer->out, STYLE_BOLD);
    text_put(writer->out, title);
    style_end(writer->terminal, writer->out, STYLE_BOLD);
    fputc('\n', writer->out);
}

static void row(struct writer *writer, enum style style) {
    struct text_state *state = writer->state;
    struct row *rows = reallocarray(state->rows, state->n_rows + 1, sizeof(*rows));
    if (rows)
        state->rows = rows;
    char **cells = calloc(writer->table->n_columns, sizeof(*cells));
    if (!rows || !cells) {
        free(cells);
        state->failed = true;
        return;
    }
    rows[state->n_rows++] = (struct row){ .style = style, .cells = cells };
}

static void put(
        struct writer *writer, const struct writer_column *column, const struct value *value) {
    struct text_state *state = writer->state;
    // A record has no line for what is not known; in a table it is "-".
    bool left_out = writer->is_record && value->unknown && !value->nested_text;
    if (column->label && state->n_rows > 0 && !left_out) {
        char *text = value_text(writer, value, column->unit);
        char **field = &state->rows[state->n_rows - 1].cells[column - writer->table->columns];
        free(*field);
        *field = text;
        state->failed |= !text;
    }
    if (value->kind == VALUE_NESTED)
        json_object_put(value->nested);
}

static void print_record(struct writer *writer) {
    const struct text_state *state = writer->state;
    const struct writer_table *table = writer->table;
    int width = 0;
    for (size_t i = 0; i < table->n_columns; i++)
        if (table->columns[i].label && text_columns(table->columns[i].label) > width)
            width = text_columns(table->columns[i].label);
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *label = table->columns[i].label, *field = state->rows[0].cells[i];
        if (!label || !field)
            continue;
        style_begin(writer->terminal, writer->out, STYLE_BOLD);
        fputs(label, writer->out);
        style_end(writer->terminal, writer->out, STYLE_BOLD);
        fprintf(writer->out, "%*s", width + 2 - text_columns(label), "");
        text_wrap(writer->out, field, width + 2, writer->terminal->width);
    }
}

// Columns that are left for the last one.
static int room_for_last(const struct writer *writer) {
    const struct text_state *state = writer->state;
    const struct writer_table *table = writer->table;
    int room = writer->terminal->width;
    for (size_t i = 0; i + 1 < table->n_columns; i++) {
        if (!table->columns[i].label)
            continue;
        int widest = text_columns(table->columns[i].label);
        for (size_t j = 0; j < state->n_rows; j++)
            if (state->rows[j].cells[i] && text_columns(state->rows[j].cells[i]) > widest)
                widest = text_columns(state->rows[j].cells[i]);
        room -= widest + 1;
    }
    return room;
}

// Below this a wrapped column would be a word a line: rather a line that is too long.
#define LEAST_ROOM 20

// Breaks the last column between words, as the table printer itself would do in the middle of them.
static void wrap_last(struct writer *writer) {
    struct text_state *state = writer->state;
    size_t last = writer->table->n_columns - 1;
    if (!(writer->table->columns[last].flags & WRITER_WRAP))
        return;
    int room = room_for_last(writer);
    for (size_t i = 0; i < state->n_rows && room >= LEAST_ROOM; i++) {
        char *wrapped = NULL, **field = &state->rows[i].cells[last];
        size_t size;
        FILE *out = *field ? open_memstream(&wrapped, &size) : NULL;
        if (!out)
            continue;
        text_wrap(out, *field, 0, room);
        if (fclose(out) != 0 || size == 0) {
            free(wrapped);
            continue;
        }
        wrapped[size - 1] = '\0'; // its newline
        free(*field);
        *field = wrapped;
    }
}

static void set_cell(struct libscols_line *line, size_t at, char **field) {
    if (*field && scols_line_refer_data(line, at, *field) == 0)
        *field = NULL; // now the line's
}

static bool add_columns(const struct writer *writer, struct libscols_table *printer) {
    const struct writer_table *table = writer->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        const struct writer_column *column = &table->columns[i];
        if (!column->label)
            continue;
        bool wraps = column->flags & WRITER_WRAP;
        struct libscols_column *added = scols_table_new_column(printer, column->label, 0,
                (column->flags & WRITER_RIGHT ? SCOLS_FL_RIGHT : 0) | (wraps ? SCOLS_FL_WRAP : 0));
        if (!added)
            return false;
        if (wraps) {
            scols_column_set_wrapfunc(added, scols_wrapnl_chunksize, scols_wrapnl_nextchunk, NULL);
            scols_column_set_safechars(added, "\n");
        }
    }
    return true;
}

static bool add_lines(struct writer *writer, struct libscols_table *printer) {
    struct text_state *state = writer->state;
    for (size_t i = 0; i < state->n_rows; i++) {
        struct libscols_line *line = scols_table_new_line(printer, NULL);
        if (!line)
            return false;
        if (writer->terminal->color && state->rows[i].style != STYLE_PLAIN)
            scols_line_set_color(line, style_sequence(state->rows[i].style));
        for (size_t j = 0, at = 0; j < writer->table->n_columns; j++)
            if (writer->table->columns[j].label)
                set_cell(line, at++, &state->rows[i].cells[j]);
    }
    return true;
}

static void unref_printer(struct libscols_table **printer) {
    scols_unref_table(*printer);
}

static void print_table(struct writer *writer) {
    struct text_state *state = writer->state;
    _cleanup_(unref_printer) struct libscols_table *printer = scols_new_table();
    if (!printer || !add_columns(writer, printer)) {
        state->failed = true;
        return;
    }
    wrap_last(writer);
    state->failed |= !add_lines(writer, printer);
    scols_table_enable_noencoding(printer, 1); // everything is escaped already
    scols_table_enable_colors(printer, writer->terminal->color);
    scols_table_set_termforce(printer, SCOLS_TERMFORCE_ALWAYS);
    scols_table_set_termwidth(printer, (size_t) writer->terminal->width);
    scols_table_set_stream(printer, writer->out);
    scols_print_table(printer);
}

static void end(struct writer *writer, bool is_record) {
    const struct text_state *state = writer->state;
    if (is_record && state->n_rows > 0)
        print_record(writer);
    else if (state->n_rows > 0)
        print_table(writer);
    else if (writer->table->empty)
        text_wrap(writer->out, writer->table->empty, 0, writer->terminal->width);
    drop_rows(writer);
}

static void sentence(struct writer *writer, enum style style, const char *text) {
    separate(writer);
    style_begin(writer->terminal, writer->out, style);
    text_wrap(writer->out, text, 0, writer->terminal->width);
    style_end(writer->terminal, writer->out, style);
}

static void lines(struct writer *writer, const char *name, const char *text) {
    struct text_state *state = writer->state;
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        _cleanup_free_ char *copy = strndup(line, n);
        if (copy && writer->terminal->is_terminal)
            text_put(writer->out, copy);
        else
            fwrite(line, 1, n, writer->out);
        fputc('\n', writer->out);
        line += n + (line[n] == '\n');
    }
    state->started = true;
}

static void page(struct writer *writer, const char *text) {
    separate(writer);
    fputs(text, writer->out);
}

static void verdict(struct writer *writer, const struct verdict *shown, bool all, int64_t now_ms) {
    struct text_state *state = writer->state;
    verdict_put_text(shown, writer->terminal, all, now_ms, writer->out);
    state->started = true;
}

static void next(struct writer *writer) {
    fflush(writer->out);
}

static void done(struct writer *writer) {
    struct text_state *state = writer->state;
    if (state->failed)
        fputs("udpdiag: out of memory, the output is not complete\n", stderr);
    free(state);
}

const struct writer_ops writer_ops_text = {
    .begin = begin,
    .row = row,
    .put = put,
    .end = end,
    .sentence = sentence,
    .lines = lines,
    .page = page,
    .verdict = verdict,
    .next = next,
    .done = done,
};
