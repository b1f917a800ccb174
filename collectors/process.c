// SPDX-License-Identifier: GPL-2.0-or-later
// Watched processes
#include "collectors/process.h"

#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "collectors/continuity.h"
#include "collectors/list.h"
#include "collectors/outcome.h"
#include "collectors/process_entry.h"

// More are not needed to explain anything; those that lose datagrams come first.
#define MAX_OWNERS 32
#define MAX_PROCESSES (MAX_OWNERS + 2 * TOP_N)
// In a dense look, of all processes together.
#define MAX_OTHER_THREADS 32

struct processes {
    struct process items[2 * MAX_PROCESSES]; // also those of the look before
    size_t n, n_owners;
    struct top_scan top;
    struct taskstats_asker taskstats;
    struct continuity continuity;
    struct source_file delayacct;
    int64_t looked_us, booted_us; // CLOCK_MONOTONIC and CLOCK_BOOTTIME of the look before
};

static int start(struct collect_context *context, void **ret_state) {
    struct processes *processes = calloc(1, sizeof(*processes));
    if (!processes)
        return -ENOMEM;
    processes->taskstats = TASKSTATS_CLOSED;
    processes->delayacct = SOURCE_FILE_CLOSED;
    processes->booted_us = INT64_MAX;
    continuity_init(&processes->continuity, &process_table);
    *ret_state = processes;
    return 0;
}

static void stop(void *state) {
    struct processes *processes = state;
    for (size_t i = 0; i < processes->n; i++)
        process_done(&processes->items[i]);
    top_done(&processes->top);
    taskstats_close(&processes->taskstats);
    continuity_done(&processes->continuity);
    source_file_close(&processes->delayacct);
    free(processes);
}

static struct process *find(struct processes *processes, pid_t pid, cell start_time) {
    for (size_t i = 0; i < processes->n; i++)
        if (processes->items[i].pid == pid && processes->items[i].start_time == start_time)
            return &processes->items[i];
    return NULL;
}

// An owner stays an owner in this look, whatever else it is.
static struct process *want(struct processes *processes, struct source *source, pid_t pid,
        cell start_time, enum process_role role) {
    struct process *process = find(processes, pid, start_time);
    if (!process && processes->n < 2 * MAX_PROCESSES) {
        process = &processes->items[processes->n];
        *process = (struct process){ .pid = pid, .start_time = start_time };
        if (process_open(process, source) < 0)
            return NULL;
        processes->n++;
    }
    if (!process || process->seen)
        return NULL;
    process->seen = true;
    process->role = role;
    process->dense = false;
    return process;
}

static void want_owner(struct processes *processes, struct collect_context *context,
        const struct watched_process *watched) {
    struct process *process = watched ? want(processes, context->source, watched->pid,
                                                (cell) watched->start_time, ROLE_OWNER)
                                      : NULL;
    if (!process)
        return;
    process->dense = watched->dense;
    processes->n_owners++;
}

// Where there are too many, those whose sockets lost the most: these come first.
static void want_owners(struct processes *processes, struct collect_context *context) {
    const struct watch *watch = context->watch;
    processes->n_owners = 0;
    if (watch->n_processes <= MAX_OWNERS) {
        for (size_t i = 0; i < watch->n_processes; i++)
            want_owner(processes, context, &watch->processes[i]);
        return;
    }
    for (size_t i = 0; i < watch->n_sockets; i++)
        for (size_t k = 0; k < watch->n_owners && processes->n_owners < MAX_OWNERS; k++)
            if (watch->owners[k].socket == i)
                want_owner(processes, context, watch_find_process(watch, watch->owners[k].pid));
}

static void want_users(struct processes *processes, struct source *source,
        const struct top_user *users, size_t n, enum process_role role, bool fresh) {
    for (size_t i = 0; i < n; i++) {
        struct process *process =
                want(processes, source, users[i].now.pid, users[i].now.start_time, role);
        if (!process)
            continue;
        process->has_usage = fresh;
        process->usage = users[i].before;
    }
}

static void want_top(struct processes *processes, struct collect_context *context, int64_t now_us) {
    struct top_scan *top = &processes->top;
    if (!context->watch->lossy) {
        top_done(top);
        return;
    }
    bool scanned = top_scan(top, context->source, context->netns->proc, now_us);
    bool fresh = scanned && top->span_us == now_us - processes->looked_us;
    want_users(processes, context->source, top->cpu, top->n_cpu, ROLE_CPU, fresh);
    want_users(processes, context->source, top->disk, top->n_disk, ROLE_DISK, fresh);
}

static void drop(struct processes *processes, size_t i) {
    process_done(&processes->items[i]);
    processes->items[i] = processes->items[--processes->n];
}

static void drop_unwanted(struct processes *processes) {
    for (size_t i = 0; i < processes->n;)
        if (processes->items[i].seen)
            i++;
        else
            drop(processes, i);
}

// Before 5.14 they are always counted, unless the kernel was told not to when it started: then all
// are 0, which is not taken for an answer either.
static bool accounts_delays(struct processes *processes, struct source *source) {
    int r = source_read(source, &processes->delayacct, "proc/sys/kernel/task_delayacct");
    return r == -ENOENT || (r == 0 && source->buffer[0] == '1');
}

static int64_t clock_us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static bool has_denied(const struct watch *watch) {
    for (size_t i = 0; i < watch->n_sockets; i++)
        if (watch->sockets[i].state == OWNER_DENIED)
            return true;
    return false;
}

// What is not known, the most important first.
static void report(const struct processes *processes, const struct process_look *look,
        struct outcome *outcome) {
    const struct watch *watch = look->context->watch;
    if (watch->n_processes == 0 && has_denied(watch))
        outcome_set(outcome, OUTCOME_DENIED,
                "the owners of watched sockets could not be seen: needs CAP_SYS_PTRACE and "
                "CAP_DAC_READ_SEARCH");
    else if (watch->n_processes == 0)
        outcome_set(outcome, OUTCOME_OK, "no process owns a watched socket");
    else if (look->n_denied > 0)
        outcome_set(outcome, OUTCOME_DENIED,
                "part of %zu of %zu processes could not be seen: needs CAP_SYS_PTRACE",
                look->n_denied, processes->n_owners);
    else if (processes->taskstats.error < 0)
        outcome_set(outcome, OUTCOME_OK, "delays are not known: taskstats: %s",
                strerror(-processes->taskstats.error));
    else if (!look->accounts_delays)
        outcome_set(outcome, OUTCOME_OK,
                "delays are not known: kernel.task_delayacct is off, and counts only for processes "
                "started later");
    else if (look->n_crowded > 0)
        outcome_set(outcome, OUTCOME_OK, "the first %d threads only of %zu processes", THREADS_MAX,
                look->n_crowded);
    else if (watch->n_processes > MAX_OWNERS)
        outcome_set(outcome, OUTCOME_OK, "%d of %zu processes only, those that lose most",
                MAX_OWNERS, watch->n_processes);
}

static int look_at_all(struct processes *processes, struct process_look *look, struct rows *rows) {
    for (size_t i = 0; i < processes->n;) {
        int r = process_look(&processes->items[i], look, rows);
        if (r == -ENOMEM)
            return r;
        if (r < 0)
            drop(processes, i);
        else
            i++;
    }
    return 0;
}

static void collect(
        struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome) {
    struct processes *processes = state;
    struct process_look look = {
        .context = context,
        .taskstats = &processes->taskstats,
        .tick_us = 1000000 / sysconf(_SC_CLK_TCK),
        .now_us = clock_us(CLOCK_MONOTONIC),
        .before_us = processes->booted_us,
        .threads_left = 2 * THREADS_MAX,
    };
    processes->booted_us = clock_us(CLOCK_BOOTTIME);
    for (size_t i = 0; i < processes->n; i++)
        processes->items[i].seen = false;
    want_owners(processes, context);
    want_top(processes, context, look.now_us);
    drop_unwanted(processes);
    processes->looked_us = look.now_us;
    if (processes->n > 0)
        look.accounts_delays = accounts_delays(processes, context->source);
    int r = look_at_all(processes, &look, rows);
    if (r == 0)
        r = continuity_tell(&processes->continuity, rows);
    if (r < 0)
        outcome_read_error(outcome, "proc", r);
    else
        report(processes, &look, outcome);
}

static void peek(struct collect_context *context, void *state) {
    struct processes *processes = state;
    size_t n = 0;
    for (size_t i = 0; i < processes->n; i++)
        n += processes->items[i].dense;
    size_t share = n > 0 ? MAX_OTHER_THREADS / n : 0;
    for (size_t i = 0; i < processes->n; i++)
        if (processes->items[i].dense)
            process_peek(
                    &processes->items[i], share < PEEK_THREADS ? share : PEEK_THREADS, context);
}

const struct collector process_collector = { &process_table, LANE_FAST, start, collect, stop,
    peek };
