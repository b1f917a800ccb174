// SPDX-License-Identifier: GPL-2.0-or-later
// Confinement
#include "cli/confine.h"

#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if __has_include(<linux/landlock.h>)
#include <linux/landlock.h>
#endif

// AddressSanitizer reserves terabytes, and looks for leaks in /proc when all is done.
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED true
#endif
#endif
#ifndef SANITIZED
#define SANITIZED false
#endif

#define NOBODY 65534 // where there is no such entry

static int drop_root(void) {
    if (geteuid() != 0)
        return 0;
    const struct passwd *nobody = getpwnam("nobody");
    uid_t uid = nobody ? nobody->pw_uid : NOBODY;
    gid_t gid = nobody ? nobody->pw_gid : NOBODY;
    // In a user namespace without that identity, root is nobody of importance either.
    if (setgroups(0, NULL) < 0 && errno != EPERM)
        return -errno;
    if ((setresgid(gid, gid, gid) < 0 || setresuid(uid, uid, uid) < 0) && errno != EINVAL &&
            errno != EPERM)
        return -errno;
    return 0;
}

static int limit(int resource, rlim_t most) {
    struct rlimit value;
    if (getrlimit(resource, &value) < 0)
        return -errno;
    if (value.rlim_cur <= most)
        return 0;
    value.rlim_cur = most;
    return setrlimit(resource, &value) < 0 ? -errno : 0;
}

// Landlock (5.13 and later) forbids to open any file from here on. A kernel without it has the
// other limits.
static int close_file_system(void) {
#ifdef LANDLOCK_ACCESS_FS_READ_FILE
    struct landlock_ruleset_attr rules = {
        .handled_access_fs = LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_WRITE_FILE |
                             LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR |
                             LANDLOCK_ACCESS_FS_REMOVE_DIR | LANDLOCK_ACCESS_FS_REMOVE_FILE |
                             LANDLOCK_ACCESS_FS_MAKE_CHAR | LANDLOCK_ACCESS_FS_MAKE_DIR |
                             LANDLOCK_ACCESS_FS_MAKE_REG | LANDLOCK_ACCESS_FS_MAKE_SOCK |
                             LANDLOCK_ACCESS_FS_MAKE_FIFO | LANDLOCK_ACCESS_FS_MAKE_BLOCK |
                             LANDLOCK_ACCESS_FS_MAKE_SYM,
    };
    int fd = (int) syscall(SYS_landlock_create_ruleset, &rules, sizeof(rules), 0);
    if (fd < 0)
        return 0;
    int r = syscall(SYS_landlock_restrict_self, fd, 0) < 0 ? -errno : 0;
    close(fd);
    return r;
#else
    return 0;
#endif
}

int confine(void) {
    int r = prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ? -errno : 0;
    if (r == 0)
        r = limit(RLIMIT_CORE, 0);
    if (r == 0)
        r = limit(RLIMIT_CPU, CONFINE_CPU_S);
    if (r < 0 || SANITIZED)
        return r;
    r = limit(RLIMIT_AS, CONFINE_MEMORY_BYTES);
    if (r == 0)
        r = drop_root();
    return r < 0 ? r : close_file_system();
}
