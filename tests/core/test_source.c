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

int main(void) {
    TCase *cases = tcase_create("source");
    tcase_add_checked_fixture(cases, set_up, tear_down);
    tcase_add_test(cases, reads_again_from_the_start);
    tcase_add_test(cases, says_what_is_missing);
    tcase_add_test(cases, stays_below_its_root);
    tcase_add_test(cases, does_not_wait_for_a_fifo);
    if (access("/proc/kallsyms", R_OK) == 0)
        tcase_add_test(cases, reads_proc_files_to_their_end);
    Suite *suite = suite_create("source");
    suite_add_tcase(suite, cases);
    return suite_main(suite);
}
