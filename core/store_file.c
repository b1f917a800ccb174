// SPDX-License-Identifier: GPL-2.0-or-later
// Store files
//
// Beside the database PATH: PATH-wal and PATH-shm (SQLite's log and its index), PATH-lock (who
// writes), PATH-ballast (space to give back when the file system is full).
#include "core/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#define DAMAGED "damaged " // in PATH-lock, with the file's inode number
#define DATABASE_MODE 0640 // members of the group read
// Less free space than this is none: SQLite writes pages, file systems need some for themselves.
#define FULL_BYTES (INT64_C(256) << 10)
// The ballast is made while so many times its size is free.
#define BALLAST_HEADROOM 4

char *store_file_name(const struct store *store, const char *suffix) {
    char *name = NULL;
    return asprintf(&name, "%s%s", store->path, suffix) < 0 ? NULL : name;
}

// By name only: closing a descriptor of the database would drop the locks that another connection
// of this process holds on it.
int store_file_check(struct store *store) {
    struct stat status;
    if (stat(store->path, &status) < 0) {
        int error = errno;
        return store_fail_text(
                store, -error, error == ENOENT ? "no such database" : "%s", strerror(error));
    }
    if (faccessat(AT_FDCWD, store->path, R_OK, AT_EACCESS) < 0)
        return store_fail_text(store, -errno, "%s", strerror(errno));
    return 0;
}

// "pid 812 (udpdiagd)" as the holder left it.
static void describe_writer(int fd, char *buffer, size_t size) {
    char pid[16] = "", path[64], name[64] = "";
    ssize_t n = pread(fd, pid, sizeof(pid) - 1, 0);
    pid[n > 0 ? strspn(pid, "0123456789") : 0] = '\0';
    snprintf(path, sizeof(path), "/proc/%s/comm", pid);
    _cleanup_fclose_ FILE *comm = pid[0] ? fopen(path, "re") : NULL;
    if (comm && fgets(name, sizeof(name), comm))
        name[strcspn(name, "\n")] = '\0';
    snprintf(buffer, size, "pid %s (%s)", pid[0] ? pid : "?", name[0] ? name : "?");
}

static int lock_at(const char *path, int *ret_fd) {
    _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, DATABASE_MODE);
    if (fd < 0)
        return -errno;
    int r = flock(fd, LOCK_EX | LOCK_NB) < 0 ? -errno : 0;
    if (r < 0 && r != -EWOULDBLOCK)
        return r;
    *ret_fd = fd;
    fd = -1;
    return r < 0;
}

// Only to tell others: a full file system must not keep us from starting.
static void sign(int fd, const char *word, uintmax_t number) {
    if (ftruncate(fd, 0) == 0 && lseek(fd, 0, SEEK_SET) == 0)
        dprintf(fd, "%s%ju\n", word, number);
}

// Damage that a write met need not show when opening: the one who met it leaves word of it.
static bool is_marked_damaged(const struct store *store, int fd) {
    char text[64] = "", expected[64];
    struct stat status;
    if (stat(store->path, &status) < 0 || pread(fd, text, sizeof(text) - 1, 0) < 0)
        return false;
    snprintf(expected, sizeof(expected), DAMAGED "%ju\n", (uintmax_t) status.st_ino);
    return strcmp(text, expected) == 0;
}

int store_file_lock(struct store *store) {
    if (store->lock_fd >= 0)
        return 0;
    _cleanup_free_ char *path = store_file_name(store, "-lock");
    _cleanup_close_ int fd = -1;
    int r = path ? lock_at(path, &fd) : -ENOMEM;
    if (r < 0)
        return store_fail_text(store, r, "%s", strerror(-r));
    if (r > 0) {
        char writer[96];
        describe_writer(fd, writer, sizeof(writer));
        return store_fail_text(store, -EBUSY, "%s writes it already", writer);
    }
    if (is_marked_damaged(store, fd))
        return store_fail_text(store, -EUCLEAN, "the database is damaged");
    sign(fd, "", (uintmax_t) getpid());
    store->lock_fd = fd;
    fd = -1;
    return 0;
}

void store_file_unlock(struct store *store) {
    if (store->lock_fd < 0)
        return;
    if (store->damaged)
        sign(store->lock_fd, DAMAGED, (uintmax_t) store->inode);
    close(store->lock_fd);
    store->lock_fd = -1;
}

// SQLite gives the log and its index the mode of the database.
int store_file_create(struct store *store) {
    _cleanup_close_ int fd =
            open(store->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, DATABASE_MODE);
    if (fd < 0 && errno == EEXIST)
        return 0;
    // Whatever the umask is.
    if (fd < 0 || fchmod(fd, DATABASE_MODE) < 0)
        return store_fail_text(store, -errno, "%s", strerror(errno));
    return 0;
}

int store_file_remember(struct store *store) {
    struct stat status;
    if (stat(store->path, &status) < 0)
        return store_fail_text(store, -errno, "%s", strerror(errno));
    store->device = status.st_dev;
    store->inode = status.st_ino;
    return 0;
}

int store_file_unchanged(struct store *store) {
    struct stat status;
    if (store->mode == STORE_MEMORY)
        return 0;
    if (stat(store->path, &status) == 0 && status.st_dev == store->device &&
            status.st_ino == store->inode)
        return 0;
    return store_fail_text(store, -ESTALE, "the database was removed or replaced");
}

static int64_t free_bytes(const struct store *store) {
    struct statvfs status;
    if (!store->path || statvfs(store->path, &status) < 0)
        return INT64_MAX;
    return (int64_t) status.f_bavail * (int64_t) status.f_frsize;
}

bool store_file_system_full(const struct store *store) {
    return free_bytes(store) < FULL_BYTES;
}

bool store_file_system_has_room(const struct store *store) {
    return free_bytes(store) >= BALLAST_HEADROOM * store->log_bytes;
}

void ballast_fill(struct store *store) {
    _cleanup_free_ char *path = store->path ? store_file_name(store, "-ballast") : NULL;
    struct stat status;
    if (!path || store->log_bytes == 0 ||
            (stat(path, &status) == 0 && status.st_size == store->log_bytes) ||
            !store_file_system_has_room(store))
        return;
    _cleanup_close_ int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return;
    if (ftruncate(fd, 0) < 0 || posix_fallocate(fd, 0, store->log_bytes) != 0)
        unlink(path);
}

bool ballast_release(struct store *store) {
    _cleanup_free_ char *path = store->path ? store_file_name(store, "-ballast") : NULL;
    struct stat status;
    return path && stat(path, &status) == 0 && unlink(path) == 0 && status.st_size > 0;
}

static int rename_suffixed(const char *path, const char *suffix) {
    char from[4096], to[4096];
    if ((size_t) snprintf(from, sizeof(from), "%s%s", path, suffix) >= sizeof(from) ||
            (size_t) snprintf(to, sizeof(to), "%s.damaged%s", path, suffix) >= sizeof(to))
        return -ENAMETOOLONG;
    if (rename(from, to) == 0)
        return 0;
    int r = -errno;
    // A log left over from the one that was set aside before must not be taken for this one's.
    if (r == -ENOENT)
        unlink(to);
    return r;
}

int store_set_aside(const char *path) {
    _cleanup_free_ char *lock = NULL;
    _cleanup_close_ int fd = -1;
    if (asprintf(&lock, "%s-lock", path) < 0)
        return -ENOMEM;
    int r = lock_at(lock, &fd);
    if (r != 0)
        return r < 0 ? r : -EBUSY;
    r = rename_suffixed(path, "");
    if (r < 0)
        return r;
    int log = rename_suffixed(path, "-wal");
    if (log < 0 && log != -ENOENT)
        return log;
    rename_suffixed(path, "-shm");
    return 0;
}
