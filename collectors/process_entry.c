// SPDX-License-Identifier: GPL-2.0-or-later
// Process entry
#include "collectors/process_entry.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>

#include "collectors/cgroup_name.h"
#include "collectors/cgroup_paths.h"
#include "collectors/process.h"

static bool is_gone(int r) {
    return r == -ENOENT || r == -ESRCH;
}

static bool is_denied(int r) {
    return r == -EACCES || r == -EPERM;
}

static int read_stat(
        const struct process *process, struct source *source, struct process_stat *ret) {
    int r = folder_read(source, &process->folder, "stat");
    if (r < 0)
        return is_gone(r) ? -ESRCH : r;
    if (!parse_process_stat(source->buffer, source->size, ret))
        return -EPROTO;
    return ret->start_time == process->start_time ? 0 : -ESRCH;
}

int process_open(struct process *process, struct source *source) {
    struct process_stat stat;
    snprintf(process->path, sizeof(process->path), "proc/%d", (int) process->pid);
    process->threads = THREADS_EMPTY;
    process->looks = LOOKS_EMPTY;
    process->fresh = true;
    int r = folder_open(source, process->path, &process->folder);
    if (r < 0)
        return is_gone(r) ? -ESRCH : r;
    r = read_stat(process, source, &stat);
    if (r < 0)
        folder_close(&process->folder);
    return r;
}

void process_done(struct process *process) {
    folder_close(&process->folder);
    threads_done(&process->threads);
    looks_done(&process->looks);
}

static cell put(struct rows *rows, const char *text) {
    return rows_put_text(rows, text, strlen(text));
}

static cell put_span(struct rows *rows, struct span text) {
    return rows_put_text(rows, text.n > 0 ? text.text : "", text.n);
}

static void fill_stat(const struct process_stat *stat, const struct process_look *look,
        struct rows *rows, cell *row) {
    row[PROCESS_COMM] = put_span(rows, stat->comm);
    row[PROCESS_STATE] = rows_put_text(rows, &stat->state, 1);
    row[PROCESS_STOPPED] = stat->state == 'T' || stat->state == 't';
    row[PROCESS_THREADS] = stat->threads;
    row[PROCESS_LAST_CPU] = stat->cpu;
    row[PROCESS_NICE] = stat->nice;
    row[PROCESS_USER] = stat->user_ticks * look->tick_us;
    row[PROCESS_SYSTEM] = stat->system_ticks * look->tick_us;
    row[PROCESS_MAJOR_FAULTS] = stat->major_faults;
}

static void fill_status(
        const struct process *process, struct source *source, struct rows *rows, cell *row) {
    struct process_status status;
    if (folder_read(source, &process->folder, "status") < 0)
        return;
    parse_process_status(source->buffer, source->size, &status);
    row[PROCESS_UID] = status.uid;
    row[PROCESS_CPUS_ALLOWED] = put_span(rows, status.cpus_allowed);
    if (row[PROCESS_THREADS] != 1) // they are of the first thread alone
        return;
    row[PROCESS_SWITCHES_VOLUNTARY] = status.switches_voluntary;
    row[PROCESS_SWITCHES_INVOLUNTARY] = status.switches_involuntary;
}

static void fill_io(const struct process *process, struct process_look *look, cell *row) {
    struct source *source = look->context->source;
    struct process_io io;
    int r = folder_read(source, &process->folder, "io");
    look->n_denied += is_denied(r) && process->role == ROLE_OWNER;
    if (r < 0)
        return;
    parse_process_io(source->buffer, source->size, &io);
    row[PROCESS_READ_BYTES] = io.read_bytes;
    row[PROCESS_WRITE_BYTES] = io.write_bytes;
}

static void fill_delays(const struct process *process, struct process_look *look, cell *row) {
    struct task_delays delays;
    if (!look->context->source->live || taskstats_read(look->taskstats, process->pid, &delays) < 0)
        return;
    if (row[PROCESS_THREADS] != 1) {
        row[PROCESS_SWITCHES_VOLUNTARY] = delays.switches_voluntary;
        row[PROCESS_SWITCHES_INVOLUNTARY] = delays.switches_involuntary;
    }
    if (!look->accounts_delays)
        return;
    row[PROCESS_BLOCK_DELAY] = delays.block_us;
    row[PROCESS_SWAP_DELAY] = delays.swap_us;
    row[PROCESS_RECLAIM_DELAY] = delays.reclaim_us;
}

static void fill_cgroup(
        const struct process *process, struct source *source, struct rows *rows, cell *row) {
    struct cgroup_name name;
    struct cgroup_paths paths;
    if (folder_read(source, &process->folder, "cgroup") < 0)
        return;
    cgroup_name_parse(source->buffer, source->size, &name);
    cgroup_paths_parse(source->buffer, source->size, &paths);
    row[PROCESS_UNIT] = put(rows, name.unit);
    row[PROCESS_CONTAINER] = put(rows, name.container);
    row[PROCESS_CGROUP] = put_span(rows, paths.path[CGROUP_PART_CPU]);
    row[PROCESS_MEMORY_CGROUP] = put_span(rows, paths.path[CGROUP_PART_MEMORY]);
    row[PROCESS_FREEZER_CGROUP] = put_span(rows, paths.path[CGROUP_PART_FREEZER]);
    row[PROCESS_UNIFIED_CGROUP] = put_span(rows, paths.path[CGROUP_PART_UNIFIED]);
}

static void fill_netns(const struct process *process, const struct collect_context *context,
        struct rows *rows, cell *row) {
    char link[64];
    unsigned long inode;
    ssize_t n = folder_read_link(context->source, &process->folder, "ns/net", link, sizeof(link));
    if (n < 0 || sscanf(link, "net:[%lu]", &inode) != 1)
        return;
    for (size_t i = 0; i < context->netns->n; i++)
        if (context->netns->items[i].inode == inode)
            row[PROCESS_NETNS] = put(rows, context->netns->items[i].name);
}

static void fill_executable(
        const struct process *process, const struct source *source, struct rows *rows, cell *row) {
    char link[PATH_MAX];
    ssize_t n = folder_read_link(source, &process->folder, "exe", link, sizeof(link));
    if (n >= 0)
        row[PROCESS_EXECUTABLE] = put(rows, link);
}

// ns per us is per mille; a thread that runs is charged with a delay of some milliseconds.
static cell permille(cell ns, int64_t us) {
    cell value = ns == CELL_NULL || us <= 0 ? CELL_NULL : ns / us;
    return value > 1000 ? 1000 : value;
}

static void fill_hottest(const struct process *process, struct process_look *look,
        const struct thread *hottest, struct rows *rows, cell *row) {
    struct source *source = look->context->source;
    char file[48];
    row[PROCESS_HOTTEST_THREAD] = hottest->tid;
    row[PROCESS_HOTTEST_RUN] = permille(hottest->run_step, process->threads.step_us);
    row[PROCESS_HOTTEST_DELAY] = permille(hottest->delay_step, process->threads.step_us);
    snprintf(file, sizeof(file), "task/%d/comm", (int) hottest->tid);
    if (folder_read(source, &process->folder, file) < 0)
        return;
    size_t n = source->size > 0 && source->buffer[source->size - 1] == '\n' ? source->size - 1
                                                                            : source->size;
    row[PROCESS_HOTTEST_NAME] = rows_put_text(rows, source->buffer, n);
}

// Some of the others each time: the one that reads may wait for them.
static bool is_other_blocked(struct process *process, size_t n, struct collect_context *context) {
    const struct threads *threads = &process->threads;
    bool blocked = false;
    for (size_t i = 0; i < threads->n && i < n; i++) {
        pid_t tid = threads->items[(process->next_other + i) % threads->n].tid;
        if (tid != process->looks.tid)
            blocked |= looks_at_other(&process->looks, context->source, &process->folder, tid);
    }
    process->next_other += n;
    return blocked;
}

void process_peek(struct process *process, size_t n_others, struct collect_context *context) {
    if (process->looks.tid == 0 ||
            looks_take(&process->looks, context->source, &process->folder) < 0)
        return;
    process->looks.other_blocked += is_other_blocked(process, n_others, context);
    // More than one may read, each for a moment.
    if (process->threads.n > 1)
        threads_find_readers(&process->threads, 1, context->source, &process->folder, process->pid,
                context->watch);
}

static void fill_threads(
        struct process *process, struct process_look *look, struct rows *rows, cell *row) {
    struct collect_context *context = look->context;
    struct threads *threads = &process->threads;
    size_t max = look->threads_left < THREADS_MAX ? look->threads_left : THREADS_MAX;
    if (threads_look(threads, max, context->source, &process->folder, process->pid, context->watch,
                look->now_us) < 0)
        return;
    look->threads_left -= threads->n;
    look->n_crowded += threads->n_all > max;
    row[PROCESS_READERS] = (cell) threads_readers(threads);
    row[PROCESS_RUN] = threads->run_ns == CELL_NULL ? CELL_NULL : threads->run_ns / 1000;
    row[PROCESS_DELAY] = threads->delay_ns == CELL_NULL ? CELL_NULL : threads->delay_ns / 1000;
    const struct thread *hottest = threads_hottest(threads, false);
    const struct thread *reader = threads_hottest(threads, true);
    if (hottest)
        fill_hottest(process, look, hottest, rows, row);
    if (!reader)
        return;
    row[PROCESS_READER_RUN] = permille(reader->run_step, threads->step_us);
    row[PROCESS_READER_DELAY] = permille(reader->delay_step, threads->step_us);
    looks_set_thread(&process->looks, reader->tid);
    process_peek(process, PEEK_THREADS, context);
    looks_tell(&process->looks, rows, row);
}

static bool is_new(const struct process *process, const struct process_look *look) {
    return look->context->source->live && look->before_us != INT64_MAX &&
           process->start_time * look->tick_us > look->before_us;
}

// What is known of the time before the first look at a process: nothing was counted before it
// began, or before somebody looked.
static void tell_before(
        const struct process *process, const struct process_look *look, cell *before) {
    for (size_t i = 0; i < N_PROCESS_COLUMNS; i++) {
        bool look_counter = i >= PROCESS_LOOKS && i <= PROCESS_LOOKS_OTHER_BLOCKED;
        if (is_new(process, look) || (look_counter && process->role == ROLE_OWNER))
            before[i] = 0;
    }
    if (!process->has_usage)
        return;
    before[PROCESS_USER] = process->usage.user_ticks * look->tick_us;
    before[PROCESS_SYSTEM] = process->usage.system_ticks * look->tick_us;
    before[PROCESS_WRITE_BYTES] = process->usage.write_bytes;
}

int process_look(struct process *process, struct process_look *look, struct rows *rows) {
    static const char *const roles[] = {
        [ROLE_OWNER] = "owner", [ROLE_CPU] = "cpu", [ROLE_DISK] = "disk"
    };
    struct source *source = look->context->source;
    struct process_stat stat;
    int r = read_stat(process, source, &stat);
    if (r < 0)
        return r;
    cell *row = rows_add(rows);
    if (!row)
        return -ENOMEM;
    row[PROCESS_PID] = process->pid;
    row[PROCESS_START_TIME] = process->start_time;
    row[PROCESS_ROLE] = put(rows, roles[process->role]);
    fill_stat(&stat, look, rows, row);
    fill_status(process, source, rows, row);
    fill_io(process, look, row);
    fill_delays(process, look, row);
    fill_cgroup(process, source, rows, row);
    fill_netns(process, look->context, rows, row);
    fill_executable(process, source, rows, row);
    if (process->role == ROLE_OWNER)
        fill_threads(process, look, rows, row);
    cell *before = process->fresh ? rows_before(rows) : NULL;
    if (before)
        tell_before(process, look, before);
    process->fresh = false;
    return 0;
}
