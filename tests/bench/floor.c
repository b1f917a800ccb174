// SPDX-License-Identifier: GPL-2.0-or-later
// Reading floor
//
// The least that a step can cost: the kernel's own work to produce the files and netlink dumps that
// the daemon reads (links, queueing disciplines, UDP and UDP-Lite sockets), and nothing else.
// Standard input has lines "TIMES CALLS BYTES PATH": how often PATH is read in 100 steps, with how
// many calls of pread() each time, and how much the first of them asks for. Files that the kernel
// makes in one piece take one call, and of others the end need not be read.
//
//     floor STEP_MS STEPS < list        prints the CPU time of one step in microseconds
#include <errno.h>
#include <fcntl.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MAX_FILES 4096
// Larger is not cheaper: a seq_file gives a page at a time, and of a sysctl the kernel clears as
// much memory as is asked for.
static char buffer[16 << 10];

struct file {
    int fd;
    int times; // in 100 steps
    int calls;
    size_t bytes;
};

static size_t read_list(struct file *files) {
    size_t n = 0;
    struct file file;
    char path[4096];
    while (n < MAX_FILES &&
            scanf("%d %d %zu %4095s", &file.times, &file.calls, &file.bytes, path) == 4) {
        file.fd = open(path, O_RDONLY | O_CLOEXEC);
        if (file.fd >= 0)
            files[n++] = file;
        else
            fprintf(stderr, "floor: %s: %s (left out)\n", path, strerror(errno));
    }
    return n;
}

static void read_file(const struct file *file) {
    size_t bytes = file->bytes < sizeof(buffer) ? file->bytes : sizeof(buffer);
    off_t at = 0;
    for (int i = 0; i < file->calls; i++) {
        ssize_t n = pread(file->fd, buffer, bytes, at);
        at += n > 0 ? n : 0;
    }
}

static bool dump_ends(size_t n) {
    for (struct nlmsghdr *message = (void *) buffer; NLMSG_OK(message, n);
            message = NLMSG_NEXT(message, n))
        if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR)
            return true;
    return false;
}

static void dump(int socket, void *request, size_t size) {
    if (send(socket, request, size, 0) < 0)
        return;
    ssize_t n;
    do
        n = recv(socket, buffer, sizeof(buffer), 0);
    while (n > 0 && !dump_ends((size_t) n));
}

static void dump_route(int socket, int type) {
    struct {
        struct nlmsghdr header;
        union {
            struct ifinfomsg link;
            struct tcmsg qdisc;
        };
    } request = {
        .header = { .nlmsg_len = sizeof(request),
                .nlmsg_type = (unsigned short) type,
                .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
    };
    dump(socket, &request, sizeof(request));
}

static void dump_sockets(int socket, int family, int protocol) {
    struct {
        struct nlmsghdr header;
        struct inet_diag_req_v2 sockets;
    } request = {
        .header = { .nlmsg_len = sizeof(request),
                .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                .nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP },
        .sockets = { .sdiag_family = (unsigned char) family,
                .sdiag_protocol = (unsigned char) protocol,
                .idiag_ext = 1 << (INET_DIAG_SKMEMINFO - 1),
                .idiag_states = ~0u },
    };
    dump(socket, &request, sizeof(request));
}

static double cpu_us(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return 1e6 * (double) (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double) (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: floor STEP_MS STEPS < list\n");
        return 2;
    }
    static struct file files[MAX_FILES];
    size_t n = read_list(files);
    long step_ms = strtol(argv[1], NULL, 10), steps = strtol(argv[2], NULL, 10);
    int route = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE);
    int diag = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
    struct timespec next;
    clock_gettime(CLOCK_MONOTONIC, &next);
    double before = cpu_us();
    for (long step = 0; step < steps; step++) {
        for (size_t i = 0; i < n; i++)
            for (long k = (step + 1) * files[i].times / 100 - step * files[i].times / 100; k > 0;
                    k--)
                read_file(&files[i]);
        dump_route(route, RTM_GETLINK);
        dump_route(route, RTM_GETQDISC);
        for (int i = 0; i < 4; i++)
            dump_sockets(diag, i & 1 ? AF_INET6 : AF_INET, i & 2 ? IPPROTO_UDPLITE : IPPROTO_UDP);
        next.tv_nsec += step_ms * 1000000;
        next.tv_sec += next.tv_nsec / 1000000000;
        next.tv_nsec %= 1000000000;
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
    printf("%.1f\n", (cpu_us() - before) / (double) steps);
    return 0;
}
