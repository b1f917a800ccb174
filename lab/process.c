// SPDX-License-Identifier: GPL-2.0-or-later
// Lab processes
#include "lab/process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "core/cleanup.h"
#include "lab/private.h"

#define READY_LIMIT_MS 10000
#define READY_FD 3

struct lab_child {
    int ready; // end of a pipe; -1: told
};

void lab_child_ready(struct lab_child *child) {
    if (child->ready < 0)
        return;
    (void) !write(child->ready, "", 1);
    close(child->ready);
    child->ready = -1;
}

static void play(struct lab *lab, const struct lab_spawn *spawn, int ready) {
    struct lab_child child = { READY_FD };
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    if (spawn->place != LAB_RECEIVER && setns(lab->netns[spawn->place], CLONE_NEWNET) < 0)
        _exit(126);
    if (ready != READY_FD && dup2(ready, READY_FD) < 0)
        _exit(126);
    close_range(READY_FD + 1, ~0U, 0);
    if (spawn->name)
        prctl(PR_SET_NAME, spawn->name);
    _exit(spawn->play(&child, spawn->data));
}

// 0, or -EPIPE: it has ended before, or takes too long.
static int wait_ready(int fd) {
    struct pollfd wait = { .fd = fd, .events = POLLIN };
    char byte;
    if (poll(&wait, 1, READY_LIMIT_MS) > 0 && read(fd, &byte, 1) == 1)
        return 0;
    return -EPIPE;
}

int lab_spawn(struct lab *lab, const struct lab_spawn *spawn, pid_t *ret_pid) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) < 0)
        return -errno;
    pid_t pid = fork();
    if (pid == 0)
        play(lab, spawn, ends[1]);
    int r = pid < 0 ? -errno : 0;
    close(ends[1]);
    if (r == 0 && spawn->waits)
        r = wait_ready(ends[0]);
    close(ends[0]);
    if (r < 0 && pid > 0) {
        lab_end(lab, pid);
        return lab_fail(lab, "%s did not get ready", spawn->name ? spawn->name : "a process");
    }
    if (r == 0 && ret_pid)
        *ret_pid = pid;
    return r;
}

int lab_signal(struct lab *lab, pid_t pid, int signal) {
    return kill(pid, signal) < 0 ? -errno : 0;
}

int lab_end(struct lab *lab, pid_t pid) {
    int status;
    if (kill(pid, SIGKILL) < 0)
        return -errno;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return -errno;
    return 0;
}

bool lab_alive(struct lab *lab, pid_t pid) {
    siginfo_t info = { 0 };
    return waitid(P_PID, (id_t) pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}
