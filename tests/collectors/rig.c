// SPDX-License-Identifier: GPL-2.0-or-later
// Collector rig
#include "tests/collectors/rig.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"

void rig_start(struct rig *rig, const struct collector *collector, const char *root) {
    *rig = (struct rig){ .collector = collector };
    ck_assert_int_eq(source_init(&rig->source, root), 0);
    ck_assert_int_eq(netns_list_init(&rig->netns, &rig->source), 0);
    rig->context = (struct collect_context){
        .source = &rig->source, .netns = &rig->netns, .watch = &rig->watch
    };
    if (!collector)
        return;
    if (collector->start)
        ck_assert_int_eq(collector->start(&rig->context, &rig->state), 0);
    rows_init(&rig->rows, collector->table);
}

void rig_start_empty(struct rig *rig, const struct collector *collector) {
    char folder[] = "/tmp/udpdiag-rig-XXXXXX";
    ck_assert_ptr_nonnull(mkdtemp(folder));
    char proc[64];
    snprintf(proc, sizeof(proc), "%s/proc", folder);
    ck_assert_int_eq(mkdir(proc, 0755), 0);
    rig_start(rig, collector, folder);
    snprintf(rig->folder, sizeof(rig->folder), "%s", folder);
}

void rig_stop(struct rig *rig) {
    if (rig->collector) {
        if (rig->collector->stop)
            rig->collector->stop(rig->state);
        rows_done(&rig->rows);
    }
    watch_done(&rig->watch);
    netns_list_done(&rig->netns);
    source_done(&rig->source);
    if (rig->folder[0])
        rig_remove(rig, "");
}

void rig_look(struct rig *rig) {
    ck_assert_int_eq(netns_list_discover(&rig->netns), 0);
    rig_collect(rig);
}

void rig_collect(struct rig *rig) {
    rows_clear(&rig->rows);
    rig->outcome = (struct outcome){ .state = OUTCOME_OK };
    rig->collector->collect(&rig->context, rig->state, &rig->rows, &rig->outcome);
}

cell rig_value(const struct rig *rig, const char *key, const char *column) {
    int i = table_column(rig->collector->table, column);
    ck_assert_int_ge(i, 0);
    for (size_t r = 0; r < rig->rows.n; r++) {
        cell *row = rows_at(&rig->rows, r);
        if (!key || strcmp(rows_text(&rig->rows, row[0]), key) == 0)
            return row[i];
    }
    ck_abort_msg("no row %s", key ? key : "at all");
    return CELL_NULL;
}

static char *dump_row(const struct rows *rows, const cell *row) {
    char *text = NULL;
    size_t n;
    FILE *out = open_memstream(&text, &n);
    for (size_t i = 0; i < rows->table->n_columns; i++) {
        const struct column *column = &rows->table->columns[i];
        fprintf(out, "%s%s=", i ? " " : "", column->name);
        if (row[i] == CELL_NULL)
            fputc('-', out);
        else if (column_is_text(column))
            fputs(rows_text(rows, row[i]), out);
        else
            fprintf(out, "%" PRId64, row[i]);
    }
    fclose(out);
    return text;
}

static int compare_texts(const void *a, const void *b) {
    return strcmp(*(char *const *) a, *(char *const *) b);
}

char *rig_dump(const struct rig *rig) {
    size_t n = rig->rows.n, length;
    char *text = NULL, *lines[64];
    ck_assert_uint_le(n, 64);
    for (size_t i = 0; i < n; i++)
        lines[i] = dump_row(&rig->rows, rows_at(&rig->rows, i));
    qsort(lines, n, sizeof(lines[0]), compare_texts);
    FILE *out = open_memstream(&text, &length);
    for (size_t i = 0; i < n; i++) {
        fprintf(out, "%s\n", lines[i]);
        free(lines[i]);
    }
    fclose(out);
    return text;
}

const char *fixture(const char *kernel, char *buffer, size_t size) {
    snprintf(buffer, size, "%s/fixtures/%s", TESTS_FOLDER, kernel);
    return buffer;
}

static char *read_whole(const char *path, size_t *ret_n) {
    FILE *file = fopen(path, "re");
    ck_assert_msg(file, "%s cannot be read", path);
    char *text = calloc(1, 1 << 20);
    *ret_n = fread(text, 1, (1 << 20) - 1, file);
    fclose(file);
    return text;
}

char *fixture_read(const char *kernel, const char *path, size_t *ret_n) {
    char full[512];
    snprintf(full, sizeof(full), "%s/fixtures/%s/%s", TESTS_FOLDER, kernel, path);
    return read_whole(full, ret_n);
}

void rig_check_expected(const struct rig *rig, const char *kernel) {
    char path[512];
    snprintf(path, sizeof(path), "%s/collectors/expected/%s/%s", TESTS_FOLDER, kernel,
            rig->collector->table->name);
    _cleanup_free_ char *dump = rig_dump(rig);
    if (getenv("UPDATE_EXPECTED")) {
        FILE *file = fopen(path, "we");
        ck_assert_ptr_nonnull(file);
        fputs(dump, file);
        fclose(file);
        return;
    }
    size_t n;
    _cleanup_free_ char *expected = read_whole(path, &n);
    if (strcmp(dump, expected) == 0)
        return;
    size_t same = 0;
    while (dump[same] == expected[same])
        same++;
    while (same > 0 && dump[same - 1] != ' ' && dump[same - 1] != '\n')
        same--;
    ck_abort_msg("%s differs: %.60s... instead of %.60s...", path, dump + same, expected + same);
}

static void make_folders(char *path) {
    for (char *slash = path + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

void rig_write(const struct rig *rig, const char *path, const char *text, size_t n) {
    char full[256];
    snprintf(full, sizeof(full), "%s/%s", rig->folder, path);
    make_folders(full);
    FILE *file = fopen(full, "we");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_eq(fwrite(text, 1, n, file), n);
    fclose(file);
}

void rig_link(const struct rig *rig, const char *path, const char *target) {
    char full[256];
    snprintf(full, sizeof(full), "%s/%s", rig->folder, path);
    make_folders(full);
    unlink(full);
    ck_assert_int_eq(symlink(target, full), 0);
}

void rig_remove(const struct rig *rig, const char *path) {
    char command[320];
    snprintf(command, sizeof(command), "rm -rf '%s/%s'", rig->folder, path);
    ck_assert_int_eq(system(command), 0);
}
