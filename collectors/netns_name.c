// SPDX-License-Identifier: GPL-2.0-or-later
// Namespace names
//
// The name that `ip netns` gave it, else the container, else the unit, else the process that lives
// there.
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "collectors/cgroup_name.h"
#include "collectors/netns.h"
#include "core/cleanup.h"

static void close_directory(DIR **directory) {
    if (*directory)
        closedir(*directory);
}

// `ip netns` binds the namespace to a file below /run/netns: the same inode.
static bool name_of_ip_netns(const struct netns_list *list, const struct netns *netns, char *name) {
    _cleanup_(close_directory) DIR *directory = NULL;
    int fd = list->source->live && netns->inode
                     ? source_open(list->source, "run/netns", O_DIRECTORY)
                     : -1;
    if (fd < 0 || !(directory = fdopendir(fd)))
        return false;
    struct dirent *entry;
    while ((entry = readdir(directory))) {
        struct stat status;
        if (fstatat(fd, entry->d_name, &status, 0) < 0 || status.st_ino != netns->inode)
            continue;
        snprintf(name, NETNS_NAME_SIZE, "%.80s", entry->d_name);
        return true;
    }
    return false;
}

static bool read_process_file(
        const struct netns_list *list, const struct netns *netns, const char *file) {
    char path[NETNS_PATH_SIZE];
    struct source_file once = SOURCE_FILE_CLOSED;
    snprintf(path, sizeof(path), "proc/%d/%s", (int) netns->pid, file);
    int r = source_read(list->source, &once, path);
    source_file_close(&once);
    return r == 0 && list->source->size > 0;
}

static bool name_of_cgroup(const struct netns_list *list, const struct netns *netns, char *name) {
    struct cgroup_name cgroup;
    if (!read_process_file(list, netns, "cgroup"))
        return false;
    cgroup_name_parse(list->source->buffer, list->source->size, &cgroup);
    const char *chosen = cgroup.container[0] ? cgroup.container : cgroup.unit;
    snprintf(name, NETNS_NAME_SIZE, "%s", chosen);
    return chosen[0] != '\0';
}

static void name_of_process(const struct netns_list *list, const struct netns *netns, char *name) {
    const char *comm = "";
    if (read_process_file(list, netns, "comm")) {
        char *end = strrchr(list->source->buffer, '\n'); // a comm may hold newlines itself
        if (end)
            *end = '\0';
        comm = list->source->buffer;
    }
    snprintf(name, NETNS_NAME_SIZE, "%.64s[%d]", comm, (int) netns->pid);
}

static bool is_taken(const struct netns_list *list, size_t but, const char *name) {
    for (size_t i = 0; i < list->n; i++)
        if (i != but && strcmp(list->items[i].name, name) == 0)
            return true;
    return false;
}

void netns_choose_name(const struct netns_list *list, size_t i) {
    struct netns *netns = &list->items[i];
    char name[NETNS_NAME_SIZE], unique[NETNS_NAME_SIZE];
    if (!name_of_ip_netns(list, netns, name) && !name_of_cgroup(list, netns, name))
        name_of_process(list, netns, name);
    snprintf(unique, sizeof(unique), "%s", name);
    for (unsigned n = 2; is_taken(list, i, unique); n++)
        snprintf(unique, sizeof(unique), "%.80s#%u", name, n);
    snprintf(netns->name, sizeof(netns->name), "%s", unique);
}
