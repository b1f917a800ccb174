// SPDX-License-Identifier: GPL-2.0-or-later
// Owner search
#include "collectors/owner_search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "collectors/key_table.h"
#include "collectors/process_files.h"
#include "core/cleanup.h"

#define LINK_SIZE 64
#define LISTING_BYTES 32768
#define NO_SOCKET UINT32_MAX

struct owner_search {
    struct source *source;
    DIR *proc; // of the search that runs; it stays open between them
    bool running;
    uint32_t n_started, n_done; // searches
    int64_t next_ms;            // none before
    int64_t cost_us;            // of the search that runs, or of the last one
    size_t n_denied;            // as it is counted
    // Inode -> index of its socket, and the number of searches that had begun when it was first
    // asked for.
    struct key_table wanted, spare;
    struct key_table held; // which owners are there: process << 32 | inode
    // The process whose start was asked for last in this look; 0: none.
    pid_t started_pid;
    uint64_t started;
    char listing[LISTING_BYTES];
};

struct wanted {
    uint32_t socket, since;
};

static struct wanted get_wanted(const struct key_entry *entry) {
    return (struct wanted){ (uint32_t) entry->value, (uint32_t) (entry->value >> 32) };
}

int owner_search_new(struct source *source, struct owner_search **ret) {
    struct owner_search *search = calloc(1, sizeof(*search));
    if (!search)
        return -ENOMEM;
    search->source = source;
    *ret = search;
    return 0;
}

struct owner_search *owner_search_free(struct owner_search *search) {
    if (!search)
        return NULL;
    if (search->proc)
        closedir(search->proc);
    key_table_done(&search->wanted);
    key_table_done(&search->spare);
    key_table_done(&search->held);
    free(search);
    return NULL;
}

static int64_t cpu_us(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int set_wanted(struct owner_search *search, const struct watch *watch) {
    key_table_clear(&search->spare);
    for (size_t i = 0; i < watch->n_sockets; i++) {
        uint32_t inode = watch->sockets[i].inode;
        if (!inode)
            continue;
        const struct key_entry *known = key_table_find(&search->wanted, inode);
        uint32_t since = known ? get_wanted(known).since : search->n_started;
        struct key_entry *entry = key_table_add(&search->spare, inode, NULL);
        if (!entry)
            return -ENOMEM;
        entry->value = (uint64_t) since << 32 | i;
    }
    struct key_table before = search->wanted;
    search->wanted = search->spare;
    search->spare = before;
    return 0;
}

static uint32_t socket_of(const struct owner_search *search, uint32_t inode) {
    const struct key_entry *entry = key_table_find(&search->wanted, inode);
    return entry ? get_wanted(entry).socket : NO_SOCKET;
}

// "socket:[12345]"; 0: it is none.
static uint32_t inode_of_link(const char *link, ssize_t n) {
    static const char prefix[] = "socket:[";
    const ssize_t n_prefix = sizeof(prefix) - 1;
    if (n <= n_prefix || memcmp(link, prefix, (size_t) n_prefix) != 0)
        return 0;
    uint64_t inode = 0;
    ssize_t i = n_prefix;
    for (; i < n && link[i] >= '0' && link[i] <= '9' && inode <= UINT32_MAX; i++)
        inode = inode * 10 + (uint64_t) (link[i] - '0');
    return i == n - 1 && link[i] == ']' && inode <= UINT32_MAX ? (uint32_t) inode : 0;
}

static bool get_start_time(struct owner_search *search, pid_t pid, uint64_t *ret) {
    char path[LINK_SIZE];
    struct process_stat stat;
    struct source_file file = SOURCE_FILE_CLOSED;
    if (pid != search->started_pid) {
        snprintf(path, sizeof(path), "proc/%d/stat", (int) pid);
        int r = source_read(search->source, &file, path);
        source_file_close(&file);
        if (r < 0 || !parse_process_stat(search->source->buffer, search->source->size, &stat))
            return false;
        search->started_pid = pid;
        search->started = (uint64_t) stat.start_time;
    }
    *ret = search->started;
    return true;
}

static bool still_holds(struct owner_search *search, const struct watched_owner *owner) {
    char path[LINK_SIZE], link[LINK_SIZE];
    uint64_t start_time;
    snprintf(path, sizeof(path), "proc/%d/fd/%d", (int) owner->pid, owner->fd);
    ssize_t n = source_read_link(search->source, path, link, sizeof(link));
    return inode_of_link(link, n) == owner->inode &&
           get_start_time(search, owner->pid, &start_time) && start_time == owner->start_time;
}

static uint64_t key_of(const struct watched_owner *owner) {
    return (uint64_t) (uint32_t) owner->pid << 32 | owner->inode;
}

static bool has_owner(const struct watch *watch, uint32_t inode) {
    for (size_t i = 0; i < watch->n_owners; i++)
        if (watch->owners[i].inode == inode)
            return true;
    return false;
}

// A socket that lost its last holder is searched for again: it may have a new one, or another
// descriptor.
static void drop_owner(
        struct owner_search *search, const struct watch *watch, const struct watched_owner *owner) {
    key_table_remove(&search->held, key_of(owner));
    struct key_entry *entry = key_table_find(&search->wanted, owner->inode);
    if (entry && !has_owner(watch, owner->inode))
        entry->value = (uint64_t) search->n_started << 32 | get_wanted(entry).socket;
}

static void verify(struct owner_search *search, struct watch *watch) {
    size_t n_before = watch->n_owners, n = 0;
    for (size_t i = 0; i < n_before; i++) {
        struct watched_owner owner = watch->owners[i];
        if (!key_table_find(&search->wanted, owner.inode) || !still_holds(search, &owner))
            continue;
        watch->owners[i] = watch->owners[n];
        watch->owners[n++] = owner;
    }
    watch->n_owners = n;
    for (size_t i = n; i < n_before; i++)
        drop_owner(search, watch, &watch->owners[i]);
}

static int add_owner(
        struct owner_search *search, struct watch *watch, pid_t pid, int fd, uint32_t inode) {
    struct watched_owner owner = { .pid = pid, .inode = inode, .fd = fd };
    if (key_table_find(&search->held, key_of(&owner)) ||
            !get_start_time(search, pid, &owner.start_time))
        return 0;
    if (watch->n_owners == watch->owners_capacity) {
        size_t capacity = watch->owners_capacity ? watch->owners_capacity * 2 : 16;
        struct watched_owner *owners = reallocarray(watch->owners, capacity, sizeof(*owners));
        if (!owners)
            return -ENOMEM;
        watch->owners = owners;
        watch->owners_capacity = capacity;
    }
    if (!key_table_add(&search->held, key_of(&owner), NULL))
        return -ENOMEM;
    watch->owners[watch->n_owners++] = owner;
    return 0;
}

// One entry of proc/PID/fd. 0, 1: it may not be seen, or -ENOMEM.
static int search_file(
        struct owner_search *search, struct watch *watch, int folder, pid_t pid, const char *name) {
    char link[LINK_SIZE];
    if (name[0] < '0' || name[0] > '9')
        return 0;
    ssize_t n = readlinkat(folder, name, link, sizeof(link));
    if (n < 0)
        return errno == EACCES || errno == EPERM;
    uint32_t inode = inode_of_link(link, n);
    if (!inode || socket_of(search, inode) == NO_SOCKET)
        return 0;
    return add_owner(search, watch, pid, atoi(name), inode);
}

static int search_process(struct owner_search *search, struct watch *watch, pid_t pid) {
    char path[LINK_SIZE];
    snprintf(path, sizeof(path), "proc/%d/fd", (int) pid);
    _cleanup_close_ int folder = source_open(search->source, path, O_DIRECTORY);
    if (folder < 0) {
        search->n_denied += folder == -EACCES || folder == -EPERM;
        return 0;
    }
    ssize_t n;
    while ((n = getdents64(folder, search->listing, sizeof(search->listing))) > 0) {
        const struct dirent64 *entry;
        for (ssize_t at = 0; at < n; at += entry->d_reclen) {
            entry = (const struct dirent64 *) (search->listing + at);
            int r = search_file(search, watch, folder, pid, entry->d_name);
            if (r == 0)
                continue;
            search->n_denied += r == 1;
            return r < 0 ? r : 0;
        }
    }
    return 0;
}

// 0, 1: there is no proc, or -ENOMEM.
static int begin(struct owner_search *search) {
    if (!search->proc) {
        int fd = source_open(search->source, "proc", O_DIRECTORY);
        if (fd < 0)
            return 1;
        search->proc = fdopendir(fd);
        if (!search->proc) {
            close(fd);
            return -ENOMEM;
        }
    }
    rewinddir(search->proc);
    search->running = true;
    search->n_started++;
    search->cost_us = 0;
    search->n_denied = 0;
    return 0;
}

static void end(struct owner_search *search, struct watch *watch, int64_t now_ms) {
    search->running = false;
    search->n_done = search->n_started;
    search->next_ms = now_ms + search->cost_us * OWNER_SEARCH_SHARE / 1000;
    watch->n_denied = search->n_denied;
}

static int compare_owners(const void *a, const void *b) {
    const struct watched_owner *x = a, *y = b;
    if (x->pid != y->pid)
        return x->pid < y->pid ? -1 : 1;
    return (x->inode > y->inode) - (x->inode < y->inode);
}

static int search_on(struct owner_search *search, struct watch *watch, int64_t now_ms) {
    int64_t start_us = cpu_us(), spent_us = 0;
    int64_t most_us = search->source->live ? OWNER_SEARCH_LOOK_US : INT64_MAX;
    size_t n_before = watch->n_owners;
    struct dirent *entry;
    int r = 0;
    while (r == 0 && spent_us < most_us && (entry = readdir(search->proc))) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9')
            continue;
        r = search_process(search, watch, (pid_t) atol(entry->d_name));
        spent_us = cpu_us() - start_us;
    }
    search->cost_us += spent_us;
    if (r == 0 && spent_us < most_us)
        end(search, watch, now_ms);
    if (watch->n_owners > n_before)
        qsort(watch->owners, watch->n_owners, sizeof(*watch->owners), compare_owners);
    return r;
}

static bool is_searched(const struct owner_search *search, uint32_t inode) {
    const struct key_entry *entry = key_table_find(&search->wanted, inode);
    return entry && search->n_done > get_wanted(entry).since;
}

static bool is_due(const struct owner_search *search, const struct watch *watch, int64_t now_ms) {
    if (search->wanted.n == 0 || now_ms < search->next_ms)
        return false;
    for (size_t i = 0; i < watch->n_sockets; i++)
        if (watch->sockets[i].inode && !is_searched(search, watch->sockets[i].inode))
            return true;
    return search->source->live && now_ms >= search->next_ms + OWNER_SEARCH_REFRESH_MS;
}

static int add_process(struct watch *watch, const struct watched_owner *owner) {
    if (watch->n_processes == watch->processes_capacity) {
        size_t capacity = watch->processes_capacity ? watch->processes_capacity * 2 : 16;
        struct watched_process *processes =
                reallocarray(watch->processes, capacity, sizeof(*processes));
        if (!processes)
            return -ENOMEM;
        watch->processes = processes;
        watch->processes_capacity = capacity;
    }
    watch->processes[watch->n_processes++] =
            (struct watched_process){ .pid = owner->pid, .start_time = owner->start_time };
    return 0;
}

static int list_processes(struct watch *watch) {
    watch->n_processes = 0;
    for (size_t i = 0; i < watch->n_owners; i++) {
        const struct watched_owner *owner = &watch->owners[i];
        if (i == 0 || owner->pid != owner[-1].pid) {
            int r = add_process(watch, owner);
            if (r < 0)
                return r;
        }
        struct watched_process *process = &watch->processes[watch->n_processes - 1];
        const struct watched_socket *socket = &watch->sockets[owner->socket];
        process->n_sockets++;
        process->lossy |= socket->lossy;
        process->dense |= socket->dense;
        process->full |= socket->full;
        process->lost += socket->lost;
    }
    return 0;
}

static void set_states(struct owner_search *search, struct watch *watch) {
    for (size_t i = 0; i < watch->n_sockets; i++)
        watch->sockets[i].n_owners = 0;
    for (size_t i = 0; i < watch->n_owners; i++) {
        watch->owners[i].socket = socket_of(search, watch->owners[i].inode);
        watch->sockets[watch->owners[i].socket].n_owners++;
    }
    for (size_t i = 0; i < watch->n_sockets; i++) {
        struct watched_socket *socket = &watch->sockets[i];
        bool denied = socket->inode && watch->n_denied > 0 && is_searched(search, socket->inode);
        socket->state = socket->n_owners > 0 ? OWNER_FOUND : denied ? OWNER_DENIED : OWNER_UNKNOWN;
    }
}

int owner_search_run(struct owner_search *search, struct watch *watch, int64_t now_ms) {
    int r = set_wanted(search, watch);
    if (r < 0)
        return r;
    search->started_pid = 0;
    if (watch->n_owners == 0)
        key_table_clear(&search->held);
    verify(search, watch);
    if (!search->running && is_due(search, watch, now_ms))
        r = begin(search);
    if (r == 0 && search->running)
        r = search_on(search, watch, now_ms);
    set_states(search, watch);
    return r < 0 ? r : list_processes(watch);
}

bool owner_search_is_running(const struct owner_search *search) {
    return search->running;
}

bool owner_search_was_vain(
        const struct owner_search *search, const struct watch *watch, uint32_t inode) {
    return watch->n_denied == 0 && is_searched(search, inode) && !search->running;
}
