// SPDX-License-Identifier: GPL-2.0-or-later
// Many sockets
//
// Opens idle UDP sockets, and some that lose datagrams, and runs a command beside them.
//
//     sockets SOCKETS LOSSY COMMAND...                   in one network namespace of its own, where
//     the command runs too sockets -n NAMESPACES SOCKETS LOSSY COMMAND...     so many in each of
//     several; the command stays outside
//
// The environment variable INODES holds the inodes of the lossy ones. Exits as the command does.
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define PER_PROCESS 20000 // as far as the limit of descriptors allows
#define SPARE 64          // descriptors
#define FIRST_PORT 10000
#define LOSS_MS 100 // each lossy socket loses a datagram so often

static void fail(const char *what) {
    fprintf(stderr, "sockets: %s: %s\n", what, strerror(errno));
    exit(1);
}

static void enter_namespace(void) {
    struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
    if (unshare(CLONE_NEWNET) < 0)
        fail("unshare");
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || ioctl(fd, SIOCSIFFLAGS, &request) < 0)
        fail("loopback");
    close(fd);
}

static unsigned most_per_process(void) {
    struct rlimit limit = { PER_PROCESS + SPARE, PER_PROCESS + SPARE };
    if (setrlimit(RLIMIT_NOFILE, &limit) < 0 && getrlimit(RLIMIT_NOFILE, &limit) == 0) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
    return limit.rlim_cur > 2 * SPARE ? (unsigned) limit.rlim_cur - SPARE : SPARE;
}

// The i-th socket of a process: each process has an address of its own, so that ports do not run
// out.
static struct sockaddr_in address_of(unsigned process, unsigned i) {
    struct sockaddr_in to = { .sin_family = AF_INET,
        .sin_port = htons((uint16_t) (FIRST_PORT + i)) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK + process);
    return to;
}

static int open_socket(const struct sockaddr_in *at, int buffer) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || bind(fd, (const struct sockaddr *) at, sizeof(*at)) < 0)
        fail("socket");
    if (buffer)
        setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &buffer, sizeof(buffer));
    return fd;
}

static void report_inode(int to, int fd) {
    struct stat status;
    if (fstat(fd, &status) < 0 || dprintf(to, "%lu ", (unsigned long) status.st_ino) < 0)
        fail("report");
}

// Nobody reads the lossy ones: they are full at once, and then lose.
static void lose(unsigned process, unsigned lossy) {
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    for (;;) {
        for (unsigned i = 0; i < lossy; i++) {
            struct sockaddr_in to = address_of(process, i);
            sendto(fd, "x", 1, MSG_DONTWAIT, (struct sockaddr *) &to, sizeof(to));
        }
        usleep(LOSS_MS * 1000);
    }
}

static void hold(unsigned process, unsigned n, unsigned lossy, int report, int ready) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    for (unsigned i = 0; i < n; i++) {
        struct sockaddr_in at = address_of(process, i);
        int fd = open_socket(&at, i < lossy ? 2048 : 0);
        if (i < lossy)
            report_inode(report, fd);
    }
    if (write(ready, "", 1) != 1)
        fail("ready");
    if (lossy)
        lose(process, lossy);
    for (;;)
        pause();
}

struct plan {
    unsigned namespaces; // 0: one, which the command shares
    unsigned sockets, lossy;
};

static unsigned start_holders(const struct plan *plan, int report, int ready) {
    unsigned most = most_per_process(), n = 0;
    if (!plan->namespaces)
        enter_namespace();
    for (unsigned k = 0; k < (plan->namespaces ? plan->namespaces : 1); k++) {
        for (unsigned opened = 0; opened < plan->sockets; n++) {
            unsigned left = plan->sockets - opened, part = left < most ? left : most;
            if (fork() == 0) {
                if (plan->namespaces)
                    enter_namespace();
                hold(plan->namespaces ? 0 : n, part, opened ? 0 : plan->lossy, report, ready);
            }
            opened += part;
        }
    }
    return n;
}

static void wait_until_ready(unsigned n, int ready) {
    char byte;
    for (unsigned i = 0; i < n; i++)
        if (read(ready, &byte, 1) != 1)
            exit(1);
}

static unsigned number(const char *text) {
    char *end;
    unsigned long value = strtoul(text, &end, 10);
    if (*end || end == text || value > 10000000) {
        fprintf(stderr, "sockets: not a number: %s\n", text);
        exit(2);
    }
    return (unsigned) value;
}

int main(int argc, char **argv) {
    bool several = argc > 2 && strcmp(argv[1], "-n") == 0;
    char **rest = argv + (several ? 3 : 1);
    if (argc < (several ? 6 : 4)) {
        fprintf(stderr, "usage: sockets [-n NAMESPACES] SOCKETS LOSSY COMMAND...\n");
        return 2;
    }
    struct plan plan = { several ? number(argv[2]) : 0, number(rest[0]), number(rest[1]) };
    int ready[2], report[2];
    if (pipe(ready) < 0 || pipe(report) < 0)
        fail("pipe");
    unsigned n = start_holders(&plan, report[1], ready[1]);
    close(ready[1]);
    close(report[1]);
    wait_until_ready(n, ready[0]);
    static char inodes[65536]; // a pipe holds no more
    ssize_t length = plan.lossy ? read(report[0], inodes, sizeof(inodes) - 1) : 0;
    inodes[length > 0 ? length : 0] = '\0';
    setenv("INODES", inodes, 1);
    execvp(rest[2], rest + 2); // its children end with this process
    fail(rest[2]);
    return 1;
}
