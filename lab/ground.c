// SPDX-License-Identifier: GPL-2.0-or-later
// Lab ground
#include "lab/ground.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "core/cleanup.h"
#include "lab/private.h"
#include "lab/shell.h"

// Exit statuses of process 1.
enum { EXIT_DONE, EXIT_SKIPPED, EXIT_FAILED };
// Other work on the host would be one more cause of what happens in the lab. Where the scheduler
// groups by session, it is the group that counts.
#define NICENESS (-10)
#define ENDS_WITHIN_MS 500

static void get_priority(void) {
    FILE *file = fopen("/proc/self/autogroup", "we");
    setpriority(PRIO_PROCESS, 0, NICENESS);
    if (file) {
        fprintf(file, "%d", NICENESS);
        fclose(file);
    }
}

static int exit_status(struct lab *lab, int r) {
    if (r == 0)
        return EXIT_DONE;
    if (r == LAB_SKIPPED)
        return EXIT_SKIPPED;
    if (!*lab->text)
        snprintf(lab->text, sizeof(lab->text), "%s", strerror(-r));
    return EXIT_FAILED;
}

struct start {
    const struct ground *ground;
    struct lab *lab;
    int (*play)(struct lab *lab, void *data);
    void *data;
    uid_t uid;
    gid_t gid;
};

// Those whom it started may end with it: in a lab that is to stay it stays too.
static void stay(struct lab *lab, int status) {
    lab->outcome = status;
    lab->kept = true;
    shutdown(lab->hand, SHUT_RDWR);
    for (;;)
        pause();
}

static int work(const struct start *start) {
    struct lab *lab = start->lab;
    prctl(PR_SET_NAME, "lab-worker");
    int r = lab_traffic_init(lab);
    if (r == 0)
        r = start->play(lab, start->data);
    int status = exit_status(lab, r);
    if (start->ground->keep && status != EXIT_SKIPPED)
        stay(lab, status);
    return status;
}

// Process 1 takes all orphans, and waits for the one who works.
static int wait_for(struct lab *lab, pid_t worker) {
    for (;;) {
        int status;
        pid_t pid = wait(&status);
        if (pid < 0 && errno != EINTR)
            return EXIT_FAILED;
        if (pid != worker)
            continue;
        if (WIFEXITED(status) && WEXITSTATUS(status) <= EXIT_FAILED)
            return WEXITSTATUS(status);
        if (WIFSIGNALED(status))
            snprintf(lab->text, sizeof(lab->text), "it died of signal %d", WTERMSIG(status));
        else
            snprintf(lab->text, sizeof(lab->text), "it ended with status %d", WEXITSTATUS(status));
        return EXIT_FAILED;
    }
}

// All of the lab ends with process 1, and process 1 with the one that made it.
static void begin(const struct start *start) {
    sigset_t none;
    sigemptyset(&none);
    setsid();
    if (start->lab->is_root)
        get_priority();
    if (!start->ground->keep)
        prctl(PR_SET_PDEATHSIG, SIGKILL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    undo_close(start->ground->undo);
    prctl(PR_SET_DUMPABLE, 1); // new credentials took it: processes of the lab look into each other
    prctl(PR_SET_NAME, "lab-init");
}

static int first(const struct start *start) {
    struct lab *lab = start->lab;
    int r = lab_enter(lab, start->uid, start->gid, start->ground->host_limits);
    begin(start); // what changes credentials forgets the death signal
    if (r == 0)
        r = lab_links_init(lab);
    if (r != 0)
        return exit_status(lab, r);
    pid_t worker = fork();
    if (worker < 0)
        return exit_status(lab, -errno);
    if (worker == 0)
        _exit(work(start));
    return wait_for(lab, worker);
}

static pid_t clone_first(const struct start *start) {
    unsigned long flags = CLONE_NEWNS | CLONE_NEWPID | SIGCHLD;
    if (!start->lab->is_root)
        flags |= CLONE_NEWUSER;
    pid_t pid = (pid_t) syscall(SYS_clone, flags, NULL, NULL, NULL, NULL);
    if (pid == 0)
        _exit(first(start));
    return pid < 0 ? -errno : pid;
}

static int pidfd_of(pid_t pid) {
    int fd = (int) syscall(SYS_pidfd_open, pid, 0);
    return fd < 0 ? -errno : fd;
}

// Serves the lab until it ends, is to stay, or has to end.
static void serve(const struct ground *ground, struct lab *lab, int hand, int pidfd,
        struct ground_result *ret) {
    int64_t end_ms = lab_clock_ms() + ground->limit_ms;
    sigset_t none;
    sigemptyset(&none);
    _cleanup_close_ int signals =
            signalfd(-1, ground->ending ? ground->ending : &none, SFD_CLOEXEC);
    struct pollfd wait[] = { { pidfd, POLLIN, 0 }, { hand, POLLIN, 0 }, { signals, POLLIN, 0 } };
    for (;;) {
        int64_t left_ms = end_ms - lab_clock_ms();
        if (left_ms <= 0 || poll(wait, 3, (int) left_ms) == 0) {
            ret->state = GROUND_FAILED;
            snprintf(ret->text, sizeof(ret->text), "took longer than %d s",
                    (int) (ground->limit_ms / 1000));
            return;
        }
        if (wait[2].revents) {
            ret->state = GROUND_INTERRUPTED;
            return;
        }
        if (wait[0].revents || lab->kept)
            return;
        if (wait[1].revents)
            lab_hand_serve(hand, ground->undo);
    }
}

static enum ground_state state_of(struct lab *lab, int status) {
    int code = lab->kept ? lab->outcome : WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_FAILED;
    if (!lab->kept && !WIFEXITED(status))
        snprintf(lab->text, sizeof(lab->text), "process 1 died of signal %d", WTERMSIG(status));
    return code == EXIT_DONE ? GROUND_DONE : code == EXIT_SKIPPED ? GROUND_SKIPPED : GROUND_FAILED;
}

// Whoever plays the journal back ends it first, if it is still this one.
static int undo_kept(const struct ground *ground, pid_t pid) {
    char command[256], started[32];
    static const struct shell here = { .netns = -1, .output_only = true };
    snprintf(command, sizeof(command), "cut -d' ' -f22 /proc/%d/stat", (int) pid);
    int r = shell_run(&here, command, started, sizeof(started));
    if (r != 0)
        return r < 0 ? r : -EIO;
    snprintf(command, sizeof(command),
            "[ \"$(cut -d' ' -f22 /proc/%d/stat)\" != '%s' ] || kill -KILL %d", (int) pid, started,
            (int) pid);
    return undo_add(ground->undo, command);
}

// What a control group of version 1 froze cannot even be killed before the journal thaws it, and
// process 1 is not gone before all others are.
static void end(const struct ground *ground, struct lab *lab, pid_t pid, int pidfd,
        struct ground_result *ret) {
    struct pollfd gone = { pidfd, POLLIN, 0 };
    int status;
    kill(pid, SIGKILL);
    if (pidfd >= 0 && poll(&gone, 1, ENDS_WITHIN_MS) == 0)
        undo_play(ground->undo);
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    if (ret->state != GROUND_INTERRUPTED && !*ret->text)
        ret->state = state_of(lab, status);
    ret->undo_left = undo_play(ground->undo);
}

static int run(const struct start *start, int hand, struct ground_result *ret) {
    const struct ground *ground = start->ground;
    struct lab *lab = start->lab;
    pid_t pid = clone_first(start);
    if (pid < 0)
        return pid == -EPERM || pid == -ENOSPC || pid == -EUSERS ? 1 : (int) pid;
    _cleanup_close_ int pidfd = pidfd_of(pid);
    int r = pidfd < 0 ? pidfd : ground->keep ? undo_kept(ground, pid) : 0;
    *ret = (struct ground_result){ .state = GROUND_DONE };
    if (r == 0)
        serve(ground, lab, hand, pidfd, ret);
    if (r == 0 && lab->kept && !*ret->text && ret->state == GROUND_DONE) {
        ret->state = state_of(lab, 0);
        ret->kept = pid;
    } else {
        end(ground, lab, pid, pidfd, ret);
    }
    if (!*ret->text)
        snprintf(ret->text, sizeof(ret->text), "%s", lab->text);
    return r;
}

int ground_run(const struct ground *ground, int (*play)(struct lab *lab, void *data), void *data,
        struct ground_result *ret) {
    int hands[2];
    struct lab *lab =
            mmap(NULL, sizeof(*lab), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (lab == MAP_FAILED)
        return -errno;
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, hands) < 0) {
        munmap(lab, sizeof(*lab));
        return -errno;
    }
    *lab = (struct lab){ .family = ground->family, .is_root = geteuid() == 0, .hand = hands[1] };
    struct start start = { ground, lab, play, data, geteuid(), getegid() };
    int r = run(&start, hands[0], ret);
    if (r == 1) {
        *ret = (struct ground_result){ .state = GROUND_SKIPPED,
            .text = "namespaces are refused here" };
        r = 0;
    }
    close(hands[0]);
    close(hands[1]);
    munmap(lab, sizeof(*lab));
    return r;
}
