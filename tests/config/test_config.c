// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration
#include <errno.h>
#include <stdbool.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/config.h"
#include "core/nearest.h"
#include "tests/suite.h"

static char root[64];
static struct config_set *set;
static char *problems;

static void set_up(void) {
    strcpy(root, "/tmp/udpdiag-config-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(root));
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
    return remove(path);
}

static void tear_down(void) {
    set = config_free(set);
    free(problems);
    problems = NULL;
    nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

static char *path_of(const char *name) {
    static char path[256];
    snprintf(path, sizeof(path), "%s/%s", root, name);
    return path;
}

static void make_folders(char *path) {
    for (char *slash = path + strlen(root) + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path, 0755);
        *slash = '/';
    }
}

static void write_file(const char *name, const char *text) {
    char *path = path_of(name);
    make_folders(path);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    fclose(file);
}

static int load(const char *path) {
    size_t size;
    FILE *out = open_memstream(&problems, &size);
    int r = config_load(path, root, out, &set);
    fclose(out);
    return r;
}

static const struct config *loaded(void) {
    ck_assert_int_eq(load(NULL), 0);
    return config_values(set);
}

static size_t key_index(const char *name) {
    for (size_t i = 0; i < n_config_keys; i++)
        if (strcmp(config_keys[i].key, name) == 0)
            return i;
    ck_abort_msg("no key %s", name);
}

// What the problems say, with the folder of this test taken out.
static const char *complaints(void) {
    static char text[4096];
    size_t n = 0;
    for (const char *p = problems; *p && n + 1 < sizeof(text);)
        if (strncmp(p, root, strlen(root)) == 0)
            p += strlen(root);
        else
            text[n++] = *p++;
    text[n] = '\0';
    return text;
}

START_TEST(defaults) {
    const struct config *config = loaded();
    ck_assert_str_eq(problems, "");
    ck_assert_int_eq(config->step_ms, 1000);
    ck_assert_str_eq(config->database, "/var/lib/udpdiag/udpdiag.db");
    ck_assert_int_eq(config->retention.steps_s, 86400);
    ck_assert_int_eq(config->retention.minutes_s, 30 * 86400);
    ck_assert_int_eq(config->retention.hours_s, 365 * 86400);
    ck_assert_int_eq(config->retention.max_bytes, INT64_C(256) << 20);
    ck_assert_int_eq(config->disk_warning_percent, 80);
    ck_assert_int_eq(config->disk_critical_percent, 90);
    ck_assert_double_eq_tol(config->alert_floor_ratio, 0.0001, 1e-12);
    for (size_t i = 0; i < n_config_keys; i++)
        ck_assert_ptr_null(config_origin(set, i)->file);
}
END_TEST

// Each default is valid, is within its limits, and stands in the printed file.
START_TEST(default_file) {
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    config_put_defaults(out);
    fclose(out);
    for (size_t i = 0; i < n_config_keys; i++) {
        char line[256];
        struct config values;
        ck_assert_int_eq(config_key_parse(&config_keys[i], config_keys[i].fallback, &values), 0);
        snprintf(line, sizeof(line), "\n#%s =%s%s\n", config_keys[i].key,
                *config_keys[i].fallback ? " " : "", config_keys[i].fallback);
        ck_assert_msg(strstr(text, line), "no line%s", line);
    }
    // With every # before a key removed it is read without a word.
    for (char *p = text; (p = strstr(p, "\n#")); p++)
        if (p[2] != ' ')
            p[1] = ' ';
    write_file("etc/udpdiag/udpdiag.conf", text);
    free(text);
    loaded();
    ck_assert_str_eq(problems, "");
    for (size_t i = 0; i < n_config_keys; i++)
        ck_assert_ptr_nonnull(config_origin(set, i)->file);
}
END_TEST

START_TEST(values) {
    write_file("etc/udpdiag/udpdiag.conf", "; a comment\n"
                                           "# another\n"
                                           "[collect]\n"
                                           "step = 500ms ; twice a second\n"
                                           "[store]\n"
                                           "\tdatabase = /srv/history.db\n"
                                           "   keep-steps = 2 days\n"
                                           "max-size: 1 GiB\n"
                                           "[alert]\r\n"
                                           "floor-ratio = 0.002\r\n"
                                           "disk-warning = 75\n"
                                           "disk-critical = 95 %");
    const struct config *config = loaded();
    ck_assert_str_eq(problems, "");
    ck_assert_int_eq(config->step_ms, 500);
    ck_assert_str_eq(config->database, "/srv/history.db");
    ck_assert_int_eq(config->retention.steps_s, 2 * 86400);
    ck_assert_int_eq(config->retention.max_bytes, INT64_C(1) << 30);
    ck_assert_double_eq_tol(config->alert_floor_ratio, 0.002, 1e-12);
    ck_assert_int_eq(config->disk_warning_percent, 75);
    ck_assert_int_eq(config->disk_critical_percent, 95);
    const struct config_origin *origin = config_origin(set, key_index("max-size"));
    ck_assert_str_eq(origin->file, path_of("etc/udpdiag/udpdiag.conf"));
    ck_assert_int_eq(origin->line, 8);
    ck_assert_str_eq(config_text(set, key_index("keep-steps")), "2 days");
}
END_TEST

START_TEST(problems_are_placed) {
    static const struct {
        const char *line, *complaint;
    } cases[] = {
        { "[collect]\nstpe = 2s\n", "2: unknown key stpe, did you mean step?\n" },
        { "[collect]\nvoltage = 2\n", "2: unknown key voltage\n" },
        { "[colect]\nstep = 2s\n", "2: unknown section [colect]\n" },
        { "step = 2s\n", "1: a key outside any [section], ignored\n" },
        { "[collect]\nstep = fast\n",
                "2: step = fast is not a time span such as 500ms, 10min or 30d, 1s stays\n" },
        { "[collect]\nstep = 1ms\n", "2: step = 1ms is not between 100ms and 1min, 1s stays\n" },
        { "[collect]\nstep =\n",
                "2: step =  is not a time span such as 500ms, 10min or 30d, 1s stays\n" },
        { "[store]\nmax-size = 12Q\n",
                "2: max-size = 12Q is not a size such as 256M, 256M stays\n" },
        { "[store]\nmax-size = 99999999999999999999\n",
                "2: max-size = 99999999999999999999 is not between 16M and 1T, 256M stays\n" },
        { "[store]\nmax-size = 9999999999T\n",
                "2: max-size = 9999999999T is not between 16M and 1T, 256M stays\n" },
        { "[store]\nkeep-hours = 99999d\n",
                "2: keep-hours = 99999d is not between 1h and 87660h, 365d stays\n" },
        { "[alert]\ndisk-warning = 0%\n",
                "2: disk-warning = 0% is not between 1% and 100%, 80% stays\n" },
        { "[alert]\nconfirm = 0\n", "2: confirm = 0 is not between 1 and 1000, 2 stays\n" },
        { "[mute]\nport = 70000\n",
                "2: port = 70000 is too long, or has a number that is not between 1 and 65535, nothing stays\n" },
        { "[store]\ndatabase = udpdiag.db\n",
                "2: database = udpdiag.db is not an absolute path, /var/lib/udpdiag/udpdiag.db stays\n" },
        { "[alert]\nfloor = -3\n", "2: floor = -3 is not a whole number, 10 stays\n" },
        { "[alert]\nfloor-ratio = 200%\n",
                "2: floor-ratio = 200% is not between 0% and 100%, 0.01% stays\n" },
        { "[alert]\nfloor-ratio = nan\n",
                "2: floor-ratio = nan is not a share such as 0.01%, 0.01% stays\n" },
        { "[alert]\ndisk-warning = 95\n",
                "2: disk-warning is above disk-critical, 80% and 90% stay\n" },
        { "\n[alert]\nnonsense\n", "3: neither [section] nor key = value, ignored\n" },
        { "[alert]\nfl\033[31moor = 3\n", "2: unknown key fl\\x1b[31moor\n" },
    };
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        char wanted[512];
        write_file("etc/udpdiag/udpdiag.conf", cases[i].line);
        const struct config *config = loaded();
        snprintf(wanted, sizeof(wanted), "/etc/udpdiag/udpdiag.conf:%s", cases[i].complaint);
        ck_assert_str_eq(complaints(), wanted);
        ck_assert_int_eq(config->step_ms, 1000);
        ck_assert_int_eq(config->disk_warning_percent, 80);
        ck_assert_int_eq(config->alert_floor, 10);
        set = config_free(set);
        free(problems);
        problems = NULL;
    }
}
END_TEST

// The good lines of a file with bad ones count, and every bad one is told.
START_TEST(goes_on_after_a_problem) {
    write_file("etc/udpdiag/udpdiag.conf",
            "[alert]\nfloor = x\nfoo = 1\nconfirm = 5\n[store]\nkeep-steps = 1s\nkeep-hours = 1y\n");
    const struct config *config = loaded();
    ck_assert_int_eq(config->alert_confirm, 5);
    ck_assert_int_eq(config->retention.hours_s, 31557600);
    ck_assert_int_eq(config->retention.steps_s, 86400);
    ck_assert_ptr_nonnull(strstr(problems, ":2: "));
    ck_assert_ptr_nonnull(strstr(problems, ":3: "));
    ck_assert_ptr_nonnull(strstr(problems, ":6: "));
}
END_TEST

START_TEST(folders_and_dropins) {
    write_file("usr/lib/udpdiag/udpdiag.conf", "[alert]\nfloor = 1\nconfirm = 7\n");
    write_file("run/udpdiag/udpdiag.conf", "[alert]\nfloor = 2\n");
    write_file("usr/lib/udpdiag/udpdiag.conf.d/20-b.conf", "[collect]\nstep = 2s\n");
    write_file("usr/local/lib/udpdiag/udpdiag.conf.d/10-a.conf", "[collect]\nstep = 3s\n");
    write_file("usr/lib/udpdiag/udpdiag.conf.d/30-c.conf", "[alert]\nremind = 5min\n");
    write_file("etc/udpdiag/udpdiag.conf.d/30-c.conf", "[alert]\nremind = 7min\n");
    write_file("etc/udpdiag/udpdiag.conf.d/40-d.conf~", "[alert]\nremind = 8min\n");
    write_file("etc/udpdiag/udpdiag.conf.d/.50.conf", "[alert]\nremind = 9min\n");
    write_file("usr/lib/udpdiag/udpdiag.conf.d/60.conf", "[alert]\nclear = 5min\n");
    ck_assert_int_eq(symlink("/dev/null", path_of("etc/udpdiag/udpdiag.conf.d/60.conf")), 0);
    const struct config *config = loaded();
    ck_assert_str_eq(problems, "");
    ck_assert_int_eq(config->alert_floor, 2);   // the first main file found, alone
    ck_assert_int_eq(config->alert_confirm, 2); // so the other one does not count
    ck_assert_int_eq(config->step_ms, 2000);    // by name across folders, the last wins
    ck_assert_int_eq(config->alert_remind_ms, 420000);
    ck_assert_int_eq(config->alert_clear_ms, 60000); // masked
    ck_assert_str_eq(config_origin(set, key_index("remind"))->file,
            path_of("etc/udpdiag/udpdiag.conf.d/30-c.conf"));
}
END_TEST

START_TEST(one_file) {
    write_file("etc/udpdiag/udpdiag.conf", "[alert]\nfloor = 1\n");
    write_file("etc/udpdiag/udpdiag.conf.d/x.conf", "[alert]\nconfirm = 9\n");
    write_file("mine.conf", "[alert]\nclear = 2min\n");
    ck_assert_int_eq(load(path_of("mine.conf")), 0);
    ck_assert_int_eq(config_values(set)->alert_floor, 10);
    ck_assert_int_eq(config_values(set)->alert_confirm, 2);
    ck_assert_int_eq(config_values(set)->alert_clear_ms, 120000);
    set = config_free(set);
    free(problems);
    ck_assert_int_eq(load(path_of("absent.conf")), -ENOENT);
    ck_assert_ptr_null(set);
}
END_TEST

// Neither a line that is too long nor a file that is not text takes the reader off its feet.
START_TEST(strange_files) {
    char text[3000] = "[alert]\n# ";
    memset(text + 10, 'x', 1000);
    strcpy(text + 1010, " floor = 4\nconfirm = 4\nfloor = ");
    size_t n = strlen(text);
    memset(text + n, '1', 1000);
    strcpy(text + n + 1000, "\nclear = 4min\n");
    write_file("etc/udpdiag/udpdiag.conf", text);
    const struct config *config = loaded();
    ck_assert_int_eq(config->alert_floor, 10);
    ck_assert_int_eq(config->alert_confirm, 4);
    ck_assert_int_eq(config->alert_clear_ms, 240000);
    ck_assert_ptr_nonnull(strstr(problems, ":2: line longer than"));
    ck_assert_ptr_nonnull(strstr(problems, ":4: line longer than"));
    set = config_free(set);
    free(problems);
    problems = NULL;

    char binary[2048];
    for (size_t i = 0; i < sizeof(binary); i++)
        binary[i] = (char) (i * 7 + i / 251);
    FILE *file = fopen(path_of("etc/udpdiag/udpdiag.conf"), "w");
    ck_assert_uint_eq(fwrite(binary, 1, sizeof(binary), file), sizeof(binary));
    fclose(file);
    ck_assert_int_eq(loaded()->alert_floor, 10);
    for (const char *p = problems; *p; p++)
        ck_assert_msg((unsigned char) *p >= ' ' || *p == '\n', "control character printed");
}
END_TEST

START_TEST(folder_in_place_of_a_file) {
    write_file("etc/udpdiag/udpdiag.conf/x", "");
    ck_assert_int_eq(loaded()->alert_floor, 10);
    ck_assert_ptr_nonnull(strstr(problems, "/etc/udpdiag/udpdiag.conf: "));
}
END_TEST

START_TEST(distances) {
    ck_assert_uint_eq(edit_distance("why", "why"), 0);
    ck_assert_uint_eq(edit_distance("", "why"), 3);
    ck_assert_uint_eq(edit_distance("hwy", "why"), 1);
    ck_assert_uint_eq(edit_distance("statsu", "status"), 1);
    ck_assert_uint_eq(edit_distance("status", "stat"), 2);
    ck_assert_uint_eq(edit_distance("kitten", "sitting"), 3);
    struct nearest nearest;
    nearest_init(&nearest, "confg");
    nearest_try(&nearest, "why");
    nearest_try(&nearest, "config");
    ck_assert_str_eq(nearest.best, "config");
    nearest_init(&nearest, "frobnicate");
    nearest_try(&nearest, "why");
    ck_assert_ptr_null(nearest.best);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("config");
    TCase *plain = tcase_create("config");
    tcase_add_checked_fixture(plain, set_up, tear_down);
    tcase_add_test(plain, defaults);
    tcase_add_test(plain, default_file);
    tcase_add_test(plain, values);
    tcase_add_test(plain, problems_are_placed);
    tcase_add_test(plain, goes_on_after_a_problem);
    tcase_add_test(plain, folders_and_dropins);
    tcase_add_test(plain, one_file);
    tcase_add_test(plain, strange_files);
    tcase_add_test(plain, folder_in_place_of_a_file);
    tcase_add_test(plain, distances);
    suite_add_tcase(suite, plain);
    return suite_main(suite);
}
