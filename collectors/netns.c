// SPDX-License-Identifier: GPL-2.0-or-later
// Network namespaces
#include "collectors/netns.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/cleanup.h"

// Of names of /proc that begin like a number; a process has seven at most.
#define PID_DIGITS 20

// "net:[4026531840]". 0 or -errno.
static int inode_of_link(const struct netns_list *list, const char *pid, uint64_t *ret) {
    static const char begin[] = "net:[";
    char path[NETNS_PATH_SIZE] = "proc/", text[64], *end;
    // Done for each process: snprintf() and sscanf() would cost half as much as the kernel's part.
    strcpy(mempcpy(path + strlen("proc/"), pid, strnlen(pid, PID_DIGITS)), "/ns/net");
    ssize_t n = source_read_link(list->source, path, text, sizeof(text) - 1);
    if (n < 0)
        return (int) n;
    text[n] = '\0';
    if (strncmp(text, begin, strlen(begin)) != 0)
        return -EINVAL;
    const char *number = text + strlen(begin);
    unsigned long inode = strtoul(number, &end, 10);
    if (end == number || *end != ']' || inode > UINT32_MAX) // unsigned int in the kernel
        return -EINVAL;
    *ret = inode;
    return 0;
}

// Each namespace has its own entries below proc/PID/net, so that their inode numbers tell
// namespaces apart where the link is closed to us: it takes the right to trace the process,
// proc/PID/net takes none. 0: not known.
static uint64_t inode_of_net(const struct netns_list *list, const char *pid) {
    char path[NETNS_PATH_SIZE];
    struct stat status;
    snprintf(path, sizeof(path), "proc/%.20s/net/dev", pid);
    if (!list->source->live || fstatat(list->source->root, path, &status, 0) < 0)
        return 0;
    return status.st_ino;
}

int netns_list_init(struct netns_list *list, struct source *source) {
    _cleanup_free_ struct netns *items = calloc(4, sizeof(*items));
    if (!items)
        return -ENOMEM;
    items[0] = (struct netns){ .name = "host", .host = true };
    netns_forget_in_use(&items[0]);
    *list = (struct netns_list){ .source = source, .n = 1, .capacity = 4 };
    netns_turns_init(list);
    int fd = source_open(source, "proc", O_DIRECTORY);
    if (fd >= 0 && !(list->proc = fdopendir(fd))) {
        close(fd);
        return -ENOMEM;
    }
    list->items = items;
    items = NULL;
    return 0;
}

void netns_list_done(struct netns_list *list) {
    free(list->items);
    if (list->proc)
        closedir(list->proc);
    *list = (struct netns_list){ 0 };
}

static bool is_denied(int r) {
    return r == -EACCES || r == -EPERM;
}

static bool is_readable(const struct netns_list *list, const struct netns *netns) {
    char pid[16];
    uint64_t inode = 0;
    snprintf(pid, sizeof(pid), "%d", (int) netns->pid);
    int r = inode_of_link(list, pid, &inode);
    if (r == 0 && netns->inode)
        return inode == netns->inode;
    return (r == 0 || is_denied(r)) && inode_of_net(list, pid) == netns->net_inode;
}

bool netns_list_is_current(const struct netns_list *list) {
    if (!list->source->live)
        return true;
    for (size_t i = 1; i < list->n; i++)
        if (!is_readable(list, &list->items[i]))
            return false;
    return true;
}

static struct netns *find(const struct netns_list *list, uint64_t inode, uint64_t net_inode) {
    for (size_t i = 0; i < list->n; i++) {
        struct netns *netns = &list->items[i];
        if (inode && netns->inode ? netns->inode == inode
                                  : net_inode && netns->net_inode == net_inode)
            return netns;
    }
    return NULL;
}

static struct netns *add(struct netns_list *list, uint64_t inode, uint64_t net_inode) {
    if (list->n == list->capacity) {
        struct netns *items = reallocarray(list->items, list->capacity * 2, sizeof(*items));
        if (!items)
            return NULL;
        list->items = items;
        list->capacity *= 2;
    }
    struct netns *netns = &list->items[list->n++];
    *netns = (struct netns){ .inode = inode, .net_inode = net_inode };
    netns_forget_in_use(netns);
    return netns;
}

// The namespace of a process, added if it is new. 0, 1: it has none or may not be seen, or -ENOMEM.
static int identify(struct netns_list *list, const char *pid, struct netns **ret) {
    uint64_t inode = 0, net_inode = 0;
    int r = inode_of_link(list, pid, &inode);
    if (r < 0 && !is_denied(r))
        return 1; // a zombie, or just gone
    struct netns *netns = find(list, inode, 0);
    if (!netns) {
        net_inode = inode_of_net(list, pid);
        netns = find(list, inode, net_inode);
    }
    if (!netns && !inode && !net_inode) {
        list->unseen++;
        return 1;
    }
    if (!netns && !(netns = add(list, inode, net_inode)))
        return -ENOMEM;
    if (!netns->inode)
        netns->inode = inode;
    *ret = netns;
    return 0;
}

// The next process of the directory; NULL at its end.
static const char *next_process(struct netns_list *list) {
    struct dirent *entry;
    while ((entry = readdir(list->proc)))
        if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9')
            return entry->d_name;
    return NULL;
}

// In a directory without process 1, whoever comes first lived on the host.
static void take_lowest_for_host(struct netns_list *list) {
    const char *pid;
    long lowest = 0;
    uint64_t inode = 0;
    rewinddir(list->proc);
    while ((pid = next_process(list))) {
        long number = atol(pid);
        if ((lowest == 0 || number < lowest) && inode_of_link(list, pid, &inode) == 0) {
            list->items[0].inode = inode;
            lowest = number;
        }
    }
}

static void identify_host(struct netns_list *list) {
    struct netns *host = &list->items[0];
    _cleanup_close_ int net = source_open(list->source, "proc/1/net", O_PATH);
    host->pid = net >= 0 ? 1 : 0;
    host->net_inode = inode_of_net(list, "1");
    if (inode_of_link(list, "1", &host->inode) < 0 && !list->source->live && !host->inode)
        take_lowest_for_host(list);
    if (list->source->live)
        inode_of_link(list, "self", &list->own_inode);
}

static int scan_processes(struct netns_list *list) {
    const char *pid;
    rewinddir(list->proc);
    while ((pid = next_process(list))) {
        struct netns *netns;
        int r = identify(list, pid, &netns);
        if (r < 0)
            return r;
        // The lowest number is the oldest process, which is likely to stay the longest.
        if (r == 0 && (!netns->candidate || atol(pid) < netns->candidate))
            netns->candidate = (pid_t) atol(pid);
    }
    return 0;
}

// Keeps the member that a namespace is read through as long as that is possible.
static void choose_members(struct netns_list *list) {
    size_t n = 1;
    for (size_t i = 1; i < list->n; i++) {
        struct netns *netns = &list->items[i];
        if (!netns->candidate)
            continue; // nobody lives there any more
        if (!netns->pid || !is_readable(list, netns))
            netns->pid = netns->candidate;
        list->items[n++] = *netns;
    }
    list->n = n;
    for (size_t i = 1; i < list->n; i++)
        if (list->items[i].name[0] == '\0')
            netns_choose_name(list, i);
}

int netns_list_discover(struct netns_list *list) {
    list->unseen = 0;
    if (!list->proc)
        return 0;
    for (size_t i = 0; i < list->n; i++)
        list->items[i].candidate = 0;
    identify_host(list);
    int r = scan_processes(list);
    choose_members(list);
    return r;
}

char *netns_path(const struct netns *netns, const char *file, char *buffer) {
    if (netns->pid)
        snprintf(buffer, NETNS_PATH_SIZE, "proc/%d/net/%s", (int) netns->pid, file);
    else
        snprintf(buffer, NETNS_PATH_SIZE, "proc/net/%s", file);
    return buffer;
}

int netns_read(const struct netns_list *list, const struct netns *netns,
        struct source_file *host_file, const char *file) {
    return netns_read_records(list, netns, host_file, file, 0);
}

int netns_read_records(const struct netns_list *list, const struct netns *netns,
        struct source_file *host_file, const char *file, size_t record_bytes) {
    char path[NETNS_PATH_SIZE];
    struct source_file once = SOURCE_FILE_CLOSED;
    struct source_file *kept = netns->host ? host_file : &once;
    path[0] = '\0'; // an open file needs none
    if (kept->fd < 0)
        netns_path(netns, file, path);
    int r = source_read_records(list->source, kept, path, record_bytes);
    source_file_close(&once);
    return r;
}
