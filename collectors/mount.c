// SPDX-License-Identifier: GPL-2.0-or-later
// Mount fill
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/fill_asker.h"
#include "collectors/list.h"
#include "collectors/mount_list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"

enum {
    MOUNT,
    DEVICE,
    DISK,
    FSTYPE,
    SIZE,
    USED,
    AVAILABLE,
    INODES,
    INODES_USED,
    READ_ONLY,
    N_COLUMNS
};

static const struct column columns[N_COLUMNS] = {
    [MOUNT] = { "mount", COLUMN_KEY_TEXT, "", "mount point", "mount point" },
    [DEVICE] = { "device", COLUMN_TEXT, "", "what is mounted, such as /dev/mapper/vg-var",
            "mount source" },
    [DISK] = { "disk", COLUMN_TEXT, "", "its row in table disk; empty where it has none",
            "major:minor" },
    [FSTYPE] = { "fstype", COLUMN_TEXT, "", "file system type", "filesystem type" },
    [SIZE] = { "size_bytes", COLUMN_GAUGE, "bytes", "size", "f_blocks" },
    [USED] = { "used_bytes", COLUMN_GAUGE, "bytes", "space in use", "f_blocks - f_bfree" },
    [AVAILABLE] = { "available_bytes", COLUMN_GAUGE, "bytes",
            "space left for programs without privileges; df shows used / (used + available)",
            "f_bavail" },
    [INODES] = { "inodes", COLUMN_GAUGE, "files",
            "files it can hold; 0 where there is no such limit", "f_files" },
    [INODES_USED] = { "inodes_used", COLUMN_GAUGE, "files", "files it holds", "f_files - f_ffree" },
    [READ_ONLY] = { "read_only", COLUMN_GAUGE, "", "1: mounted read-only, also after an error",
            "mount options" },
};

const struct table mount_table = {
    .name = "mount",
    .help = "fill of each local file system that can fill up",
    .per = "mount point",
    .source = "/proc/self/mountinfo, statfs(2)",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

// Answers come within a fraction of a millisecond. The first look has none from before to fall back
// on.
#define WAIT_MS 10
#define FIRST_WAIT_MS 250

struct mounts {
    struct mount_list list;
    struct source_file diskstats;
    struct fill_asker *asker;
    struct fill_target *targets;
    size_t capacity;
    bool asked;
};

static int start(struct collect_context *context, void **ret_state) {
    struct mounts *mounts = calloc(1, sizeof(*mounts));
    if (!mounts)
        return -ENOMEM;
    mounts->list = MOUNT_LIST_EMPTY;
    mounts->diskstats = SOURCE_FILE_CLOSED;
    mounts->asker = fill_asker_new();
    if (!mounts->asker) {
        free(mounts);
        return -ENOMEM;
    }
    *ret_state = mounts;
    return 0;
}

static void stop(void *state) {
    struct mounts *mounts = state;
    fill_asker_free(mounts->asker);
    mount_list_done(&mounts->list);
    source_file_close(&mounts->diskstats);
    free(mounts->targets);
    free(mounts);
}

static int64_t now_ms(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t) now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int ask(struct mounts *mounts, int64_t now) {
    const struct mount_list *list = &mounts->list;
    if (list->n > mounts->capacity) {
        struct fill_target *targets = reallocarray(mounts->targets, list->n, sizeof(*targets));
        if (!targets)
            return -ENOMEM;
        mounts->targets = targets;
        mounts->capacity = list->n;
    }
    for (size_t i = 0; i < list->n; i++)
        mounts->targets[i] =
                (struct fill_target){ list->text + list->items[i].point, list->items[i].id };
    int r = fill_asker_set(mounts->asker, mounts->targets, list->n);
    if (r == 0)
        r = fill_asker_ask(mounts->asker, now, mounts->asked ? WAIT_MS : FIRST_WAIT_MS);
    mounts->asked = true;
    return r;
}

// The name of the block device in table disk. Those of a partition and of its whole disk both stand
// there.
static cell put_disk(const struct source *diskstats, const struct mount *mount, struct rows *rows) {
    struct line_scan scan = { .at = diskstats->buffer, .end = diskstats->buffer + diskstats->size };
    struct disk_name name;
    for (struct span line; next_line(&scan, &line) && parse_diskstats_line(&line, &name);)
        if (name.major == mount->disk_major && name.minor == mount->disk_minor)
            return rows_put_text(rows, name.name, strlen(name.name));
    return rows_put_text(rows, "", 0);
}

static void put_fill(const struct fill *fill, cell *row) {
    if (fill->error)
        return;
    row[SIZE] = (cell) fill->size_bytes;
    row[USED] = (cell) (fill->size_bytes - fill->free_bytes);
    row[AVAILABLE] = (cell) fill->available_bytes;
    row[INODES] = (cell) fill->files;
    row[INODES_USED] = (cell) (fill->files - fill->files_free);
}

static void add_row(
        const struct mounts *mounts, size_t i, const struct source *diskstats, struct rows *rows) {
    const struct mount *mount = &mounts->list.items[i];
    const char *point = mounts->list.text + mount->point,
               *source = mounts->list.text + mount->source;
    const char *fstype = mounts->list.text + mount->fstype;
    cell *row = rows_add(rows);
    if (!row)
        return;
    row[MOUNT] = rows_put_text(rows, point, strlen(point));
    row[DEVICE] = rows_put_text(rows, source, strlen(source));
    row[DISK] = put_disk(diskstats, mount, rows);
    row[FSTYPE] = rows_put_text(rows, fstype, strlen(fstype));
    row[READ_ONLY] = mount->read_only;
    put_fill(fill_asker_answer(mounts->asker, i), row);
}

static void report(
        const struct fill *fill, const char *point, int64_t now, struct outcome *outcome) {
    if (fill->error == ETIMEDOUT)
        outcome_set(outcome, OUTCOME_FAILED, "%s has not answered for %lld s", point,
                (long long) (now - fill->hangs_since_ms) / 1000);
    else if (fill->error == ENODATA)
        outcome_set(outcome, OUTCOME_FAILED, "%s has not answered yet", point);
    else
        outcome_set(outcome, fill->error == EACCES ? OUTCOME_DENIED : OUTCOME_FAILED, "%s: %s",
                point, strerror(fill->error));
}

// A mount that something else was mounted over, or that went away meanwhile, is none.
static void add_rows(const struct mounts *mounts, const struct source *diskstats, int64_t now,
        struct rows *rows, struct outcome *outcome) {
    for (size_t i = 0; i < mounts->list.n; i++) {
        const struct fill *fill = fill_asker_answer(mounts->asker, i);
        if (fill->error == ESTALE || fill->error == ENOENT)
            continue;
        add_row(mounts, i, diskstats, rows);
        if (fill->error && outcome->state == OUTCOME_OK)
            report(fill, mounts->list.text + mounts->list.items[i].point, now, outcome);
    }
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct mounts *mounts = state;
    struct source *source = context->source;
    struct parse_problem problem = { 0 };
    if (!source->live) {
        outcome_set(outcome, OUTCOME_ABSENT, "file systems of another host cannot be asked");
        return;
    }
    int r = mount_list_read(&mounts->list, source, &problem);
    if (r < 0) {
        outcome_read_error(outcome, MOUNT_LIST_PATH, r);
        return;
    }
    outcome_problem(outcome, MOUNT_LIST_PATH, &problem);
    int64_t now = now_ms();
    r = ask(mounts, now);
    if (r < 0) {
        outcome_set(
                outcome, OUTCOME_FAILED, "no process to ask the file systems: %s", strerror(-r));
        return;
    }
    if (source_read(source, &mounts->diskstats, "proc/diskstats") < 0)
        source->size = 0;
    add_rows(mounts, source, now, rows, outcome);
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "no local file system that can fill up");
}

const struct collector mount_collector = { &mount_table, LANE_SLOW, start, collect, stop };
