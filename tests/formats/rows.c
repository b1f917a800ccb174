// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of pasted outputs
//
// Each fixtures/FORMAT/NAME.txt is read as `why` reads it, and what was made of it is compared with
// NAME.rows beside it. With --rewrite the .rows are written instead, to be looked at as a diff.
//     rows [--rewrite] FOLDER...
#include <dirent.h>
#include <errno.h>
#include <string.h>

#include "collectors/collector.h"
#include "core/cleanup.h"
#include "formats/input.h"
#include "formats/intake_private.h"
#include "formats/reading.h"
#include "tests/formats/dump.h"

#define PATH_SIZE 512

static char *read_text(const char *path, size_t *ret_length) {
    _cleanup_fclose_ FILE *file = fopen(path, "re");
    char *text = NULL;
    FILE *out = file ? open_memstream(&text, ret_length) : NULL;
    char buffer[4096];
    size_t n;
    *ret_length = 0;
    while (out && (n = fread(buffer, 1, sizeof(buffer), file)) > 0)
        fwrite(buffer, 1, n, out);
    if (out)
        fclose(out);
    return text;
}

// As `why` does before it takes the lines apart.
static char *decoded(char *text, size_t *length) {
    enum input_kind kind;
    if (input_decode(&text, length, &kind) < 0)
        abort();
    return text;
}

// What is made of a text; malloc()ed.
static char *rows_of(const char *name, const char *text, size_t length) {
    char *made = NULL;
    size_t size = 0;
    struct lines lines;
    FILE *out = open_memstream(&made, &size);
    struct intake *intake = intake_new(collector_tables(), n_collectors);
    if (!out || !intake || lines_init(&lines, name, text, length) < 0)
        abort();
    int r = recognise(intake, &lines);
    if (r < 0)
        fprintf(out, "error %s\n", strerror(-r));
    dump_intake(out, intake);
    intake_free(intake);
    lines_done(&lines);
    fclose(out);
    return made;
}

static bool write_text(const char *path, const char *text) {
    FILE *file = fopen(path, "we");
    return file && fputs(text, file) >= 0 && fclose(file) == 0;
}

static bool check_one(const char *folder, const char *file, bool rewrite) {
    char path[PATH_SIZE];
    size_t length, expected_length;
    snprintf(path, sizeof(path), "%s/%s", folder, file);
    char *bytes = read_text(path, &length);
    _cleanup_free_ char *text = bytes ? decoded(bytes, &length) : NULL;
    _cleanup_free_ char *made = text ? rows_of(file, text, length) : NULL;
    snprintf(path, sizeof(path), "%s/%.*s.rows", folder, (int) strlen(file) - 4, file);
    if (made && rewrite)
        return write_text(path, made);
    _cleanup_free_ char *expected = read_text(path, &expected_length);
    if (!made || !expected || strcmp(made, expected) != 0) {
        printf("# %s: made\n%s", path, made ? made : "nothing\n");
        return false;
    }
    return true;
}

static int is_text(const struct dirent *entry) {
    size_t n = strlen(entry->d_name);
    return n > 4 && strcmp(entry->d_name + n - 4, ".txt") == 0;
}

static void check_folder(const char *folder, bool rewrite, size_t *n, size_t *n_bad) {
    struct dirent **entries;
    int found = scandir(folder, &entries, is_text, alphasort);
    for (int i = 0; i < found; i++) {
        bool good = check_one(folder, entries[i]->d_name, rewrite);
        *n_bad += !good;
        printf("%sok %zu - %s %s\n", good ? "" : "not ", ++*n, strrchr(folder, '/') + 1,
                entries[i]->d_name);
        free(entries[i]);
    }
    if (found >= 0)
        free(entries);
}

int main(int argc, char **argv) {
    size_t n = 0, n_bad = 0;
    bool rewrite = argc > 1 && strcmp(argv[1], "--rewrite") == 0;
    for (int i = 1 + rewrite; i < argc; i++)
        check_folder(argv[i], rewrite, &n, &n_bad);
    printf("1..%zu\n", n);
    return n_bad > 0 || n == 0;
}
