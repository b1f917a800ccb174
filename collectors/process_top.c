// SPDX-License-Identifier: GPL-2.0-or-later
// Greatest users
#include "collectors/process_top.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "collectors/process_files.h"

#define SCAN_US INT64_C(1000000)
#define TIMES_COST 50
// The second scan tells the first users of CPU time, the third those of disks: these are worth an
// exception.
#define FIRST_SCANS 3
#define FIRST_US INT64_C(300000)
#define FIRST_TIMES_COST 10
// Less than that in a second explains nothing.
#define LEAST_TICKS 2
#define LEAST_BYTES (256 << 10)

static int64_t cpu_time_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

void top_done(struct top_scan *top) {
    free(top->usage);
    free(top->previous);
    *top = TOP_EMPTY;
}

static struct usage *add(struct top_scan *top) {
    if (top->n == top->capacity) {
        size_t capacity = top->capacity ? top->capacity * 2 : 256;
        struct usage *usage = reallocarray(top->usage, capacity, sizeof(*usage));
        if (!usage)
            return NULL;
        top->usage = usage;
        top->capacity = capacity;
    }
    return &top->usage[top->n++];
}

static int compare_pid(const void *key, const void *item) {
    pid_t a = *(const pid_t *) key, b = ((const struct usage *) item)->pid;
    return (a > b) - (a < b);
}

static const struct usage *find_previous(const struct top_scan *top, const struct usage *usage) {
    const struct usage *previous = top->n_previous == 0
                                           ? NULL
                                           : bsearch(&usage->pid, top->previous, top->n_previous,
                                                     sizeof(*top->previous), compare_pid);
    return previous && previous->start_time == usage->start_time ? previous : NULL;
}

static cell read_writes(struct top_scan *top, struct source *source, pid_t pid) {
    char path[32];
    struct process_io io;
    struct source_file file = SOURCE_FILE_CLOSED;
    snprintf(path, sizeof(path), "proc/%d/io", (int) pid);
    int r = source_read(source, &file, path);
    source_file_close(&file);
    if (r < 0) {
        top->n_denied++;
        return CELL_NULL;
    }
    parse_process_io(source->buffer, source->size, &io);
    return io.write_bytes;
}

// Only what runs writes: of most processes the writes need not be read. One that is blocked may
// have written without its time being counted yet.
static void read_usage(struct top_scan *top, struct source *source, pid_t pid) {
    char path[32];
    struct process_stat stat;
    struct source_file file = SOURCE_FILE_CLOSED;
    snprintf(path, sizeof(path), "proc/%d/stat", (int) pid);
    int r = source_read(source, &file, path);
    source_file_close(&file);
    if (r < 0 || !parse_process_stat(source->buffer, source->size, &stat))
        return;
    struct usage usage = { pid, stat.start_time, stat.user_ticks, stat.system_ticks, CELL_NULL };
    const struct usage *before = find_previous(top, &usage);
    bool ran = before && (before->user_ticks != usage.user_ticks ||
                                 before->system_ticks != usage.system_ticks);
    if (ran || stat.state == 'D')
        usage.write_bytes = read_writes(top, source, pid);
    else if (before)
        usage.write_bytes = before->write_bytes;
    struct usage *place = add(top);
    if (place)
        *place = usage;
}

static cell cpu_growth(const struct top_user *user) {
    return user->now.user_ticks + user->now.system_ticks - user->before.user_ticks -
           user->before.system_ticks;
}

static cell disk_growth(const struct top_user *user) {
    return user->now.write_bytes == CELL_NULL || user->before.write_bytes == CELL_NULL
                   ? 0
                   : user->now.write_bytes - user->before.write_bytes;
}

static void rank(struct top_user *list, size_t *n, const struct top_user *user,
        cell (*growth)(const struct top_user *), cell least) {
    if (growth(user) < least || growth(user) <= 0)
        return;
    size_t at = *n;
    while (at > 0 && growth(&list[at - 1]) < growth(user))
        at--;
    if (at == TOP_N)
        return;
    if (*n < TOP_N)
        (*n)++;
    for (size_t i = *n - 1; i > at; i--)
        list[i] = list[i - 1];
    list[at] = *user;
}

static void rank_all(struct top_scan *top) {
    top->n_cpu = top->n_disk = 0;
    for (size_t i = 0; i < top->n; i++) {
        const struct usage *before = find_previous(top, &top->usage[i]);
        struct top_user user = { .now = top->usage[i] };
        if (before)
            user.before = *before;
        rank(top->cpu, &top->n_cpu, &user, cpu_growth, LEAST_TICKS * top->span_us / SCAN_US);
        rank(top->disk, &top->n_disk, &user, disk_growth, LEAST_BYTES * top->span_us / SCAN_US);
    }
}

static void swap(struct top_scan *top) {
    struct usage *usage = top->previous;
    size_t capacity = top->previous_capacity;
    top->previous = top->usage;
    top->n_previous = top->n;
    top->previous_capacity = top->capacity;
    top->usage = usage;
    top->n = 0;
    top->capacity = capacity;
}

static int64_t pause_after(const struct top_scan *top) {
    bool first = top->n_scans < FIRST_SCANS;
    int64_t least_us = first ? FIRST_US : SCAN_US;
    int64_t fair_us = top->cost_us * (first ? FIRST_TIMES_COST : TIMES_COST);
    return fair_us > least_us ? fair_us : least_us;
}

// The kernel lists processes by their numbers, so that the usage of the scan before can be
// searched.
bool top_scan(struct top_scan *top, struct source *source, DIR *proc, int64_t now_us) {
    if (now_us < top->due_us || !proc || !source->live)
        return false;
    int64_t start_us = cpu_time_us();
    swap(top);
    top->n_denied = 0;
    rewinddir(proc);
    for (struct dirent *entry; (entry = readdir(proc));)
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            read_usage(top, source, (pid_t) atol(entry->d_name));
    top->span_us = top->n_scans > 0 ? now_us - top->scanned_us : 0;
    top->scanned_us = now_us;
    if (top->n_scans++ > 0)
        rank_all(top);
    top->cost_us = cpu_time_us() - start_us;
    top->due_us = now_us + pause_after(top);
    return top->n_scans > 1;
}
