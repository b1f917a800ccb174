// SPDX-License-Identifier: GPL-2.0-or-later
// Captures
#include "formats/capture.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"
#include "core/growth.h"
#include "core/sample_text.h"

#define PATH_SIZE 512

static void cleanup_json(json_object **object) {
    json_object_put(*object);
}
static void cleanup_growth(struct growth **growth) {
    growth_free(*growth);
}
static void cleanup_sample(struct sample **sample) {
    sample_free(*sample);
}
static void cleanup_step(struct step **step) {
    step_free(*step);
}

// Its name begins behind the last but one /.
static bool is_look(const char *path) {
    size_t n = strlen(path), length = strlen("looks/0000.txt");
    const char *at = path + n - length;
    return n >= length && (at == path || at[-1] == '/') && strncmp(at, "looks/", 6) == 0 &&
           strspn(at + 6, "0123456789") == 4 && strcmp(at + 10, ".txt") == 0;
}

static bool is_manifest(const char *path) {
    const char *name = strrchr(path, '/');
    return strcmp(name ? name + 1 : path, CAPTURE_MANIFEST) == 0;
}

bool capture_wants(const char *path) {
    return is_look(path) || is_manifest(path);
}

// The one that is closest to the top.
char *capture_root(const struct tree *tree) {
    const char *best = NULL;
    for (size_t i = 0; i < tree->n; i++) {
        const char *path = tree->file[i].path;
        bool ours = is_manifest(path) && strstr(tree->file[i].text, "\"udpdiag_capture\"");
        if (ours && (!best || strlen(path) < strlen(best)))
            best = path;
    }
    return best ? strndup(best, strlen(best) - strlen(CAPTURE_MANIFEST)) : NULL;
}

static int problem(struct capture_facts *facts, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
static int problem(struct capture_facts *facts, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->problem, sizeof(facts->problem), format, arguments);
    va_end(arguments);
    return 1;
}

static void take_text(json_object *manifest, const char *key, char *ret, size_t size) {
    json_object *value;
    if (json_object_object_get_ex(manifest, key, &value) &&
            json_object_is_type(value, json_type_string))
        snprintf(ret, size, "%s", json_object_get_string(value));
}

static int read_manifest(const struct tree_file *file, struct capture_facts *facts) {
    _cleanup_(cleanup_json) json_object *manifest = json_tokener_parse(file->text);
    json_object *version;
    if (!json_object_object_get_ex(manifest, "udpdiag_capture", &version))
        return problem(facts, "%s is damaged", file->path);
    if (json_object_get_int(version) != CAPTURE_VERSION)
        return problem(facts, "%s: captures of version %s are not understood (this udpdiag: %d)",
                file->path, json_object_to_json_string(version), CAPTURE_VERSION);
    take_text(manifest, "host", facts->host, sizeof(facts->host));
    take_text(manifest, "kernel", facts->kernel, sizeof(facts->kernel));
    return 0;
}

struct replay {
    struct sample *sample;
    struct growth *growth;
    struct step *step;
    struct store *store;
};

static int read_look(
        struct replay *replay, const struct tree_file *file, struct capture_facts *facts) {
    unsigned line = 0;
    int64_t before_ms = replay->sample->wall_ms, boottime_ms = replay->sample->boottime_ms;
    int r = sample_text_read(replay->sample, file->text, &line);
    if (r == -EINVAL)
        return problem(facts, "%s, line %u: cut or damaged", file->path, line);
    if (r == -EPROTONOSUPPORT)
        return problem(facts, "%s: samples of another version", file->path);
    if (r < 0)
        return r;
    if (replay->sample->boottime_ms <= boottime_ms || replay->sample->wall_ms == before_ms)
        return problem(facts, "%s: not later than the look before", file->path);
    r = growth_step(replay->growth, replay->sample, replay->step);
    if (r == 0)
        r = store_write_step(replay->store, replay->step);
    return r == -ENOMEM ? r
           : r < 0      ? problem(facts, "%s: rows that contradict each other", file->path)
                        : 0;
}

static int read_looks(struct replay *replay, const struct tree *tree, const char *root,
        struct intake_steps *steps, struct capture_facts *facts) {
    char path[PATH_SIZE];
    for (unsigned i = 1; i <= CAPTURE_MAX_LOOKS; i++) {
        snprintf(path, sizeof(path), "%s" CAPTURE_LOOK, root, i);
        const struct tree_file *file = tree_find(tree, path);
        if (!file)
            break;
        int r = read_look(replay, file, facts);
        if (r != 0)
            return r;
        if (facts->looks++ == 0)
            steps->start_ms = replay->step->end_ms;
        steps->end_ms = replay->step->end_ms;
        steps->moments = facts->looks - 1;
    }
    return facts->looks < 2 ? problem(facts, "%s%s: fewer than two looks", root, "looks") : 0;
}

int capture_store(const struct tree *tree, const char *root, const struct table *const *tables,
        size_t n_tables, struct store *store, struct intake_steps *ret,
        struct capture_facts *facts) {
    _cleanup_(cleanup_sample) struct sample *sample = sample_new(tables, n_tables);
    _cleanup_(cleanup_growth) struct growth *growth = growth_new(tables, n_tables);
    _cleanup_(cleanup_step) struct step *step = step_new(tables, n_tables);
    char path[PATH_SIZE];
    struct replay replay = { sample, growth, step, store };
    *facts = (struct capture_facts){ 0 };
    *ret = (struct intake_steps){ .kind = WINDOW_CAPTURE, .timed = true, .dated = true };
    if (!sample || !growth || !step)
        return -ENOMEM;
    growth_repeat_first(growth); // as a live look does
    snprintf(path, sizeof(path), "%s" CAPTURE_MANIFEST, root);
    const struct tree_file *manifest = tree_find(tree, path);
    int r = manifest ? read_manifest(manifest, facts) : problem(facts, "%s is missing", path);
    return r != 0 ? r : read_looks(&replay, tree, root, ret, facts);
}
