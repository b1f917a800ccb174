// SPDX-License-Identifier: GPL-2.0-or-later
// What was understood
#include <stdlib.h>

#include "cli/pasted.h"
#include "core/cleanup.h"

static const struct writer_column columns[] = {
    { "file", "FILE" },
    { "first", NULL },
    { "last", NULL },
    { NULL, "LINES" },
    { "state", NULL },
    { "format", NULL },
    { NULL, "TAKEN FOR" },
    { "text", "FIRST LINE", NULL, WRITER_WRAP },
};
static const struct writer_table table = { "input", NULL, NULL, columns,
    sizeof(columns) / sizeof(columns[0]) };

static const char *const states[] = {
    [RECORD_READ] = "read", [RECORD_UNUSED] = "unused", [RECORD_SKIPPED] = "skipped"
};

static char *taken_for(const struct record *record) {
    char *text;
    int n = record->state == RECORD_READ ? asprintf(&text, "%s", record->format->help)
            : record->format
                    ? asprintf(&text, "%s in %s", states[record->state], record->format->name)
                    : asprintf(&text, "%s", states[record->state]);
    return n < 0 ? NULL : text;
}

static char *lines_of(const struct record *record) {
    char *text;
    int n = record->first == record->last ? asprintf(&text, "%u", record->first)
                                          : asprintf(&text, "%u-%u", record->first, record->last);
    return n < 0 ? NULL : text;
}

static enum style style_of(const struct record *record) {
    return record->state == RECORD_READ     ? STYLE_PLAIN
           : record->state == RECORD_UNUSED ? STYLE_DIM
                                            : STYLE_WARNING;
}

static void put_record(struct writer *writer, const struct record *record) {
    _cleanup_free_ char *lines = lines_of(record), *taken = taken_for(record);
    writer_row(writer, style_of(record));
    writer_text(writer, record->file);
    writer_integer(writer, record->first);
    writer_integer(writer, record->last);
    writer_text(writer, lines);
    writer_text(writer, states[record->state]);
    writer_text(writer, record->format ? record->format->name : NULL);
    writer_text(writer, taken);
    writer_text(writer, record->text);
}

void pasted_show(struct writer *writer, const struct pasted *pasted, bool all) {
    const struct record *records;
    size_t n = intake_records(pasted->intake, &records);
    writer_begin(writer, &table);
    for (size_t i = 0; i < n; i++)
        if (all || records[i].state != RECORD_UNUSED)
            put_record(writer, &records[i]);
    writer_end(writer);
}
