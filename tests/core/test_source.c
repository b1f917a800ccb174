// SPDX-License-Identifier: GPL-2.0-or-later
// Source directory
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/source.h"
#include "tests/suite.h"

static char folder[64];
static struct source source;

static void write_file(const char *path, const char *text) {
    char full[160];
    snprintf(full, sizeof(full), "%s/%s", folder, path);
    FILE *file = fopen(full, "we");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static void set_up(void) {
    strcpy(folder, "/tmp/udpdiag-source-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    ck_assert_int_eq(source_init(&source, folder), 0);
}

static void tear_down(void) {
    source_done(&source);
    char command[96];
    snprintf(command, sizeof(command), "rm -rf '%s'", folder);
    ck_assert_int_eq(system(command), 0);
}

START_TEST(reads_again_from_the_start) {
    struct source_file file = SOURCE_FILE_CLOSED;
    write_file("a", "one\n");
    ck_assert_int_eq(source_read(&source, &file, "a"), 0);
    ck_assert_str_eq(source.buffer, "one\n");
    write_file("a", "two two\n");
    ck_assert_int_eq(source_read(&source, &file, "a"), 0);
    ck_assert_str_eq(source.buffer, "two two\n");
    ck_assert_uint_eq(source.size, 8);
    source_file_close(&file);
}
END_TEST

START_TEST(says_what_is_missing) {
    struct source_file file = SOURCE_FILE_CLOSED;
    ck_assert_int_eq(source_read(&source, &file, "proc/net/snmp"), -ENOENT);
    ck_assert_int_eq(file.fd, -1);
    ck_assert_int_eq(source_init(&(struct source){ 0 }, "/nonexistent/folder"), -ENOENT);
}
END_TEST

START_TEST(stays_below_its_root) {
    char link[160];
    snprintf(link, sizeof(link), "%s/out", folder);
    ck_assert_int_eq(symlink("/etc/hostname", link), 0);
    struct source_file file = SOURCE_FILE_CLOSED;
    ck_assert_int_eq(source_read(&source, &file, "out"), -ENOENT);
    ck_assert_int_eq(source_read(&source, &file, "../../etc/passwd"), -ENOENT);
}
END_TEST

START_TEST(does_not_wait_for_a_fifo) {
    char fifo[160];
    snprintf(fifo, sizeof(fifo), "%s/fifo", folder);
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    struct source_file file = SOURCE_FILE_CLOSED;
    ck_assert_int_lt(source_read(&source, &file, "fifo"), 0);
}
END_TEST

START_TEST(reads_proc_files_to_their_end) {
    struct source host;
    struct source_file file = SOURCE_FILE_CLOSED;
    ck_assert_int_eq(source_init(&host, "/"), 0);
    ck_assert_int_eq(source_read(&host, &file, "proc/kallsyms"), 0);
    ck_assert_uint_gt(host.size, 100000); // far more than one read returns
    ck_assert_int_eq(host.buffer[host.size - 1], '\n');
    source_file_close(&file);
    source_done(&host);
}
END_TEST

// What its records are is known: the end is found without a read that returns nothing, and yet all
// of the file is read, wherever a read ends and however full the buffer is.
START_TEST(knows_the_end_of_records) {
    struct source host;
    struct source_file file = SOURCE_FILE_CLOSED;
    ck_assert_int_eq(source_init(&host, "/"), 0);
    ck_assert_int_eq(source_read(&host, &file, "proc/kallsyms"), 0);
    size_t size = host.size;
    for (size_t record_bytes = 256; record_bytes <= 4096; record_bytes *= 2) {
        ck_assert_int_eq(source_read_records(&host, &file, "proc/kallsyms", record_bytes), 0);
        ck_assert_uint_eq(host.size, size);
    }
    source_file_close(&file);
    source_done(&host);
    // With a buffer of its first size a read of such a list ends near the end of the buffer.
    ck_assert_int_eq(source_init(&host, "/"), 0);
    ck_assert_int_eq(source_read_records(&host, &file, "proc/kallsyms", 256), 0);
    ck_assert_uint_eq(host.size, size);
    source_file_close(&file);
    source_done(&host);
}
END_TEST

START_TEST(reads_one_record_whole) {
    static const size_t sizes[] = { 0, 1, 4095, 4096, 4097, 65534, 65535, 65536, 200000 };
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        struct source_file file = SOURCE_FILE_CLOSED;
        char *text = calloc(1, sizes[i] + 1);
        ck_assert_ptr_nonnull(text);
        for (size_t at = 0; at < sizes[i]; at++)
            text[at] = (char) ('a' + at % 23);
        write_file("record", text);
        ck_assert_int_eq(source_read_records(&source, &file, "record", SOURCE_ONE_RECORD), 0);
        ck_assert_uint_eq(source.size, sizes[i]);
        ck_assert_str_eq(source.buffer, text);
        free(text);
        source_file_close(&file);
    }
}
END_TEST

START_TEST(reads_lines_from_the_start) {
    struct source_file file = SOURCE_FILE_CLOSED;
    write_file("a", "one 1\ntwo 2\nthree 3\n");
    for (size_t bytes = 0; bytes < 30; bytes++) {
        size_t whole = bytes < 6 ? 0 : bytes < 12 ? 6 : bytes < 20 ? 12 : 20;
        ck_assert_int_eq(source_read_lines(&source, &file, "a", bytes), 0);
        ck_assert_uint_eq(source.size, whole);
        ck_assert_uint_eq(strlen(source.buffer), whole);
    }
    ck_assert_int_eq(source_read_lines(&source, &file, "a", SIZE_MAX), 0);
    ck_assert_uint_eq(source.size, 20);
    source_file_close(&file);
    ck_assert_int_eq(source_read_lines(&source, &file, "b", 100), -ENOENT);
}
END_TEST

int main(void) {
    TCase *cases = tcase_create("source");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, reads_again_from_the_start);
    tcase_add_test(cases, says_what_is_missing);
    tcase_add_test(cases, stays_below_its_root);
    tcase_add_test(cases, does_not_wait_for_a_fifo);
    if (access("/proc/kallsyms", R_OK) == 0)
        tcase_add_test(cases, reads_proc_files_to_their_end);
    if (access("/proc/kallsyms", R_OK) == 0)
        tcase_add_test(cases, knows_the_end_of_records);
    tcase_add_test(cases, reads_one_record_whole);
    tcase_add_test(cases, reads_lines_from_the_start);
    Suite *suite = suite_create("source");
    suite_add_tcase(suite, cases);
    return suite_main(suite);
}
