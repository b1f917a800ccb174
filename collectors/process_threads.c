// SPDX-License-Identifier: GPL-2.0-or-later
// Process threads
#include "collectors/process_threads.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/cleanup.h"

#define FILE_SIZE 48

void threads_done(struct threads *threads) {
    free(threads->items);
    *threads = THREADS_EMPTY;
}

// They are listed in the order of their start, so that each is found where it was or a little
// before.
static struct thread *find(struct threads *threads, pid_t tid, size_t hint) {
    for (size_t i = 0; i < threads->n; i++) {
        struct thread *thread = &threads->items[(hint + i) % threads->n];
        if (thread->tid == tid)
            return thread;
    }
    return NULL;
}

static struct thread *add(struct threads *threads, pid_t tid) {
    if (threads->n == threads->capacity) {
        size_t capacity = threads->capacity ? threads->capacity * 2 : 4;
        struct thread *items = reallocarray(threads->items, capacity, sizeof(*items));
        if (!items)
            return NULL;
        threads->items = items;
        threads->capacity = capacity;
    }
    struct thread *thread = &threads->items[threads->n++];
    *thread =
            (struct thread){ .tid = tid, .run_ns = CELL_NULL, .delay_ns = CELL_NULL, .epoll = -1 };
    return thread;
}

static cell add_growth(cell sum, cell growth) {
    return growth == CELL_NULL ? sum : sum == CELL_NULL ? growth : sum + growth;
}

// A thread that began since the look before has 0 behind it; so has another of the same number.
static cell growth_of_thread(cell before, cell now) {
    return before == CELL_NULL || now < before ? now : now - before;
}

static void count_times(struct threads *threads, struct thread *thread, struct source *source,
        const struct folder *process) {
    char file[FILE_SIZE];
    struct process_schedstat times;
    snprintf(file, sizeof(file), "task/%d/schedstat", (int) thread->tid);
    thread->run_step = thread->delay_step = CELL_NULL;
    if (folder_read(source, process, file) < 0 ||
            !parse_process_schedstat(source->buffer, source->size, &times))
        return;
    // One that ran for longer than the step is not new: others before it in the list ended.
    bool known = thread->run_ns != CELL_NULL || times.run_ns / 1000 <= threads->step_us * 2;
    if (threads->step_us > 0 && !known) {
        thread->run_ns = times.run_ns;
        thread->delay_ns = times.delay_ns;
        return;
    }
    cell run = growth_of_thread(thread->run_ns, times.run_ns);
    cell delay = growth_of_thread(thread->delay_ns, times.delay_ns);
    threads->run_ns = add_growth(threads->run_ns, run);
    threads->delay_ns = add_growth(threads->delay_ns, delay);
    thread->run_ns = times.run_ns;
    thread->delay_ns = times.delay_ns;
    if (threads->step_us > 0) {
        thread->run_step = run;
        thread->delay_step = delay;
    }
}

struct owned {
    const struct watch *watch;
    pid_t pid;
    struct source *source;
    const struct folder *process;
};

static bool owns_inode(const struct owned *owned, uint64_t inode) {
    const struct watch *watch = owned->watch;
    for (size_t i = 0; i < watch->n_owners; i++)
        if (watch->owners[i].pid == owned->pid && watch->owners[i].inode == inode)
            return true;
    return false;
}

static bool owns_fd(const struct owned *owned, int fd) {
    char file[FILE_SIZE], link[64];
    unsigned long inode;
    snprintf(file, sizeof(file), "fd/%d", fd);
    ssize_t n = folder_read_link(owned->source, owned->process, file, link, sizeof(link));
    return n > 0 && sscanf(link, "socket:[%lu]", &inode) == 1 && owns_inode(owned, inode);
}

static bool owns_event(void *userdata, int fd, uint64_t inode) {
    return inode ? owns_inode(userdata, inode) : owns_fd(userdata, fd);
}

static bool epoll_reads(const struct owned *owned, struct thread *thread, int epoll) {
    char file[FILE_SIZE];
    if (thread->epoll == epoll)
        return false;
    thread->epoll = epoll;
    snprintf(file, sizeof(file), "fdinfo/%d", epoll);
    return folder_read(owned->source, owned->process, file) == 0 &&
           epoll_fdinfo_has(owned->source->buffer, owned->source->size, owns_event, (void *) owned);
}

static void find_reader(struct thread *thread, struct source *source, const struct folder *process,
        pid_t pid, const struct watch *watch) {
    char file[FILE_SIZE];
    struct process_syscall call;
    snprintf(file, sizeof(file), "task/%d/syscall", (int) thread->tid);
    if (thread->reader || folder_read(source, process, file) < 0 ||
            !parse_process_syscall(source->buffer, source->size, &call) || call.first > INT32_MAX)
        return;
    struct owned owned = { watch, pid, source, process };
    int fd = (int) call.first;
    thread->reader = syscall_receives(call.number)           ? owns_fd(&owned, fd)
                     : syscall_waits_for_events(call.number) ? epoll_reads(&owned, thread, fd)
                                                             : false;
}

void threads_find_readers(struct threads *threads, size_t n, struct source *source,
        const struct folder *process, pid_t pid, const struct watch *watch) {
    for (size_t i = 0; i < n && i < threads->n; i++) {
        threads->next = (threads->next + 1) % threads->n;
        find_reader(&threads->items[threads->next], source, process, pid, watch);
    }
}

static int list(struct threads *threads, size_t max, int task) {
    char entries[8192] __attribute__((aligned(__alignof__(struct dirent64))));
    ssize_t n;
    size_t hint = 0;
    threads->n_all = 0;
    while ((n = getdents64(task, entries, sizeof(entries))) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct dirent64 *entry = (const struct dirent64 *) (entries + at);
            at += entry->d_reclen;
            pid_t tid = (pid_t) atol(entry->d_name);
            if (tid <= 0)
                continue;
            threads->n_all++;
            struct thread *thread = threads->n_all <= max ? find(threads, tid, hint) : NULL;
            if (!thread && threads->n_all <= max)
                thread = add(threads, tid);
            if (!thread)
                continue;
            thread->seen = true;
            hint = (size_t) (thread - threads->items) + 1;
        }
    return n < 0 ? -errno : threads->n_all > 0 ? 0 : -ESRCH;
}

static void drop_ended(struct threads *threads) {
    size_t n = 0;
    for (size_t i = 0; i < threads->n; i++)
        if (threads->items[i].seen)
            threads->items[n++] = threads->items[i];
    threads->n = n;
}

int threads_look(struct threads *threads, size_t max, struct source *source,
        const struct folder *process, pid_t pid, const struct watch *watch, int64_t now_us) {
    _cleanup_close_ int task = folder_open_file(source, process, "task", O_DIRECTORY);
    if (task < 0)
        return task;
    for (size_t i = 0; i < threads->n; i++)
        threads->items[i].seen = false;
    int r = list(threads, max, task);
    if (r < 0)
        return r;
    drop_ended(threads);
    threads->step_us = threads->looked_us > 0 ? now_us - threads->looked_us : 0;
    threads->looked_us = now_us;
    for (size_t i = 0; i < threads->n; i++)
        count_times(threads, &threads->items[i], source, process);
    threads_find_readers(threads, THREADS_ASKED, source, process, pid, watch);
    return 0;
}

// Before there is a step, the one that ran most since its start.
static cell heat(const struct thread *thread) {
    return thread->run_step != CELL_NULL ? thread->run_step : thread->run_ns;
}

size_t threads_readers(const struct threads *threads) {
    size_t n = 0;
    for (size_t i = 0; i < threads->n; i++)
        n += threads->items[i].reader;
    return n;
}

const struct thread *threads_hottest(const struct threads *threads, bool reader) {
    const struct thread *hottest = NULL;
    bool only_readers = reader && threads_readers(threads) > 0;
    for (size_t i = 0; i < threads->n; i++) {
        const struct thread *thread = &threads->items[i];
        if (only_readers && !thread->reader)
            continue;
        if (!hottest || heat(thread) > heat(hottest))
            hottest = thread;
    }
    return hottest;
}
