// SPDX-License-Identifier: GPL-2.0-or-later
// Intake
#include "formats/intake_private.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "formats/command.h"
#include "formats/reading.h"

struct intake *intake_new(const struct table *const *tables, size_t n_tables) {
    struct intake *intake = calloc(1, sizeof(*intake));
    if (!intake)
        return NULL;
    *intake = (struct intake){ .tables = tables, .n_tables = n_tables, .table = n_tables };
    intake->probe = calloc(n_tables, sizeof(*intake->probe));
    intake->listed = calloc(n_tables, sizeof(*intake->listed));
    if (!intake->probe || !intake->listed)
        return intake_free(intake);
    for (size_t i = 0; i < n_tables; i++)
        rows_init(&intake->probe[i], tables[i]);
    return intake;
}

static void look_table_free(struct look_table *table) {
    if (!table)
        return;
    objects_done(&table->set);
    rows_done(&table->grown);
    free(table->line);
    free(table);
}

struct look *look_done(struct look *look, size_t n_tables) {
    for (size_t i = 0; look->table && i < n_tables; i++)
        look_table_free(look->table[i]);
    free(look->table);
    look->table = NULL;
    return NULL;
}

struct intake *intake_free(struct intake *intake) {
    if (!intake)
        return NULL;
    for (size_t i = 0; i < intake->n_looks; i++)
        look_done(&intake->look[i], intake->n_tables);
    for (size_t i = 0; intake->probe && i < intake->n_tables; i++)
        rows_done(&intake->probe[i]);
    for (size_t i = 0; i < intake->n_notes; i++)
        free(intake->note[i].text);
    free(intake->look);
    free(intake->probe);
    free(intake->listed);
    free(intake->record);
    free(intake->note);
    free(intake->host);
    free(intake->kernel);
    free(intake);
    return NULL;
}

void intake_fail(struct intake *intake, int error) {
    if (intake->error == 0)
        intake->error = error;
}

int intake_error(const struct intake *intake) {
    return intake->error;
}

void intake_begin(struct intake *intake, const struct format *format, const struct lines *lines,
        const struct line *line) {
    intake->file = lines->name;
    intake->format = format;
    intake->command = lines_command(lines, (size_t) (line - lines->line));
    if (intake->command)
        intake->sleep_ms = command_sleep_ms(intake->command);
    intake_look(intake, line, line->at_ms);
    intake_span(intake, intake->sleep_ms);
}

void intake_end(struct intake *intake) {
    intake->looking = false;
    intake->table = intake->n_tables;
}

// Looks that took nothing are used again.
static bool last_is_empty(const struct intake *intake) {
    return intake->n_looks > 0 && !intake->look[intake->n_looks - 1].table;
}

static int make_room(struct intake *intake) {
    if (last_is_empty(intake)) {
        intake->n_looks--;
        return 0;
    }
    if (intake->n_looks == LOOKS_MAX)
        return -E2BIG;
    if (intake->n_looks < intake->looks_capacity)
        return 0;
    size_t capacity = intake->looks_capacity ? intake->looks_capacity * 2 : 8;
    struct look *look = reallocarray(intake->look, capacity, sizeof(*look));
    if (!look)
        return -ENOMEM;
    intake->look = look;
    intake->looks_capacity = capacity;
    return 0;
}

void intake_look(struct intake *intake, const struct line *line, int64_t at_ms) {
    int r = make_room(intake);
    intake->looking = r == 0;
    intake->table = intake->n_tables;
    if (r == -E2BIG && !intake->full)
        intake_note(intake, line, "only the first %zu looks are taken, this one and later ones are not",
                LOOKS_MAX);
    intake->full |= r == -E2BIG;
    if (r < 0) {
        intake_fail(intake, r == -E2BIG ? 0 : r);
        return;
    }
    intake->look[intake->n_looks++] = (struct look){
        .format = intake->format,
        .file = intake->file,
        .line = line->number,
        .command = intake->command,
        .at_ms = at_ms ? at_ms : intake->time_ms,
        .own_time = at_ms != 0,
    };
}

void intake_span(struct intake *intake, int64_t ms) {
    if (intake->looking && ms > 0)
        intake->look[intake->n_looks - 1].span_ms = ms;
}

void intake_time(struct intake *intake, const struct line *line, int64_t at_ms) {
    intake->time_ms = at_ms;
    if (intake->looking && last_is_empty(intake))
        intake->look[intake->n_looks - 1].at_ms = at_ms;
}

static void keep_name(struct intake *intake, char **name, const char *text) {
    if (*name || !text || !*text)
        return;
    *name = strdup(text);
    if (!*name)
        intake_fail(intake, -ENOMEM);
}

void intake_host(struct intake *intake, const char *name) {
    keep_name(intake, &intake->host, name);
}

void intake_kernel(struct intake *intake, const char *release) {
    keep_name(intake, &intake->kernel, release);
}

void intake_uptime(struct intake *intake, int64_t ms) {
    if (ms > 0)
        intake->uptime_ms = ms; // the newest
}

const char *intake_host_name(const struct intake *intake) {
    return intake->host ? intake->host : "";
}

const char *intake_kernel_release(const struct intake *intake) {
    return intake->kernel ? intake->kernel : "";
}

int64_t intake_uptime_ms(const struct intake *intake) {
    return intake->uptime_ms;
}
