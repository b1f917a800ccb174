// SPDX-License-Identifier: GPL-2.0-or-later
// Control groups
#include "collectors/cgroup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectors/cgroup_files.h"
#include "collectors/cgroup_mounts.h"
#include "collectors/continuity.h"
#include "collectors/folder.h"
#include "collectors/list.h"
#include "collectors/mount_list.h"
#include "collectors/outcome.h"
#include "collectors/watch.h"

// More groups than that are not needed to explain anything.
#define MAX_PROCESSES 256
#define MAX_GROUPS 256
// Hierarchies are mounted at boot; a container may have come to see another.
#define MOUNTS_MS 60000

struct group {
    size_t path, n; // in the text of the groups
    unsigned parts; // a bit for each cgroup_part for which it is a group
};

struct groups {
    struct cgroup_mounts mounts;
    int64_t mounts_ms; // when they were read; 0: never
    bool plain_root;   // the root limits nothing: only in a container it can
    struct group items[MAX_GROUPS];
    size_t n;
    bool more; // than that
    char *text;
    size_t length, capacity;
    struct continuity continuity;
};

static int start(struct collect_context *context, void **ret_state) {
    struct groups *groups = calloc(1, sizeof(*groups));
    if (!groups)
        return -ENOMEM;
    continuity_init(&groups->continuity, &cgroup_table);
    *ret_state = groups;
    return 0;
}

static void stop(void *state) {
    struct groups *groups = state;
    cgroup_mounts_done(&groups->mounts);
    continuity_done(&groups->continuity);
    free(groups->text);
    free(groups);
}

static int read_mounts(struct groups *groups, struct collect_context *context) {
    static const char path[] = MOUNT_LIST_PATH;
    struct source_file file = SOURCE_FILE_CLOSED;
    if (groups->mounts_ms > 0 && context->now_ms - groups->mounts_ms < MOUNTS_MS)
        return 0;
    int r = source_read(context->source, &file, path);
    source_file_close(&file);
    if (r == 0)
        r = cgroup_mounts_parse(&groups->mounts, context->source->buffer, context->source->size);
    if (r == 0)
        groups->mounts_ms = context->now_ms;
    groups->plain_root = false;
    return r;
}

static bool has_mounts(const struct groups *groups) {
    for (size_t i = 0; i < N_CGROUP_PARTS; i++)
        if (groups->mounts.part[i].version > 0)
            return true;
    return false;
}

static bool keep_text(struct groups *groups, struct span text, size_t *ret) {
    while (groups->capacity - groups->length < text.n) {
        size_t capacity = groups->capacity ? groups->capacity * 2 : 4096;
        char *grown = realloc(groups->text, capacity);
        if (!grown)
            return false;
        groups->text = grown;
        groups->capacity = capacity;
    }
    memcpy(groups->text + groups->length, text.text, text.n);
    *ret = groups->length;
    groups->length += text.n;
    return true;
}

static struct span path_of(const struct groups *groups, const struct group *group) {
    return (struct span){ groups->text + group->path, group->n };
}

static struct group *find_group(struct groups *groups, struct span path) {
    for (size_t i = 0; i < groups->n; i++)
        if (groups->items[i].n == path.n &&
                memcmp(path_of(groups, &groups->items[i]).text, path.text, path.n) == 0)
            return &groups->items[i];
    return NULL;
}

static void add_group(struct groups *groups, struct span path, unsigned part) {
    struct group *group = find_group(groups, path);
    if (!group && groups->n == MAX_GROUPS)
        groups->more = true;
    else if (!group) {
        group = &groups->items[groups->n];
        *group = (struct group){ .n = path.n };
        if (keep_text(groups, path, &group->path))
            groups->n++;
    }
    if (group)
        group->parts |= 1U << part;
}

// The group of a process, and all above it, for each part.
static void add_groups_of(struct groups *groups, struct source *source, pid_t pid) {
    char path[32];
    struct source_file file = SOURCE_FILE_CLOSED;
    struct cgroup_paths paths;
    snprintf(path, sizeof(path), "proc/%d/cgroup", (int) pid);
    int r = source_read(source, &file, path);
    source_file_close(&file);
    if (r < 0)
        return; // it has just ended
    cgroup_paths_parse(source->buffer, source->size, &paths);
    for (unsigned i = 0; i < N_CGROUP_PARTS; i++)
        for (struct span at = paths.path[i]; at.n > 0; at = cgroup_parent(at))
            add_group(groups, at, i);
}

// Of cgroup v2 it may be /sys/fs/cgroup or, beside v1, a folder below it.
static void tell_freezer(const char *path, struct rows *rows, cell *row) {
    char text[PATH_MAX + 1];
    int n = snprintf(text, sizeof(text), "/%s", path);
    row[CGROUP_FREEZER_FOLDER] = rows_put_text(rows, text, (size_t) n);
}

static bool read_part(const struct groups *groups, const struct group *group, size_t part,
        struct collect_context *context, struct rows *rows, cell *row) {
    bool was_frozen = row[CGROUP_FROZEN] == 1;
    char path[PATH_MAX];
    struct folder folder;
    const struct cgroup_mount *mount = &groups->mounts.part[part];
    if (!cgroup_folder(mount, path_of(groups, group), path) ||
            folder_open(context->source, path, &folder) < 0)
        return false;
    for (size_t i = 0; i < n_cgroup_files; i++) {
        const struct cgroup_file *file = &cgroup_files[i];
        if (file->part == part && file->version == mount->version &&
                (!file->costly || context->watch->lossy) &&
                folder_read(context->source, &folder, file->name) == 0)
            file->parse(file, context->source->buffer, context->source->size, row);
    }
    folder_close(&folder);
    if (row[CGROUP_FROZEN] == 1 && !was_frozen)
        tell_freezer(path, rows, row);
    return true;
}

static bool is_limited(const cell *row) {
    return row[CGROUP_QUOTA] != CELL_NULL || row[CGROUP_MEMORY_HIGH] != CELL_NULL ||
           row[CGROUP_MEMORY_MAX] != CELL_NULL || row[CGROUP_SOCKET_MEMORY_MAX] != CELL_NULL ||
           row[CGROUP_FROZEN] == 1;
}

static void add_row(struct groups *groups, const struct group *group,
        struct collect_context *context, struct rows *rows) {
    cell *row = group->n == 1 && groups->plain_root ? NULL : rows_add(rows);
    if (!row)
        return;
    bool found = false;
    int version = 2;
    for (size_t i = 0; i < N_CGROUP_PARTS; i++) {
        if (!(group->parts & 1U << i) || !read_part(groups, group, i, context, rows, row))
            continue;
        found = true;
        if (groups->mounts.part[i].version < version)
            version = groups->mounts.part[i].version;
    }
    struct span path = path_of(groups, group), parent = cgroup_parent(path);
    if (path.n == 1)
        groups->plain_root = !found || !is_limited(row);
    if (path.n == 1 && groups->plain_root)
        found = false;
    if (!found) {
        rows_drop_last(rows);
        return;
    }
    struct span unit = cgroup_unit(path);
    row[CGROUP_PATH] = rows_put_text(rows, path.text, path.n);
    row[CGROUP_PARENT] = rows_put_text(rows, parent.text, parent.n);
    row[CGROUP_UNIT] = rows_put_text(rows, unit.text, unit.n);
    row[CGROUP_VERSION] = version;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct groups *groups = state;
    const struct watch *watch = context->watch;
    groups->n = groups->length = 0;
    groups->more = false;
    int r = watch->n_processes > 0 ? read_mounts(groups, context) : 0;
    if (r < 0)
        outcome_read_error(outcome, MOUNT_LIST_PATH, r);
    for (size_t i = 0; r == 0 && i < watch->n_processes && i < MAX_PROCESSES; i++)
        add_groups_of(groups, context->source, watch->processes[i].pid);
    if (groups->n > 0 && !has_mounts(groups))
        outcome_set(outcome, OUTCOME_ABSENT, "no control groups are mounted");
    for (size_t i = 0; i < groups->n; i++)
        add_row(groups, &groups->items[i], context, rows);
    if (continuity_tell(&groups->continuity, rows) < 0)
        outcome_set(outcome, OUTCOME_FAILED, "out of memory");
    else if (groups->more)
        outcome_set(outcome, OUTCOME_OK, "the first %d groups only", MAX_GROUPS);
}

const struct collector cgroup_collector = { &cgroup_table, LANE_FAST, start, collect, stop };
