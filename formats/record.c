// SPDX-License-Identifier: GPL-2.0-or-later
// Reading record
#include "formats/record.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/cleanup.h"
#include "formats/intake_private.h"
#include "formats/reading.h"

// Beyond it remarks say nothing new.
#define NOTES_MAX 200

static void *grown(void *array, size_t n, size_t *capacity, size_t size) {
    if (n < *capacity)
        return array;
    size_t wanted = *capacity ? *capacity * 2 : 16;
    array = reallocarray(array, wanted, size);
    if (array)
        *capacity = wanted;
    return array;
}

// Lines of one kind that follow each other are one record.
static bool joins(const struct record *last, const struct record *next) {
    return last->state == next->state && next->state != RECORD_READ && last->file == next->file &&
           last->format == next->format && last->last + 1 == next->first;
}

static void add(struct intake *intake, const struct record *record) {
    struct record *last = intake->n_records ? &intake->record[intake->n_records - 1] : NULL;
    if (last && joins(last, record)) {
        last->last = record->last;
        return;
    }
    void *room = grown(
            intake->record, intake->n_records, &intake->records_capacity, sizeof(*intake->record));
    if (!room) {
        intake_fail(intake, -ENOMEM);
        return;
    }
    intake->record = room;
    intake->record[intake->n_records++] = *record;
}

void intake_record(struct intake *intake, enum record_state state, const struct line *first,
        const struct line *last) {
    add(intake, &(struct record){ .state = state,
                        .file = intake->file,
                        .first = first->number,
                        .last = last->number,
                        .format = intake->format,
                        .text = first->text });
}

void intake_skip(struct intake *intake, const struct line *line) {
    intake_record(intake, RECORD_SKIPPED, line, line);
}

void intake_unused(struct intake *intake, const struct line *line) {
    intake_record(intake, RECORD_UNUSED, line, line);
}

void intake_note(struct intake *intake, const struct line *line, const char *format, ...) {
    _cleanup_free_ char *text = NULL;
    va_list arguments;
    if (intake->n_notes == NOTES_MAX)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    void *room =
            grown(intake->note, intake->n_notes, &intake->notes_capacity, sizeof(*intake->note));
    if (!text || !room) {
        intake_fail(intake, -ENOMEM);
        return;
    }
    intake->note = room;
    intake->note[intake->n_notes++] =
            (struct remark_text){ intake->file, line ? line->number : 0, text };
    text = NULL;
}

size_t intake_records(const struct intake *intake, const struct record **ret) {
    *ret = intake->record;
    return intake->n_records;
}

size_t intake_notes(const struct intake *intake, const struct remark_text **ret) {
    *ret = intake->note;
    return intake->n_notes;
}
