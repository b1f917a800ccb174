// SPDX-License-Identifier: GPL-2.0-or-later
// Lab namespaces
//
// Process 1 of a lab makes them its own: what is mounted, the names of processes, the network.
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "core/cleanup.h"
#include "lab/private.h"

#define SCRATCH_OPTIONS "size=50%,mode=755"

// Empty folders that each system has (FHS): in the lab a file system in memory is mounted there.
static const char *const scratch_places[] = { "/media", "/srv", "/opt", "/mnt" };

static int write_file(const char *path, const char *text) {
    _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return -errno;
    size_t n = strlen(text);
    return write(fd, text, n) == (ssize_t) n ? 0 : -errno;
}

static int map_to_root(const char *path, unsigned id) {
    char text[32];
    snprintf(text, sizeof(text), "0 %u 1", id);
    return write_file(path, text);
}

// Whoever made the user namespace is root in it, and there is nobody else.
static int become_root(uid_t uid, gid_t gid) {
    int r = write_file("/proc/self/setgroups", "deny");
    if (r == 0)
        r = map_to_root("/proc/self/uid_map", uid);
    return r == 0 ? map_to_root("/proc/self/gid_map", gid) : r;
}

static int mount_scratch(struct lab *lab) {
    for (size_t i = 0; i < sizeof(scratch_places) / sizeof(scratch_places[0]); i++) {
        if (mount("lab", scratch_places[i], "tmpfs", MS_NOSUID, SCRATCH_OPTIONS) < 0)
            continue;
        snprintf(lab->scratch, sizeof(lab->scratch), "%s", scratch_places[i]);
        return 0;
    }
    return -errno;
}

// /sys/class/net shows the interfaces of whoever mounted it; the control groups below stay as they
// are.
static int mount_sys(struct lab *lab) {
    char groups[LAB_PATH_SIZE + sizeof("/groups")];
    snprintf(groups, sizeof(groups), "%s/groups", lab->scratch);
    if (mkdir(groups, 0755) < 0 ||
            mount("/sys/fs/cgroup", groups, NULL, MS_BIND | MS_REC, NULL) < 0 ||
            mount("sysfs", "/sys", "sysfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0 ||
            mount(groups, "/sys/fs/cgroup", NULL, MS_BIND | MS_REC, NULL) < 0)
        return -errno;
    return umount2(groups, MNT_DETACH) < 0 || rmdir(groups) < 0 ? -errno : 0;
}

int lab_enter(struct lab *lab, uid_t uid, gid_t gid, bool host_limits) {
    int r = lab->is_root ? 0 : become_root(uid, gid);
    if (r < 0)
        return lab_skip(lab, "user namespaces are refused here: %s", strerror(-r));
    if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 || mount_scratch(lab) < 0)
        return lab_skip(lab, "mounting is refused here: %s", strerror(errno));
    lab_sysctls_take(lab);
    if (unshare(CLONE_NEWNET | CLONE_NEWUTS | CLONE_NEWIPC) < 0)
        return lab_skip(lab, "network namespaces are refused here: %s", strerror(errno));
    if (mount("proc", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL) < 0)
        return lab_skip(lab, "mounting /proc is refused here: %s", strerror(errno));
    r = mount_sys(lab);
    if (r < 0)
        return lab_skip(lab, "mounting /sys is refused here: %s", strerror(-r));
    r = lab_sysctls_put(lab, host_limits);
    if (r < 0)
        return lab_skip(lab, "mounting over /proc/sys is refused here: %s", strerror(-r));
    return sethostname("udpdiag-lab", strlen("udpdiag-lab")) < 0 ? -errno : 0;
}
