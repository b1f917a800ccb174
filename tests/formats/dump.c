// SPDX-License-Identifier: GPL-2.0-or-later
// Intake dump
#include "tests/formats/dump.h"

#include <inttypes.h>

#include "core/text.h"
#include "formats/intake_private.h"
#include "formats/reading.h"

static void put_cell(FILE *out, const struct rows *rows, const cell *row, size_t i) {
    if (!column_is_text(&rows->table->columns[i])) {
        fprintf(out, "%" PRId64, row[i]);
        return;
    }
    fputc('"', out);
    text_put(out, rows_text(rows, row[i]));
    fputc('"', out);
}

static void put_row(FILE *out, const struct look_table *table, size_t n) {
    const struct rows *rows = &table->set.rows;
    const struct table *form = rows->table;
    const cell *row = rows_at(rows, n);
    fprintf(out, "  %s", form->name);
    for (size_t i = 0; i < form->n_keys; i++) {
        fputc(' ', out);
        put_cell(out, rows, row, i);
    }
    fputs(":", out);
    for (size_t i = form->n_keys; i < form->n_columns; i++) {
        if (row[i] != CELL_NULL) {
            fprintf(out, " %s=", form->columns[i].name);
            put_cell(out, rows, row, i);
        }
        cell grown = n < table->grown.n ? rows_at(&table->grown, n)[i] : CELL_NULL;
        if (grown != CELL_NULL)
            fprintf(out, " %s+%" PRId64, form->columns[i].name, grown);
    }
    fputc('\n', out);
}

static void put_look(FILE *out, const struct intake *intake, const struct look *look) {
    fprintf(out, "look %s line %u", look->format ? look->format->name : "-", look->line);
    if (look->at_ms != 0)
        fprintf(out, " at %" PRId64 ".%03" PRId64, look->at_ms / 1000, look->at_ms % 1000);
    if (look->span_ms != 0)
        fprintf(out, " span %" PRId64, look->span_ms);
    fputc('\n', out);
    for (size_t i = 0; i < intake->n_tables; i++)
        for (size_t n = 0; look->table[i] && n < look->table[i]->set.rows.n; n++)
            put_row(out, look->table[i], n);
}

static void put_records(FILE *out, const struct intake *intake) {
    static const char *const states[] = {
        [RECORD_READ] = "read", [RECORD_UNUSED] = "unused", [RECORD_SKIPPED] = "skipped"
    };
    const struct record *record;
    size_t n = intake_records(intake, &record);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s %u-%u %s", states[record[i].state], record[i].first, record[i].last,
                record[i].format ? record[i].format->name : "-");
        if (record[i].state != RECORD_READ)
            fprintf(out, ": %.60s", record[i].text);
        fputc('\n', out);
    }
}

void dump_intake(FILE *out, const struct intake *intake) {
    const struct remark_text *note;
    for (size_t i = 0; i < intake->n_looks; i++)
        if (intake->look[i].table)
            put_look(out, intake, &intake->look[i]);
    if (intake->host || intake->kernel || intake->uptime_ms)
        fprintf(out, "host \"%s\" kernel \"%s\" uptime %" PRId64 "\n", intake_host_name(intake),
                intake_kernel_release(intake), intake->uptime_ms);
    size_t n = intake_notes(intake, &note);
    for (size_t i = 0; i < n; i++)
        fprintf(out, "note %u: %s\n", note[i].line, note[i].text);
    put_records(out, intake);
}
