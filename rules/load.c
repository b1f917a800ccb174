// SPDX-License-Identifier: GPL-2.0-or-later
// Rule files on disk
#include "rules/load.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "core/text.h"
#include "core/window.h"
#include "rules/problem.h"
#include "rules/rule.h"

static const char suffix[] = ".sql";

// The rule's name, of a path that ends in NAME.sql. malloc()ed; NULL: it is none, or out of memory.
static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-");
    return n > 0 && strcmp(name + n, suffix) == 0 ? strndup(name, n) : NULL;
}

// Up to RULE_MAX_BYTES + 1 bytes, with a NUL behind them. The number, or -errno.
static ssize_t read_all(int fd, char *buffer) {
    size_t n = 0;
    for (;;) {
        ssize_t r = read(fd, buffer + n, RULE_MAX_BYTES + 1 - n);
        if (r < 0 && errno == EINTR)
            continue;
        if (r < 0)
            return -errno;
        n += (size_t) r;
        if (r == 0 || n > RULE_MAX_BYTES) {
            buffer[n] = '\0';
            return (ssize_t) n;
        }
    }
}

// Whether it is the text of a rule: problems are printed.
static bool check_text(const char *text, size_t n, struct problems *problems) {
    if (n > RULE_MAX_BYTES) {
        problem(problems, 0, "larger than %zu KiB", RULE_MAX_BYTES >> 10);
        return false;
    }
    if (n == 0) {
        problem(problems, 0, "empty (a link to /dev/null masks a rule)");
        return false;
    }
    int line = 1;
    for (const char *p = text, *end = text + n; p < end; line++) {
        const char *newline = memchr(p, '\n', (size_t) (end - p));
        size_t length = (size_t) ((newline ? newline : end) - p);
        if (memchr(p, '\0', length)) {
            problem(problems, line, "a NUL byte");
            return false;
        }
        _cleanup_free_ char *copy = strndup(p, length);
        if (!copy || !text_is_utf8(copy, length)) {
            problem(problems, line, "not valid UTF-8");
            return false;
        }
        p += length + 1;
    }
    return true;
}

static int read_file(const char *path, struct problems *problems, char **ret) {
    struct stat status;
    _cleanup_close_ int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0 || fstat(fd, &status) < 0)
        return -errno;
    if (!S_ISREG(status.st_mode)) {
        problem(problems, 0, "not a regular file");
        return 1;
    }
    _cleanup_free_ char *text = malloc(RULE_MAX_BYTES + 2);
    if (!text)
        return -ENOMEM;
    ssize_t n = read_all(fd, text);
    if (n < 0)
        return (int) n;
    if (!check_text(text, (size_t) n, problems))
        return 1;
    *ret = strdup(text);
    return *ret ? 0 : -ENOMEM;
}

// Devices are not opened: that alone can have an effect.
static bool is_device(const char *path, bool *ret_null) {
    struct stat status;
    if (stat(path, &status) < 0 || (!S_ISCHR(status.st_mode) && !S_ISBLK(status.st_mode)))
        return false;
    *ret_null = S_ISCHR(status.st_mode) && status.st_rdev == makedev(1, 3);
    return true;
}

int load_file(const char *path, FILE *out, load_use *use, void *data) {
    struct problems problems = { out, path, 0 };
    _cleanup_free_ char *text = NULL, *id = name_of(path);
    bool null = false;
    if (!id) {
        problem(&problems, 0,
                "not the name of a rule: lower-case letters, digits and '-', then .sql");
        return 1;
    }
    if (is_device(path, &null)) {
        if (null)
            return use(id, path, NULL, data);
        problem(&problems, 0, "not a regular file");
        return 1;
    }
    int r = read_file(path, &problems, &text);
    return r ? r : use(id, path, text, data);
}

static int is_rule_file(const struct dirent *entry) {
    size_t n = strlen(entry->d_name), end = sizeof(suffix) - 1;
    return entry->d_name[0] != '.' && n > end && strcmp(entry->d_name + n - end, suffix) == 0;
}

static int load_entry(const char *folder, const char *name, FILE *out, load_use *use, void *data) {
    _cleanup_free_ char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        path = NULL;
        return -ENOMEM;
    }
    int r = load_file(path, out, use, data);
    if (r < 0 && r != -ENOMEM) {
        struct problems problems = { out, path, 0 };
        problem(&problems, 0, "%s", strerror(-r));
        return 0;
    }
    return r < 0 ? r : 0;
}

int load_folder(const char *path, FILE *out, load_use *use, void *data) {
    struct dirent **entries;
    int n = scandir(path, &entries, is_rule_file, alphasort), r = 0;
    if (n < 0 && errno != ENOENT) {
        struct problems problems = { out, path, 0 };
        problem(&problems, 0, "%s", strerror(errno));
    }
    for (int i = 0; i < n; i++) {
        if (r == 0)
            r = load_entry(path, entries[i]->d_name, out, use, data);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return r;
}

// An unknown name in double quotes would be taken for a text; here it is a mistake.
static void refuse_quoted_texts(sqlite3 *db) {
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, (int *) NULL);
}

int load_empty_window(const struct table *const *tables, size_t n_tables, struct store **ret) {
    _cleanup_free_ char *error = NULL;
    struct store *store = NULL;
    struct window window;
    int r = store_open(NULL, STORE_MEMORY, tables, n_tables, &store, &error);
    if (r < 0)
        return r;
    struct step *step = step_new(tables, n_tables);
    if (step) {
        step->end_ms = step->length_ms = 1000;
        r = store_write_step(store, step);
        step_free(step);
    } else
        r = -ENOMEM;
    if (r == 0)
        r = window_open(store, WINDOW_LIVE, 0, 2000, &window);
    if (r != 0) {
        store_close(store);
        return r < 0 ? r : -EIO;
    }
    refuse_quoted_texts(store_db(store));
    *ret = store;
    return 0;
}
