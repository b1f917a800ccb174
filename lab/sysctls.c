// SPDX-License-Identifier: GPL-2.0-or-later
// Host sysctls
//
// A new network namespace does not see the sysctls that the whole host has in common, such as
// netdev_max_backlog and udp_mem, or sees them read only, such as rmem_max. On the host that a lab
// stands for they are there: so a folder with the host's files among the lab's own is mounted over
// the lab's.
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>

#include "core/cleanup.h"
#include "lab/private.h"

#define FOLDER_SIZE 160
#define PATH_SIZE 512

static const struct host_sysctl {
    const char *folder, *name;
} host_sysctls[LAB_HOST_SYSCTLS] = {
    { "core", "dev_weight" },
    { "core", "flow_limit_cpu_bitmap" },
    { "core", "flow_limit_table_len" },
    { "core", "netdev_budget" },
    { "core", "netdev_budget_usecs" },
    { "core", "netdev_max_backlog" },
    { "core", "rmem_default" },
    { "core", "rmem_max" },
    { "core", "rps_sock_flow_entries" },
    { "core", "wmem_default" },
    { "core", "wmem_max" },
    { "ipv4", "udp_mem" },
    { "netfilter", "nf_conntrack_buckets" },
    { "netfilter", "nf_conntrack_max" },
};

// Other namespaces of the lab would see the receiver's file too: what each has for itself is
// covered only where it has to be.
static const struct {
    const char *name;
    bool always;
} folders[] = { { "core", true }, { "ipv4", false }, { "netfilter", false } };
enum { N_FOLDERS = sizeof(folders) / sizeof(folders[0]) };

bool lab_is_host_sysctl(const char *path) {
    char name[PATH_SIZE];
    if (strncmp(path, "net/", strlen("net/")) != 0)
        return true;
    for (size_t i = 0; i < LAB_HOST_SYSCTLS && host_sysctls[i].name; i++) {
        snprintf(name, sizeof(name), "net/%s/%s", host_sysctls[i].folder, host_sysctls[i].name);
        if (strcmp(path, name) == 0)
            return true;
    }
    return false;
}

void lab_sysctls_take(struct lab *lab) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < LAB_HOST_SYSCTLS; i++) {
        lab->host_sysctls[i] = -1;
        if (!host_sysctls[i].name)
            continue;
        snprintf(path, sizeof(path), "/proc/sys/net/%s/%s", host_sysctls[i].folder,
                host_sysctls[i].name);
        lab->host_sysctls[i] = open(path, O_PATH | O_CLOEXEC);
    }
}

static int mount_one(const char *from, const char *to, mode_t mode) {
    if (S_ISDIR(mode) ? mkdir(to, 0755) < 0 : mknod(to, S_IFREG | 0644, 0) < 0)
        return errno == EEXIST ? 0 : -errno; // the host's is there
    return mount(from, to, NULL, MS_BIND, NULL) < 0 ? -errno : 0;
}

static int put_host(struct lab *lab, const char *folder, const char *at) {
    char from[PATH_SIZE], to[PATH_SIZE];
    int r = 0;
    for (size_t i = 0; r == 0 && i < LAB_HOST_SYSCTLS; i++) {
        if (lab->host_sysctls[i] < 0 || strcmp(folder, host_sysctls[i].folder) != 0)
            continue;
        snprintf(from, sizeof(from), "/proc/self/fd/%d", lab->host_sysctls[i]);
        snprintf(to, sizeof(to), "%s/%s", at, host_sysctls[i].name);
        r = mount_one(from, to, S_IFREG);
    }
    return r;
}

static int put_own(const char *path, const char *at) {
    char from[PATH_SIZE], to[PATH_SIZE];
    struct stat status;
    int r = 0;
    DIR *dir = opendir(path);
    if (!dir)
        return -errno;
    for (struct dirent *entry; r == 0 && (entry = readdir(dir));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(from, sizeof(from), "%s/%s", path, entry->d_name);
        snprintf(to, sizeof(to), "%s/%s", at, entry->d_name);
        r = stat(from, &status) < 0 ? -errno : mount_one(from, to, status.st_mode);
    }
    closedir(dir);
    return r;
}

static int put_folder(struct lab *lab, const char *folder) {
    char path[FOLDER_SIZE], at[FOLDER_SIZE];
    snprintf(path, sizeof(path), "/proc/sys/net/%s", folder);
    snprintf(at, sizeof(at), "%s/sysctl-%s", lab->scratch, folder);
    if (access(path, F_OK) < 0)
        return 0;
    int r = mkdir(at, 0755) < 0 ? -errno : put_host(lab, folder, at);
    if (r == 0)
        r = put_own(path, at);
    return r == 0 && mount(at, path, NULL, MS_BIND | MS_REC, NULL) < 0 ? -errno : r;
}

int lab_sysctls_put(struct lab *lab, bool all) {
    int r = 0;
    for (size_t i = 0; r == 0 && i < N_FOLDERS; i++)
        if (all || folders[i].always)
            r = put_folder(lab, folders[i].name);
    for (size_t i = 0; i < LAB_HOST_SYSCTLS; i++)
        if (lab->host_sysctls[i] >= 0)
            close(lab->host_sysctls[i]);
    return r;
}

void lab_sysctls_uncover(void) {
    char path[PATH_SIZE];
    for (size_t i = 0; i < N_FOLDERS; i++) {
        snprintf(path, sizeof(path), "/proc/sys/net/%s", folders[i].name);
        umount2(path, MNT_DETACH);
    }
}
