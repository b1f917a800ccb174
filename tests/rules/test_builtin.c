// SPDX-License-Identifier: GPL-2.0-or-later
// Embedded rules
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "core/cleanup.h"
#include "rules/rule.h"
#include "tests/suite.h"

static char *read_rule(const char *name) {
    _cleanup_free_ char *path = NULL;
    char *text = NULL;
    size_t size = 0;
    ck_assert(asprintf(&path, "%s/%s.sql", RULES_FOLDER, name) > 0);
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    ck_assert_ptr_nonnull(file);
    ck_assert(getdelim(&text, &size, '\0', file) > 0);
    return text;
}

START_TEST(is_every_file_byte_by_byte) {
    int files = 0;
    DIR *folder = opendir(RULES_FOLDER);
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t n = strlen(entry->d_name);
        files += n > 4 && strcmp(entry->d_name + n - 4, ".sql") == 0;
    }
    closedir(folder);
    ck_assert_uint_eq(n_rules_builtin, files);
    for (size_t i = 0; i < n_rules_builtin; i++) {
        _cleanup_free_ char *text = read_rule(rules_builtin[i].name);
        ck_assert_str_eq(rules_builtin[i].text, text);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("builtin");
    TCase *tcase = tcase_create("builtin");
    tcase_add_test(tcase, is_every_file_byte_by_byte);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
