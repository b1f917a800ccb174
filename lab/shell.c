// SPDX-License-Identifier: GPL-2.0-or-later
// Shell commands
#include "lab/shell.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "core/cleanup.h"
#include "lab/clock.h"

#define STATUS_SIGNAL 128
#define PATH_DEFAULT "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

struct output {
    int fd; // read end of the pipe
    char *text;
    size_t size, n;
};

static void play(const struct shell *shell, const char *command, int out) {
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int null = open("/dev/null", O_RDWR);
    if ((shell->netns >= 0 && setns(shell->netns, CLONE_NEWNET) < 0) || null < 0)
        _exit(126);
    if (shell->prepare)
        shell->prepare();
    dup2(null, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(shell->output_only ? null : out, STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, 0);
    const char *path = getenv("PATH"); // sbin is missing in that of many users
    char *with_sbin;
    if (asprintf(&with_sbin, "%s%s" PATH_DEFAULT, path ? path : "", path ? ":" : "") > 0)
        setenv("PATH", with_sbin, 1);
    setenv("LC_ALL", "C", 1);
    execl("/bin/sh", "sh", "-c", command, (char *) NULL);
    _exit(127);
}

// 0: there is more to come, 1: the end.
static int take(struct output *output) {
    char rest[256];
    bool room = output->n + 1 < output->size;
    ssize_t n = room ? read(output->fd, output->text + output->n, output->size - 1 - output->n)
                     : read(output->fd, rest, sizeof(rest));
    if (n > 0 && room)
        output->n += (size_t) n;
    return n <= 0;
}

// 0, or 1: time was over.
static int take_all(struct output *output) {
    int64_t end_ms = lab_clock_ms() + SHELL_LIMIT_MS;
    for (;;) {
        struct pollfd wait = { .fd = output->fd, .events = POLLIN };
        int64_t left_ms = end_ms - lab_clock_ms();
        if (left_ms <= 0)
            return 1;
        if (poll(&wait, 1, (int) left_ms) > 0 && take(output) == 1)
            return 0;
    }
}

static int status_of(pid_t pid, bool too_long) {
    int status;
    if (too_long)
        kill(pid, SIGKILL);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNAL;
}

static void end_text(struct output *output) {
    if (output->size == 0)
        return;
    output->text[output->n] = '\0';
    while (output->n > 0 && output->text[output->n - 1] == '\n')
        output->text[--output->n] = '\0';
}

int shell_run(const struct shell *shell, const char *command, char *said, size_t size) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    pid_t pid = fork();
    if (pid == 0)
        play(shell, command, ends[1]);
    close(ends[1]);
    _cleanup_close_ int fd = ends[0];
    if (pid < 0)
        return -errno;
    struct output output = { .fd = fd, .text = said, .size = said ? size : 0 };
    int r = status_of(pid, take_all(&output) == 1);
    end_text(&output);
    return r;
}
