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

// Writes a vmstat whose wanted names stand behind `before` other bytes, and in front of more.
static void write_vmstat(struct rig *rig, size_t before, int value, const char *more) {
    char text[16384];
    size_t n = 0;
    while (n < before)
        n += (size_t) snprintf(text + n, sizeof(text) - n, "nr_other 1\n");
    n += (size_t) snprintf(text + n, sizeof(text) - n,
            "pswpin %d\nallocstall_dma %d\nallocstall_normal %d\npgmajfault %d\n%s", value, value,
            value, value, more);
    for (int i = 0; i < 400; i++)
        n += (size_t) snprintf(text + n, sizeof(text) - n, "nr_rest 1\n");
    rig_write(rig, "proc/vmstat", text, n);
}

static void check_vmstat(struct rig *rig, int value, cell oom_kill) {
    rig_collect(rig);
    ck_assert_msg(rig->outcome.state == OUTCOME_OK, "%s", rig->outcome.reason);
    ck_assert_int_eq(rig_value(rig, "host", "pswpin"), value);
    ck_assert_int_eq(rig_value(rig, "host", "allocstall"), 2 * value);
    ck_assert_int_eq(rig_value(rig, "host", "pgmajfault"), value);
    ck_assert_int_eq(rig_value(rig, "host", "oom_kill"), oom_kill);
}

// Only the beginning is read once it is known to hold what is wanted, and all again when it does
// not.
START_TEST(vmstat_is_read_as_far_as_needed) {
    struct rig rig;
    rig_start_empty(&rig, &memory_collector);
    rig_write(&rig, "proc/meminfo", "MemTotal: 8 kB\n", strlen("MemTotal: 8 kB\n"));
    write_vmstat(&rig, 1000, 3, "");
    check_vmstat(&rig, 3, CELL_NULL);
    write_vmstat(&rig, 1000, 5, "");
    check_vmstat(&rig, 5, CELL_NULL);
    ck_assert_uint_lt(rig.source.size, 2000);
    for (size_t before = 1000; before < 3000; before += 7) { // cut everywhere
        write_vmstat(&rig, before, 1234567, "");
        check_vmstat(&rig, 1234567, CELL_NULL);
    }
    write_vmstat(&rig, 9000, 8, "oom_kill 2\n");
    check_vmstat(&rig, 8, 2);
    write_vmstat(&rig, 100, 9, "oom_kill 4\n");
    check_vmstat(&rig, 9, 4);
    write_vmstat(&rig, 100, 9, "oom_kill x\n");
    rig_collect(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
    ck_assert_msg(strstr(rig.outcome.reason, "/proc/vmstat:"), "%s", rig.outcome.reason);
    rig_remove(&rig, "proc/vmstat");
    rig_collect(&rig);
    rig_stop(&rig);
}
END_TEST

// --- interfaces in a directory

START_TEST(link_from_net_dev) {
    static const char text[] =
            "Inter-|   Receive                                                |  Transmit\n"
            " face |bytes    packets errs drop fifo frame compressed multicast|"
            "bytes    packets errs drop fifo colls carrier compressed\n"
            "    lo: 100 1 0 0 0 0 0 0 100 1 0 0 0 0 0 0\n"
            "eth0:1:2000 20 2 3 4 5 6 7 3000 30 1 2 3 4 5 6\n"; // an alias, and no blank
    struct rig rig;
    rig_start_empty(&rig, &link_collector);
    rig_write(&rig, "proc/net/dev", text, strlen(text));
    rig_collect(&rig);
    ck_assert_msg(rig.outcome.state == OUTCOME_OK, "%s", rig.outcome.reason);
    ck_assert_uint_eq(rig.rows.n, 2);
    const cell *lo = rows_at(&rig.rows, 0), *eth0 = rows_at(&rig.rows, 1);
    ck_assert_str_eq(rows_text(&rig.rows, eth0[LINK_INTERFACE]), "eth0:1");
    int dropped = table_column(&link_table, "rx_dropped"),
        missed = table_column(&link_table, "rx_missed_errors");
    // drop is the sum of two: known only where it is 0.
    ck_assert(lo[dropped] == 0 && lo[missed] == 0);
    ck_assert(eth0[dropped] == CELL_NULL && eth0[missed] == CELL_NULL);
    ck_assert_int_eq(eth0[table_column(&link_table, "rx_bytes")], 2000);
    ck_assert_int_eq(eth0[table_column(&link_table, "rx_fifo_errors")], 4);
    ck_assert_int_eq(eth0[table_column(&link_table, "multicast")], 7);
    ck_assert_int_eq(eth0[table_column(&link_table, "tx_dropped")], 2);
    ck_assert_int_eq(eth0[table_column(&link_table, "collisions")], 4);
    ck_assert_int_eq(eth0[table_column(&link_table, "tx_compressed")], 6);
    ck_assert_int_eq(lo[table_column(&link_table, "rx_crc_errors")], 0);
    ck_assert(eth0[table_column(&link_table, "rx_crc_errors")] == CELL_NULL);
    ck_assert(eth0[LINK_MTU] == CELL_NULL);
    rig_stop(&rig);
}
END_TEST

START_TEST(link_kinds_in_a_directory) {
    static const struct {
        const char *path, *text, *kind;
    } signs[] = {
        { "uevent", "DEVTYPE=vxlan\nINTERFACE=if0\n", "vxlan" },
        { "bridge/bridge_id", "1\n", "bridge" }, { "device/vendor", "0x8086\n", "" },
        { "type", "772\n", "" }, { "type", "1\n", NULL }, { "uevent", "DEVTYPE=vx", NULL }, // cut
    };
    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        struct rig rig;
        char path[128];
        rig_start_empty(&rig, &link_collector);
        snprintf(path, sizeof(path), "sys/class/net/if0/%s", signs[i].path);
        rig_write(&rig, path, signs[i].text, strlen(signs[i].text));
        rig_write(&rig, "sys/class/net/if0/statistics/rx_dropped", "12\n", 3);
        rig_write(&rig, "sys/class/net/if0/statistics/rx_missed_errors", "12", 2); // cut
        rig_collect(&rig);
        ck_assert_uint_eq(rig.rows.n, 1);
        const cell *row = rows_at(&rig.rows, 0);
        ck_assert_int_eq(row[LINK_KIND] == CELL_NULL, !signs[i].kind);
        ck_assert_str_eq(rows_text(&rig.rows, row[LINK_KIND]), signs[i].kind ? signs[i].kind : "");
        ck_assert_int_eq(row[table_column(&link_table, "rx_dropped")], 12);
        ck_assert(row[table_column(&link_table, "rx_missed_errors")] == CELL_NULL);
        ck_assert_int_eq(rig.outcome.state, OUTCOME_FAILED);
        ck_assert_ptr_nonnull(strstr(rig.outcome.reason, "rx_missed_errors:1"));
        rig_stop(&rig);
    }
}
END_TEST

// --- which devices

START_TEST(disks_that_matter) {
    static const char text[] =
            "   8 0 sda 1 0 0 0 0 0 0 0 0 0 0\n   8 1 sda1 1 0 0 0 0 0 0 0 0 0 0\n"
            "   8 2 sda2 1 0 0 0 0 0 0 0 0 0 0\n"
            " 259 0 nvme0n1 1 0 0 0 0 0 0 0 0 0 0\n 259 1 nvme0n1p1 1 0 0 0 0 0 0 0 0 0 0\n"
            "   7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n 104 0 cciss/c0d0 1 0 0 0 0 0 0 0 0 0 0\n"
            "   8 3 sda2 9 9 9 9 9 9 9 9 9 9 9\n"; // the name again: not believed
    static const char mounts[] = "1 0 8:2 / / rw - ext4 /dev/sda2 rw\n";
    for (int with_sysfs = 0; with_sysfs < 2; with_sysfs++) {
        struct rig rig;
        rig_start_empty(&rig, &disk_collector);
        rig_write(&rig, "proc/diskstats", text, strlen(text));
        rig_write(&rig, "proc/self/mountinfo", mounts, strlen(mounts));
        for (int i = 0; with_sysfs && i < 3; i++) {
            static const char *const paths[] = { "sys/block/sda/size", "sys/block/nvme0n1/size",
                "sys/block/cciss!c0d0/size" };
            rig_write(&rig, paths[i], "1\n", 2);
        }
        rig_collect(&rig);
        _cleanup_free_ char *dump = rig_dump(&rig);
        ck_assert_uint_eq(rig.rows.n, 4);
        ck_assert_ptr_nonnull(strstr(dump, "device=sda "));
        ck_assert_ptr_nonnull(strstr(dump, "device=sda2 reads_completed=1 "));
        ck_assert_ptr_nonnull(strstr(dump, "device=nvme0n1 "));
        ck_assert_ptr_nonnull(strstr(dump, "device=cciss/c0d0 "));
        rig_stop(&rig);
    }
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
    tcase_add_test(tcase, vmstat_is_read_as_far_as_needed);
    tcase_add_test(tcase, link_from_net_dev);
    tcase_add_test(tcase, link_kinds_in_a_directory);
    tcase_add_test(tcase, disks_that_matter);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
