// SPDX-License-Identifier: GPL-2.0-or-later
// One program run
#include "daemon/program.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <syslog.h>
#include <systemd/sd-journal.h>

#include "core/cleanup.h"

const char *program_refused(int directory, const char *name) {
    struct stat status;
    if (fstatat(directory, name, &status, 0) < 0)
        return strerror(errno);
    if (status.st_mode & (S_IWGRP | S_IWOTH))
        return "others may write it";
    if (status.st_uid != 0 && status.st_uid != geteuid())
        return "it belongs to another user";
    return NULL;
}

// A file in memory: nobody has to feed a pipe.
static int document_open(const char *document) {
    int fd = memfd_create("alert", MFD_CLOEXEC);
    if (fd < 0)
        return -errno;
    size_t n = strlen(document);
    if (write(fd, document, n) != (ssize_t) n || lseek(fd, 0, SEEK_SET) < 0) {
        close(fd);
        return -EIO;
    }
    return fd;
}

static int output_open(const char *path, bool journal) {
    const char *slash = strrchr(path, '/');
    int fd = journal ? sd_journal_stream_fd(slash ? slash + 1 : path, LOG_INFO, 0) : -1;
    if (fd < 0)
        fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3);
    return fd < 0 ? -errno : fd;
}

static int spawn(const char *path, const char *event, int input, int output, pid_t *ret) {
    char *arguments[] = { (char *) path, NULL };
    char event_variable[64];
    snprintf(event_variable, sizeof(event_variable), "UDPDIAG_EVENT=%s", event);
    char *environment[] = {
        (char *) "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
        (char *) "LANG=C.UTF-8", event_variable, NULL
    };
    sigset_t none, usual;
    sigemptyset(&none);
    sigemptyset(&usual);
    sigaddset(&usual, SIGPIPE);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &usual);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
    posix_spawn_file_actions_addchdir_np(&actions, "/");
    int r = -posix_spawn(ret, path, &actions, &attributes, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return r;
}

int program_start(
        const char *path, const char *event, const char *document, bool journal, pid_t *ret) {
    _cleanup_close_ int input = document_open(document);
    if (input < 0)
        return input;
    _cleanup_close_ int output = output_open(path, journal);
    if (output < 0)
        return output;
    return spawn(path, event, input, output, ret);
}

bool program_ended(pid_t pid, char *ret_how, size_t size) {
    int status;
    if (waitpid(pid, &status, WNOHANG) != pid)
        return false;
    *ret_how = '\0';
    if (WIFSIGNALED(status))
        snprintf(ret_how, size, "was killed by signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) != 0)
        snprintf(ret_how, size, "failed with status %d", WEXITSTATUS(status));
    return true;
}

void program_kill(pid_t pid) {
    kill(-pid, SIGKILL);
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}
