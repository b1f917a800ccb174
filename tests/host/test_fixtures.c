// SPDX-License-Identifier: GPL-2.0-or-later
// Host fixtures
//
// The files of five kernels: what they come to, and that no damage ever gives a wrong number.
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "collectors/link.h"
#include "collectors/list.h"
#include "collectors/mount_list.h"
#include "collectors/parse.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"

static const char *const kernels[] = { "3.10", "4.18-el8", "5.4", "6.1", "6.18" };
#define N_KERNELS ((int) (sizeof(kernels) / sizeof(kernels[0])))

// --- what they come to

static const struct collector *const tables[] = {
    &softnet_collector,
    &cpu_collector,
    &pressure_collector,
    &memory_collector,
    &disk_collector,
    &link_collector,
};
#define N_TABLES ((int) (sizeof(tables) / sizeof(tables[0])))

START_TEST(as_expected) {
    char folder[256];
    struct rig rig;
    const char *kernel = kernels[_i / N_TABLES];
    rig_start(&rig, tables[_i % N_TABLES], fixture(kernel, folder, sizeof(folder)));
    rig_collect(&rig);
    ck_assert_msg(rig.outcome.state != OUTCOME_FAILED, "%s", rig.outcome.reason);
    ck_assert_int_eq(rig.outcome.state == OUTCOME_ABSENT, rig.rows.n == 0);
    rig_check_expected(&rig, kernel);
    rig_stop(&rig);
}
END_TEST

START_TEST(not_from_a_directory) {
    static const struct collector *const live_only[] = { &mount_collector, &qdisc_collector,
        &nic_collector };
    char folder[256];
    struct rig rig;
    rig_start(&rig, live_only[_i], fixture("6.1", folder, sizeof(folder)));
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    ck_assert_int_ne(rig.outcome.reason[0], '\0');
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);
}
END_TEST

// --- damage

static bool any_disk(void *userdata, size_t n, const struct disk_name *name) {
    return true;
}

static void parse_softnet(
        const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    parse_softnet_stat(text, n, "0-63\n", rows, problem);
}
static void parse_disks(
        const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    parse_diskstats(text, n, any_disk, NULL, rows, problem);
}
static void parse_some_full(
        const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    struct pressure pressure;
    parse_pressure(text, n, &pressure, problem);
    cell *row = rows_add(rows);
    row[1] = pressure.some;
    row[2] = pressure.full;
}
static void parse_memory(parse_function *parse, const char *text, size_t n, struct rows *rows,
        struct parse_problem *problem) {
    struct field_index *index = field_index_new(&memory_table);
    parse(text, n, index, rows_add(rows), problem);
    field_index_free(index);
}
static void parse_mem(
        const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    parse_memory(parse_meminfo, text, n, rows, problem);
}
static void parse_vm(const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    parse_memory(parse_vmstat, text, n, rows, problem);
}
static void parse_mounts(
        const char *text, size_t n, struct rows *rows, struct parse_problem *problem) {
    struct mount_list list = MOUNT_LIST_EMPTY;
    ck_assert_int_eq(mount_list_parse(&list, text, n, problem), 0);
    for (size_t i = 0; i < list.n; i++) {
        cell *row = rows_add(rows);
        const char *point = list.text + list.items[i].point,
                   *source = list.text + list.items[i].source;
        row[0] = rows_put_text(rows, point, strlen(point));
        row[1] = rows_put_text(rows, source, strlen(source));
    }
    mount_list_done(&list);
}

static const struct parser {
    const char *path;
    const struct table *table;
    void (*parse)(const char *text, size_t n, struct rows *rows, struct parse_problem *problem);
    bool fixed_width; // a line with a word less is not accepted
    size_t begin;     // lines before it are not looked at
} parsers[] = {
    { "proc/net/softnet_stat", &softnet_table, parse_softnet, true, 0 },
    { "proc/stat", &cpu_table, parse_proc_stat, true, 1 },
    { "proc/pressure/io", &pressure_table, parse_some_full, false, 0 },
    { "proc/meminfo", &memory_table, parse_mem, false, 0 },
    { "proc/vmstat", &memory_table, parse_vm, false, 0 },
    { "proc/diskstats", &disk_table, parse_disks, true, 0 },
    { "proc/net/dev", &link_table, parse_net_dev, true, 2 },
    { "proc/self/mountinfo", &mount_table, parse_mounts, false, 0 },
};
#define N_PARSERS ((int) (sizeof(parsers) / sizeof(parsers[0])))

static bool same_cell(
        const struct rows *a, cell x, const struct rows *b, cell y, const struct column *column) {
    if (x == CELL_NULL || y == CELL_NULL)
        return x == y;
    return column_is_text(column) ? strcmp(rows_text(a, x), rows_text(b, y)) == 0 : x == y;
}

// Every value of a row is that of the undamaged one, or missing.
static bool is_part_of(
        const struct rows *rows, const cell *row, const struct rows *whole, const cell *other) {
    const struct table *table = rows->table;
    for (size_t i = 0; i < table->n_columns; i++) {
        bool missing = i >= table->n_keys && row[i] == CELL_NULL;
        if (!missing && !same_cell(rows, row[i], whole, other[i], &table->columns[i]))
            return false;
    }
    return true;
}

static void check_part(
        const struct rows *rows, const struct rows *whole, const char *what, size_t at) {
    for (size_t i = 0; i < rows->n; i++) {
        bool found = false;
        for (size_t k = 0; k < whole->n && !found; k++)
            found = is_part_of(rows, rows_at(rows, i), whole, rows_at(whole, k));
        ck_assert_msg(found, "%s at %zu: row %zu is wrong", what, at, i);
    }
}

struct damage {
    const struct parser *parser;
    char *text;
    size_t n;
    struct rows whole, rows;
};

// False: this kernel has no such file.
static bool damage_start(struct damage *damage, int i) {
    char path[512];
    const char *kernel = kernels[i / N_PARSERS];
    damage->parser = &parsers[i % N_PARSERS];
    snprintf(path, sizeof(path), "%s/fixtures/%s/%s", TESTS_FOLDER, kernel, damage->parser->path);
    if (access(path, R_OK) < 0)
        return false;
    damage->text = fixture_read(kernel, damage->parser->path, &damage->n);
    rows_init(&damage->whole, damage->parser->table);
    rows_init(&damage->rows, damage->parser->table);
    struct parse_problem problem = { 0 };
    damage->parser->parse(damage->text, damage->n, &damage->whole, &problem);
    ck_assert_ptr_null(problem.text);
    ck_assert_uint_ge(damage->whole.n, 1);
    return true;
}

static void damage_stop(struct damage *damage) {
    free(damage->text);
    rows_done(&damage->whole);
    rows_done(&damage->rows);
}

START_TEST(cut_anywhere) {
    struct damage d;
    if (!damage_start(&d, _i))
        return;
    for (size_t n = 0; n < d.n; n++) {
        struct parse_problem problem = { 0 };
        char *cut = memcpy(malloc(n + 1), d.text, n); // so that reading beyond it is noticed
        cut[n] = '\0';
        rows_clear(&d.rows);
        d.parser->parse(cut, n, &d.rows, &problem);
        check_part(&d.rows, &d.whole, "cut", n);
        bool in_line = n == 0 || cut[n - 1] != '\n';
        bool unread = d.parser->table == &cpu_table && d.rows.n == d.whole.n; // behind the CPUs
        unread |= d.parser->table == &disk_table && n == 0;                   // no disks
        ck_assert_msg(!in_line || unread || problem.text, "cut at %zu: no problem", n);
        free(cut);
    }
    damage_stop(&d);
}
END_TEST

// The text without the word at `at`. Returns its length.
static size_t without_word(const struct damage *d, size_t at, char *out) {
    size_t end = at;
    while (end < d->n && d->text[end] != ' ' && d->text[end] != '\n')
        end++;
    memcpy(out, d->text, at);
    memcpy(out + at, d->text + end, d->n - end);
    return d->n - (end - at);
}

START_TEST(a_word_less) {
    struct damage d;
    if (!damage_start(&d, _i))
        return;
    char *text = malloc(d.n + 1);
    size_t line = 0;
    for (size_t at = 0; d.parser->fixed_width && at + 1 < d.n; at++) {
        line += at > 0 && d.text[at - 1] == '\n';
        bool begins = d.text[at] != ' ' && d.text[at] != '\n' &&
                      (at == 0 || d.text[at - 1] == ' ' || d.text[at - 1] == '\n');
        if (!begins || line < d.parser->begin)
            continue;
        struct parse_problem problem = { 0 };
        size_t n = without_word(&d, at, text);
        rows_clear(&d.rows);
        d.parser->parse(text, n, &d.rows, &problem);
        if (d.parser->table != &softnet_table ||
                line > 0) // the first line gives the number of columns
            check_part(&d.rows, &d.whole, "without the word", at);
    }
    free(text);
    damage_stop(&d);
}
END_TEST

START_TEST(noise_anywhere) {
    static const char noise[] = { '\0', '-', 'x', '\xff', '\n', '9', ' ' };
    struct damage d;
    if (!damage_start(&d, _i))
        return;
    char *text = malloc(d.n + 1);
    for (size_t at = 0; at < d.n;
            at += 7) { // nothing but that it does not crash: a digit for a digit goes unseen
        struct parse_problem problem = { 0 };
        memcpy(text, d.text, d.n);
        text[d.n] = '\0';
        text[at] = noise[at % sizeof(noise)];
        rows_clear(&d.rows);
        d.parser->parse(text, d.n, &d.rows, &problem);
    }
    free(text);
    damage_stop(&d);
}
END_TEST

// --- files that are there in another way

static const struct {
    const struct collector *collector;
    const char *path;
} files[] = {
    { &softnet_collector, "proc/net/softnet_stat" },
    { &cpu_collector, "proc/stat" },
    { &memory_collector, "proc/vmstat" },
    { &disk_collector, "proc/diskstats" },
    { &pressure_collector, "proc/pressure/cpu" },
    { &link_collector, "proc/net/dev" },
};
#define N_FILES ((int) (sizeof(files) / sizeof(files[0])))

START_TEST(missing_empty_and_odd_files) {
    struct rig rig;
    char path[128];
    rig_start_empty(&rig, files[_i].collector);
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_ABSENT);
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);

    rig_start_empty(&rig, files[_i].collector);
    rig_write(&rig, files[_i].path, "", 0);
    rig_collect(&rig);
    // A host without disks has an empty diskstats.
    bool disks = files[_i].collector == &disk_collector;
    ck_assert_int_eq(rig.outcome.state, disks ? OUTCOME_ABSENT : OUTCOME_FAILED);
    ck_assert(disks || strstr(rig.outcome.reason, files[_i].path));
    rig_stop(&rig);

    rig_start_empty(&rig, files[_i].collector);
    snprintf(path, sizeof(path), "%s/x", files[_i].path); // a folder
    rig_write(&rig, path, "", 0);
    rig_collect(&rig);
    ck_assert_int_ne(rig.outcome.state, OUTCOME_OK);
    ck_assert_uint_eq(rig.rows.n, 0);
    rig_stop(&rig);
}
END_TEST

START_TEST(file_and_line_are_named) {
    struct rig rig;
    static const char text[] = "cpu  1 1 1 1 1 1 1 1 1 1\ncpu0 1 1 1 1 1 1 1 1 1 1\ncpu1 1 1\n";
    rig_start_empty(&rig, &cpu_collector);
    rig_write(&rig, "proc/stat", text, strlen(text));
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
    ck_assert_msg(strncmp(rig.outcome.reason, "/proc/stat:3: ", 14) == 0, "%s", rig.outcome.reason);
    ck_assert_uint_eq(rig.rows.n, 1);
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("host fixtures");
    TCase *tcase = tcase_create("fixtures");
    tcase_set_timeout(tcase, 60);
    tcase_add_loop_test(tcase, as_expected, 0, N_KERNELS * N_TABLES);
    tcase_add_loop_test(tcase, not_from_a_directory, 0, 3);
    tcase_add_loop_test(tcase, cut_anywhere, 0, N_KERNELS * N_PARSERS);
    tcase_add_loop_test(tcase, a_word_less, 0, N_KERNELS * N_PARSERS);
    tcase_add_loop_test(tcase, noise_anywhere, 0, N_KERNELS * N_PARSERS);
    tcase_add_loop_test(tcase, missing_empty_and_odd_files, 0, N_FILES);
    tcase_add_test(tcase, file_and_line_are_named);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
