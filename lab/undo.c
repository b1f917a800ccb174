// SPDX-License-Identifier: GPL-2.0-or-later
// Undo journal
#include "lab/undo.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "core/cleanup.h"
#include "lab/shell.h"

#define JOURNAL_NAME "udpdiag-lab.undo"
// Labs of all users count on the same CPUs and sysctls: one at a time holds a lock on their folder,
// which everybody can open.
#define HOST_LOCK "/proc/sys"
#define DONE '#' // in place of the first character of a line
// What a killed lab held is released within moments.
#define ROUNDS 40
#define ROUND_MS 50

struct undo {
    int fd;   // locked as long as it is open
    int host; // the same of HOST_LOCK; -1: there is none
    char path[PATH_MAX];
};

static void make_path(char *path, size_t size) {
    const char *folder = getenv("XDG_RUNTIME_DIR");
    if (geteuid() == 0)
        snprintf(path, size, "/run/" JOURNAL_NAME);
    else if (folder && *folder == '/')
        snprintf(path, size, "%s/" JOURNAL_NAME, folder);
    else
        snprintf(path, size, "/tmp/" JOURNAL_NAME ".%d", (int) geteuid());
}

// A folder that everybody may write to can hold somebody else's file of that name.
static int open_own(const char *path) {
    struct stat status;
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (fd < 0)
        return -errno;
    if (fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_uid == geteuid())
        return fd;
    close(fd);
    return -EPERM;
}

// 0, 1: another run holds it, or -errno.
static int lock(int fd) {
    if (flock(fd, LOCK_EX | LOCK_NB) == 0)
        return 0;
    return errno == EWOULDBLOCK ? 1 : -errno;
}

int undo_open(struct undo **ret) {
    struct undo *undo = calloc(1, sizeof(*undo));
    if (!undo)
        return -ENOMEM;
    make_path(undo->path, sizeof(undo->path));
    undo->fd = open_own(undo->path);
    undo->host = open(HOST_LOCK, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    int r = undo->fd < 0 ? undo->fd : lock(undo->fd);
    if (r == 0 && undo->host >= 0)
        r = lock(undo->host);
    if (r != 0) {
        undo_close(undo);
        return r;
    }
    r = undo_play(undo);
    if (r < 0)
        undo_close(undo);
    else
        *ret = undo;
    return r < 0 ? r : 0;
}

struct undo *undo_close(struct undo *undo) {
    if (!undo)
        return NULL;
    if (undo->fd >= 0)
        close(undo->fd);
    if (undo->host >= 0)
        close(undo->host);
    free(undo);
    return NULL;
}

const char *undo_path(const struct undo *undo) {
    return undo->path;
}

int undo_add(struct undo *undo, const char *command) {
    size_t n = strlen(command);
    if (n == 0 || strchr(command, '\n') || *command == DONE)
        return -EINVAL;
    off_t end = lseek(undo->fd, 0, SEEK_END);
    if (end < 0 || dprintf(undo->fd, "%s\n", command) != (int) n + 1 || fsync(undo->fd) < 0) {
        int error = errno;
        if (end >= 0 && ftruncate(undo->fd, end) < 0)
            return -errno;
        return -error;
    }
    return 0;
}

// The whole file, NUL-terminated; the caller frees it. NULL: it cannot be read.
static char *read_all(const struct undo *undo, size_t *ret_size) {
    struct stat status;
    if (fstat(undo->fd, &status) < 0)
        return NULL;
    char *text = calloc(1, (size_t) status.st_size + 1);
    ssize_t n = text ? pread(undo->fd, text, (size_t) status.st_size, 0) : -1;
    *ret_size = n > 0 ? (size_t) n : 0;
    return text;
}

static bool run_line(const struct undo *undo, char *text, char *line) {
    static const struct shell here = { .netns = -1 };
    if (*line == DONE || *line == '\0')
        return true;
    if (shell_run(&here, line, NULL, 0) != 0)
        return false;
    *line = DONE;
    return pwrite(undo->fd, line, 1, line - text) == 1;
}

// The lines from the last to the first. How many are left.
static int play_round(const struct undo *undo, char *text, size_t size) {
    int left = 0;
    for (char *end = text + size; end > text;) {
        char *line = end - 1;
        *line = '\0'; // the end of the line, or of one that was cut short
        while (line > text && line[-1] != '\n')
            line--;
        left += !run_line(undo, text, line);
        end = line;
    }
    return left;
}

int undo_play(struct undo *undo) {
    static const struct timespec pause = { .tv_nsec = ROUND_MS * 1000000L };
    int left = 0;
    for (int round = 0; round < ROUNDS; round++) {
        size_t size;
        _cleanup_free_ char *text = read_all(undo, &size);
        if (!text)
            return -EIO;
        left = play_round(undo, text, size);
        if (left == 0)
            return ftruncate(undo->fd, 0) < 0 ? -errno : 0;
        nanosleep(&pause, NULL);
    }
    return left;
}
