// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration
#include "core/config_set.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/text.h"

static const char *const folders[] = {
    "/etc/udpdiag",
    "/run/udpdiag",
    "/usr/local/lib/udpdiag",
    "/usr/lib/udpdiag",
};
#define N_FOLDERS (sizeof(folders) / sizeof(folders[0]))

// A file that is absent is fine here, one that cannot be read is reported. 1: absent.
static int read_found_file(struct config_set *set, const char *path, FILE *problems) {
    int r = config_set_read(set, path, problems);
    if (r == -ENOENT || r == -ENOTDIR)
        return 1;
    if (r == 0 || r == -ENOMEM)
        return r;
    text_put(problems, path);
    fprintf(problems, ": %s\n", strerror(-r));
    return 0;
}

struct dropin {
    char *name, *path;
};

struct dropins {
    struct dropin *list;
    size_t n;
};

static void dropins_done(struct dropins *dropins) {
    for (size_t i = 0; i < dropins->n; i++) {
        free(dropins->list[i].name);
        free(dropins->list[i].path);
    }
    free(dropins->list);
}

static bool is_hidden(const struct dropins *dropins, const char *name) {
    for (size_t i = 0; i < dropins->n; i++)
        if (strcmp(dropins->list[i].name, name) == 0)
            return true;
    return false;
}

static int add_dropin(struct dropins *dropins, const char *folder, const char *name) {
    struct dropin *list = reallocarray(dropins->list, dropins->n + 1, sizeof(*list));
    if (!list)
        return -ENOMEM;
    dropins->list = list;
    struct dropin dropin = { .name = strdup(name) };
    if (!dropin.name || asprintf(&dropin.path, "%s/%s", folder, name) < 0) {
        free(dropin.name);
        return -ENOMEM;
    }
    list[dropins->n++] = dropin;
    return 0;
}

static void close_folder(DIR **folder) {
    if (*folder)
        closedir(*folder);
}

static int list_folder(struct dropins *dropins, const char *path, FILE *problems) {
    _cleanup_(close_folder) DIR *folder = opendir(path);
    if (!folder) {
        if (errno != ENOENT && errno != ENOTDIR)
            fprintf(problems, "%s: %s\n", path, strerror(errno));
        return 0;
    }
    for (struct dirent *entry; (entry = readdir(folder));) {
        size_t n = strlen(entry->d_name);
        if (entry->d_name[0] == '.' || n < 6 || strcmp(entry->d_name + n - 5, ".conf") != 0 ||
                is_hidden(dropins, entry->d_name))
            continue;
        int r = add_dropin(dropins, path, entry->d_name);
        if (r < 0)
            return r;
    }
    return 0;
}

static int by_name(const void *a, const void *b) {
    return strcmp(((const struct dropin *) a)->name, ((const struct dropin *) b)->name);
}

static int read_dropins(struct config_set *set, const char *root, FILE *problems) {
    _cleanup_(dropins_done) struct dropins dropins = { 0 };
    for (size_t i = 0; i < N_FOLDERS; i++) {
        _cleanup_free_ char *path = NULL;
        if (asprintf(&path, "%s%s/udpdiag.conf.d", root, folders[i]) < 0)
            return -ENOMEM;
        int r = list_folder(&dropins, path, problems);
        if (r < 0)
            return r;
    }
    if (dropins.n > 0)
        qsort(dropins.list, dropins.n, sizeof(dropins.list[0]), by_name);
    for (size_t i = 0; i < dropins.n; i++) {
        int r = read_found_file(set, dropins.list[i].path, problems);
        if (r < 0)
            return r;
    }
    return 0;
}

static int read_folders(struct config_set *set, const char *root, FILE *problems) {
    int r = 1;
    for (size_t i = 0; i < N_FOLDERS && r == 1; i++) {
        _cleanup_free_ char *path = NULL;
        if (asprintf(&path, "%s%s/udpdiag.conf", root, folders[i]) < 0)
            return -ENOMEM;
        r = read_found_file(set, path, problems);
    }
    return r < 0 ? r : read_dropins(set, root, problems);
}

static int set_defaults(struct config_set *set) {
    for (size_t i = 0; i < n_config_keys; i++) {
        set->text[i] = strdup(config_keys[i].fallback);
        if (!set->text[i])
            return -ENOMEM;
        config_key_parse(&config_keys[i], config_keys[i].fallback, &set->values);
    }
    return 0;
}

static size_t key_of(size_t offset) {
    size_t i = 0;
    while (config_keys[i].offset != offset)
        i++;
    return i;
}

static int set_default(struct config_set *set, size_t i) {
    char *text = strdup(config_keys[i].fallback);
    if (!text)
        return -ENOMEM;
    free(set->text[i]);
    free(set->origin[i].file);
    set->text[i] = text;
    set->origin[i] = (struct config_origin){ 0 };
    return config_key_parse(&config_keys[i], text, &set->values);
}

// A warning that comes after the critical alert makes no sense; which of the two is meant cannot be
// known.
static int check_levels(struct config_set *set, FILE *problems) {
    if (set->values.disk_warning_percent <= set->values.disk_critical_percent)
        return 0;
    size_t warning = key_of(offsetof(struct config, disk_warning_percent));
    size_t critical = key_of(offsetof(struct config, disk_critical_percent));
    size_t set_by = set->origin[warning].file ? warning : critical;
    text_put(problems, set->origin[set_by].file);
    fprintf(problems, ":%d: disk-warning is above disk-critical, %s and %s stay\n",
            set->origin[set_by].line, config_keys[warning].fallback,
            config_keys[critical].fallback);
    int r = set_default(set, warning);
    return r < 0 ? r : set_default(set, critical);
}

static struct config_set *config_new(void) {
    struct config_set *set = calloc(1, sizeof(*set));
    if (!set)
        return NULL;
    set->text = calloc(n_config_keys, sizeof(*set->text));
    set->origin = calloc(n_config_keys, sizeof(*set->origin));
    if (!set->text || !set->origin || set_defaults(set) < 0)
        return config_free(set);
    return set;
}

struct config_set *config_free(struct config_set *set) {
    if (!set)
        return NULL;
    for (size_t i = 0; i < n_config_keys; i++) {
        if (set->text)
            free(set->text[i]);
        if (set->origin)
            free(set->origin[i].file);
    }
    free(set->text);
    free(set->origin);
    free(set);
    return NULL;
}

int config_load(const char *path, const char *root, FILE *problems, struct config_set **ret) {
    struct config_set *set = config_new();
    if (!set)
        return -ENOMEM;
    int r = path ? config_set_read(set, path, problems) : read_folders(set, root, problems);
    if (r == 0)
        r = check_levels(set, problems);
    if (r < 0) {
        config_free(set);
        return r;
    }
    *ret = set;
    return 0;
}

const struct config *config_values(const struct config_set *set) {
    return &set->values;
}

const struct config_origin *config_origin(const struct config_set *set, size_t key) {
    return &set->origin[key];
}

const char *config_text(const struct config_set *set, size_t key) {
    return set->text[key];
}
