// SPDX-License-Identifier: GPL-2.0-or-later
// Reader program
//
// Processes that do not read their UDP socket in time, each for one reason.
#include "tests/reader/reader.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <linux/sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct {
    const char *name;
    behaviour *play;
} behaviours[] = {
    { "never", play_never },
    { "work", play_work },
    { "swarm", play_swarm },
};

static const struct known_option {
    const char *name;
    bool is_text;
    size_t offset;
} known[] = {
#define FIELD(f) offsetof(struct reader, f)
    { "on", true, FIELD(on) },
    { "name", true, FIELD(name) },
    { "port", false, FIELD(port) },
    { "rcvbuf", false, FIELD(rcvbuf) },
    { "work", false, FIELD(work) },
    { "threads", false, FIELD(threads) },
    { "pid", false, FIELD(pid) },
    { "seconds", false, FIELD(seconds) },
#undef FIELD
};
enum { N_KNOWN = sizeof known / sizeof known[0] };

static int read_options(int argc, char **argv, struct reader *ret) {
    struct option long_options[N_KNOWN + 1] = { 0 };
    for (int i = 0; i < N_KNOWN; i++)
        long_options[i] = (struct option){ known[i].name, required_argument, NULL, i };
    for (int i; (i = getopt_long(argc, argv, "", long_options, NULL)) >= 0;) {
        char *end, *field = (char *) ret + (i < N_KNOWN ? known[i].offset : 0);
        if (i >= N_KNOWN)
            return -EINVAL;
        if (known[i].is_text) {
            *(const char **) field = optarg;
            continue;
        }
        long value = strtol(optarg, &end, 10);
        if (end == optarg || *end || value < 0 || value > INT32_MAX)
            return -EINVAL;
        *(long *) field = value;
    }
    return optind == argc && ret->seconds <= READER_MAX_SECONDS ? 0 : -EINVAL;
}

int reader_open(const struct reader *reader) {
    struct sockaddr_in on = { .sin_family = AF_INET, .sin_port = htons((uint16_t) reader->port) };
    int rcvbuf = (int) reader->rcvbuf;
    if (inet_pton(AF_INET, reader->on, &on.sin_addr) != 1)
        return -EINVAL;
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    if ((rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof rcvbuf) < 0) ||
            bind(fd, (struct sockaddr *) &on, sizeof on) < 0) {
        int r = -errno;
        close(fd);
        return r;
    }
    return fd;
}

void reader_ready(void) {
    printf("ready %d\n", (int) getpid());
    fflush(stdout);
}

void reader_bound(long seconds) {
    pid_t parent = getppid();
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(1);
    alarm((unsigned) seconds);
}

// A child with this very number, as another that ended may have had it. 0: this is the child.
static int become(pid_t pid) {
    struct clone_args args = {
        .exit_signal = SIGCHLD, .set_tid = (uint64_t) (uintptr_t) &pid, .set_tid_size = 1
    };
    long child = syscall(SYS_clone3, &args, sizeof args);
    if (child < 0)
        return -errno;
    if (child > 0)
        waitpid((pid_t) child, NULL, 0);
    return child > 0;
}

static int play(const char *name, const struct reader *reader) {
    reader_bound(reader->seconds);
    int r = reader->pid ? become((pid_t) reader->pid) : 0;
    if (r != 0)
        return r < 0 ? r : 0;
    if (reader->pid)
        reader_bound(reader->seconds);
    if (reader->name)
        prctl(PR_SET_NAME, reader->name);
    for (size_t i = 0; i < sizeof behaviours / sizeof behaviours[0]; i++)
        if (!strcmp(name, behaviours[i].name))
            return behaviours[i].play(reader);
    return -EINVAL;
}

int main(int argc, char **argv) {
    struct reader reader = { .on = "127.0.77.1", .threads = 1, .seconds = 60 };
    if (argc < 2 || read_options(argc - 1, argv + 1, &reader) < 0) {
        fputs("usage: reader BEHAVIOUR [--OPTION VALUE]...\n", stderr);
        return 2;
    }
    int r = play(argv[1], &reader);
    if (r < 0)
        fprintf(stderr, "reader %s: %s\n", argv[1], strerror(-r));
    return r < 0;
}
