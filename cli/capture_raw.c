// SPDX-License-Identifier: GPL-2.0-or-later
// Raw files of a capture
#include "cli/capture_raw.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

#define PATH_SIZE 512

// * is any one name. No command line, environment, or content of a packet is in any of them.
static const struct raw_file {
    const char *pattern;
    bool has_addresses;
} files[] = {
    { "proc/net/snmp" },
    { "proc/net/snmp6" },
    { "proc/net/netstat" },
    { "proc/net/sockstat" },
    { "proc/net/sockstat6" },
    { "proc/net/dev" },
    { "proc/net/softnet_stat" },
    { "proc/net/stat/nf_conntrack" },
    { "proc/net/udp", true },
    { "proc/net/udp6", true },
    { "proc/net/udplite", true },
    { "proc/net/udplite6", true },
    { "proc/stat" },
    { "proc/uptime" },
    { "proc/loadavg" },
    { "proc/meminfo" },
    { "proc/vmstat" },
    { "proc/diskstats" },
    { "proc/pressure/*" },
    { "proc/interrupts" },
    { "proc/softirqs" },
    { "proc/sys/kernel/osrelease" },
    { "proc/sys/kernel/task_delayacct" },
    { "proc/sys/net/core/*" },
    { "proc/sys/net/ipv4/udp_*" },
    { "proc/sys/net/ipv4/ipfrag_*" },
    { "proc/sys/net/ipv4/ip_forward" },
    { "proc/sys/net/ipv4/conf/*/rp_filter" },
    { "proc/sys/net/ipv4/conf/*/force_igmp_version" },
    { "proc/sys/net/ipv6/ip6frag_*" },
    { "proc/sys/net/netfilter/nf_conntrack_max" },
    { "proc/sys/net/netfilter/nf_conntrack_buckets" },
    { "proc/sys/net/netfilter/nf_conntrack_count" },
    { "proc/sys/net/netfilter/nf_conntrack_frag6_*" },
};

static const char *const process_files[] = { "stat", "status", "schedstat", "io", "wchan",
    "cgroup" };

struct copying {
    struct source *source;
    const char *folder;
    struct bundle *bundle;
};

// Some may not be read, such as stable_secret: they are not there.
static int copy_file(const struct copying *copying, const char *path) {
    struct source_file file = SOURCE_FILE_CLOSED;
    char target[PATH_SIZE];
    int r = source_read(copying->source, &file, path);
    source_file_close(&file);
    if (r < 0)
        return r == -ENOMEM ? r : 0;
    int n = snprintf(target, sizeof(target), "%s/%s", copying->folder, path);
    if ((size_t) n >= sizeof(target))
        return 0;
    return bundle_put(copying->bundle, target, copying->source->buffer, copying->source->size);
}

static int copy_matching(const struct copying *copying, const char *pattern);

// One name of the folder in place of `wild`, the component that has the *.
static int copy_name(const struct copying *copying, const char *pattern, size_t before, size_t wild,
        const char *name) {
    char path[PATH_SIZE], word[PATH_SIZE];
    snprintf(word, sizeof(word), "%.*s", (int) wild, pattern + before);
    if (name[0] == '.' || fnmatch(word, name, 0) != 0)
        return 0;
    int n = snprintf(
            path, sizeof(path), "%.*s%s%s", (int) before, pattern, name, pattern + before + wild);
    return (size_t) n < sizeof(path) && !strchr(name, '*') ? copy_matching(copying, path) : 0;
}

static int copy_matching(const struct copying *copying, const char *pattern) {
    const char *star = strchr(pattern, '*');
    if (!star)
        return copy_file(copying, pattern);
    size_t before = (size_t) (star - pattern);
    while (before > 0 && pattern[before - 1] != '/')
        before--;
    size_t wild = strcspn(pattern + before, "/");
    char folder[PATH_SIZE];
    snprintf(folder, sizeof(folder), "%.*s", (int) before, pattern);
    int fd = source_open(copying->source, folder, O_DIRECTORY), r = 0;
    DIR *names = fd >= 0 ? fdopendir(fd) : NULL;
    if (!names) {
        if (fd >= 0)
            close(fd);
        return 0;
    }
    for (struct dirent *entry; r == 0 && (entry = readdir(names));)
        r = copy_name(copying, pattern, before, wild, entry->d_name);
    closedir(names);
    return r;
}

static int copy_process(const struct copying *copying, int64_t pid) {
    char path[PATH_SIZE];
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof(process_files) / sizeof(process_files[0]); i++) {
        snprintf(path, sizeof(path), "proc/%" PRId64 "/%s", pid, process_files[i]);
        r = copy_file(copying, path);
    }
    return r;
}

static int copy_processes(const struct copying *copying, const struct sample *sample) {
    int r = 0;
    for (size_t t = 0; t < sample->n_tables; t++) {
        const struct rows *rows = &sample->rows[t];
        int column =
                strcmp(rows->table->name, "process") == 0 ? table_column(rows->table, "pid") : -1;
        for (size_t i = 0; r == 0 && column >= 0 && i < rows->n; i++)
            r = copy_process(copying, rows_at(rows, i)[column]);
    }
    return r;
}

int capture_raw(struct source *source, const struct sample *sample, bool hide_addresses,
        const char *folder, struct bundle *bundle, json_object *left_out) {
    struct copying copying = { source, folder, bundle };
    int r = 0;
    for (size_t i = 0; r == 0 && i < sizeof(files) / sizeof(files[0]); i++) {
        char path[PATH_SIZE];
        snprintf(path, sizeof(path), "%s/%s", folder, files[i].pattern);
        if (hide_addresses && files[i].has_addresses)
            r = json_object_array_add(left_out, json_object_new_string(path)) < 0 ? -ENOMEM : 0;
        else
            r = copy_matching(&copying, files[i].pattern);
    }
    return r < 0 ? r : copy_processes(&copying, sample);
}
