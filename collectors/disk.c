// SPDX-License-Identifier: GPL-2.0-or-later
// Disk activity
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "collectors/list.h"
#include "collectors/mount_list.h"
#include "collectors/outcome.h"
#include "collectors/parse.h"

enum { DEVICE, READS_COMPLETED, IO_IN_PROGRESS = 9, FLUSH_REQUESTS = 12, N_COLUMNS = 14 };

static const struct column columns[N_COLUMNS] = {
    [DEVICE] = { "device", COLUMN_KEY_TEXT, "",
            "kernel name of the block device, such as vda or dm-0", "column 3" },
    [READS_COMPLETED] = { "reads_completed", COLUMN_COUNTER, "requests", "reads finished",
            "column 4" },
    { "reads_merged", COLUMN_COUNTER, "requests", "reads joined with a neighbour", "column 5" },
    { "sectors_read", COLUMN_COUNTER, "sectors", "sectors of 512 bytes read", "column 6" },
    { "time_reading_ms", COLUMN_COUNTER, "ms", "sum of the times all reads took", "column 7" },
    { "writes_completed", COLUMN_COUNTER, "requests", "writes finished", "column 8" },
    { "writes_merged", COLUMN_COUNTER, "requests", "writes joined with a neighbour", "column 9" },
    { "sectors_written", COLUMN_COUNTER, "sectors", "sectors of 512 bytes written", "column 10" },
    { "time_writing_ms", COLUMN_COUNTER, "ms", "sum of the times all writes took", "column 11" },
    [IO_IN_PROGRESS] = { "io_in_progress", COLUMN_GAUGE, "requests", "requests at the device now",
            "column 12" },
    { "time_io_ms", COLUMN_COUNTER, "ms",
            "time in which at least one request was under way: busy time", "column 13" },
    { "weighted_time_io_ms", COLUMN_COUNTER, "ms",
            "the same, each request counted: over time_io_ms it is the mean queue", "column 14" },
    [FLUSH_REQUESTS] = { "flush_requests", COLUMN_COUNTER, "requests",
            "cache flushes finished (since 5.5)", "column 19" },
    { "time_flushing_ms", COLUMN_COUNTER, "ms", "sum of the times all flushes took (since 5.5)",
            "column 20" },
};

const struct table disk_table = {
    .name = "disk",
    .help = "activity of each disk, and of the device behind each mount",
    .per = "block device",
    .source = "/proc/diskstats",
    .columns = columns,
    .n_columns = N_COLUMNS,
    .n_keys = 1,
};

// block/genhd.c: major, minor, name and 11 numbers; from 4.18 four more about discards, from 5.5
// two more about flushes.
#define N_NUMBERS 17
static bool is_known_count(size_t n) {
    return n == 11 || n == 15 || n >= N_NUMBERS;
}
// Where each column stands among the numbers.
static const unsigned char number_of[N_COLUMNS] = {
    [READS_COMPLETED] = 0,
    1,
    2,
    3,
    4,
    5,
    6,
    7,
    8,
    9,
    10,
    [FLUSH_REQUESTS] = 15,
    16,
};

bool parse_diskstats_line(struct span *line, struct disk_name *ret) {
    cell number[2];
    for (size_t i = 0; i < 2; i++) {
        struct span word = next_word(line);
        if (!parse_number(word.text, word.n, COLUMN_GAUGE, &number[i]) || number[i] > UINT32_MAX)
            return false;
    }
    struct span name = next_word(line);
    if (name.n == 0 || name.n >= sizeof(ret->name))
        return false;
    ret->major = (uint32_t) number[0];
    ret->minor = (uint32_t) number[1];
    memcpy(ret->name, name.text, name.n);
    ret->name[name.n] = '\0';
    return true;
}

static bool add_row(struct span line, const struct disk_name *name, struct rows *rows) {
    cell numbers[N_NUMBERS];
    size_t n = 0;
    cell any = 0;
    for (struct span word; (word = next_word(&line)).n > 0; n++) {
        cell number;
        if (!parse_number(word.text, word.n, COLUMN_GAUGE, &number))
            return false;
        any |= number;
        if (n < N_NUMBERS)
            numbers[n] = number;
    }
    if (!is_known_count(n))
        return false;
    cell *row =
            any ? rows_add(rows) : NULL; // never used: a loop device without a file, for instance
    if (!row)
        return true;
    row[DEVICE] = rows_put_text(rows, name->name, strlen(name->name));
    for (size_t i = READS_COMPLETED; i < N_COLUMNS; i++)
        if (number_of[i] < n)
            row[i] = numbers[number_of[i]];
    return true;
}

void parse_diskstats(const char *text, size_t length, disk_filter *filter, void *userdata,
        struct rows *rows, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    size_t n = 0;
    for (struct span line; next_line(&scan, &line);) {
        struct disk_name name;
        if (scan.cut || !parse_diskstats_line(&line, &name))
            parse_problem_add(problem, scan.number, "not a block device");
        else if (filter(userdata, n++, &name) && !add_row(line, &name, rows))
            parse_problem_add(problem, scan.number, "unexpected number of columns");
    }
}

struct known {
    struct disk_name name;
    bool wanted;
};

struct disks {
    struct source_file file;
    struct mount_list mounts;
    struct known *known; // in the order of the file
    size_t n_known, capacity;
    struct source *source;
    bool has_sys_block;
};

static int start(struct collect_context *context, void **ret_state) {
    struct disks *disks = calloc(1, sizeof(*disks));
    if (!disks)
        return -ENOMEM;
    disks->file = SOURCE_FILE_CLOSED;
    disks->mounts = MOUNT_LIST_EMPTY;
    disks->source = context->source;
    *ret_state = disks;
    return 0;
}

static void stop(void *state) {
    struct disks *disks = state;
    source_file_close(&disks->file);
    mount_list_done(&disks->mounts);
    free(disks->known);
    free(disks);
}

static bool is_mounted(const struct mount_list *mounts, const struct disk_name *name) {
    for (size_t i = 0; i < mounts->n; i++)
        if (mounts->items[i].disk_major == name->major &&
                mounts->items[i].disk_minor == name->minor)
            return true;
    return false;
}

static bool in_sys_block(const struct source *source, const char *name) {
    char path[sizeof("sys/block/") + DISK_NAME_SIZE];
    snprintf(path, sizeof(path), "sys/block/%s", name);
    for (char *slash = path + strlen("sys/block/"); (slash = strchr(slash, '/'));)
        *slash = '!'; // cciss/c0d0 is cciss!c0d0 there
    int fd = source_open(source, path, O_DIRECTORY);
    if (fd >= 0)
        close(fd);
    return fd >= 0;
}

// sda1 is a partition of sda, nvme0n1p1 one of nvme0n1; it stands below it.
static bool is_partition_of(const char *name, const char *disk) {
    size_t n = strlen(disk);
    if (strncmp(name, disk, n) != 0 || name[n] == '\0')
        return false;
    const char *rest = name + n;
    if (isdigit((unsigned char) disk[n - 1]) && *rest++ != 'p')
        return false;
    return *rest && rest[strspn(rest, "0123456789")] == '\0';
}

static bool is_whole(const struct disks *disks, size_t n, const char *name) {
    if (disks->has_sys_block)
        return in_sys_block(disks->source, name);
    for (size_t i = 0; i < n; i++)
        if (is_partition_of(name, disks->known[i].name.name))
            return false;
    return true;
}

static bool is_new(const struct disks *disks, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(disks->known[i].name.name, name) == 0)
            return false;
    return true;
}

static bool make_room(struct disks *disks, size_t n) {
    size_t capacity = disks->capacity ? disks->capacity * 2 : 16;
    struct known *known =
            n <= disks->n_known ? reallocarray(disks->known, capacity, sizeof(*known)) : NULL;
    if (!known)
        return false;
    disks->known = known;
    disks->capacity = capacity;
    return true;
}

static bool same_name(const struct disk_name *a, const struct disk_name *b) {
    return a->major == b->major && a->minor == b->minor && strcmp(a->name, b->name) == 0;
}

// What was found out about a device holds as long as it stands at the same place and nothing is
// mounted or unmounted.
static bool is_wanted(void *userdata, size_t n, const struct disk_name *name) {
    struct disks *disks = userdata;
    if (n < disks->n_known && same_name(&disks->known[n].name, name))
        return disks->known[n].wanted;
    if (n >= disks->capacity && !make_room(disks, n))
        return false;
    disks->n_known = n + 1;
    disks->known[n] = (struct known){
        .name = *name,
        .wanted = is_new(disks, n, name->name) &&
                  (is_mounted(&disks->mounts, name) || is_whole(disks, n, name->name)),
    };
    return disks->known[n].wanted;
}

// That mounts cannot be read is reported by their own collector.
static void refresh(struct disks *disks) {
    struct parse_problem ignored = { 0 };
    disks->n_known = 0;
    if (mount_list_read(&disks->mounts, disks->source, &ignored) < 0)
        disks->mounts.n = 0;
    int fd = source_open(disks->source, "sys/block", O_DIRECTORY);
    disks->has_sys_block = fd >= 0;
    if (fd >= 0)
        close(fd);
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    static const char path[] = "proc/diskstats";
    struct disks *disks = state;
    if (mount_list_changed(&disks->mounts, context->source))
        refresh(disks);
    int r = source_read(context->source, &disks->file, path);
    if (r < 0) {
        outcome_read_error(outcome, path, r);
        return;
    }
    struct parse_problem problem = { 0 };
    parse_diskstats(
            context->source->buffer, context->source->size, is_wanted, disks, rows, &problem);
    outcome_problem(outcome, path, &problem);
    if (rows->n == 0 && outcome->state == OUTCOME_OK)
        outcome_set(outcome, OUTCOME_ABSENT, "no disk that was used");
}

const struct collector disk_collector = { &disk_table, LANE_FAST, start, collect, stop };
