// SPDX-License-Identifier: GPL-2.0-or-later
// Readers
#include "lab/reader.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/stream.h"

#ifndef UDP_GRO // of newer headers than some have
#define UDP_GRO 104
#endif

static int join_group(int fd, const struct reader *reader, const struct sockaddr_storage *group) {
    int index = (int) if_nametoindex(reader->device ? reader->device : "b1");
    int r;
    if (group->ss_family == AF_INET) {
        struct ip_mreqn m = { .imr_ifindex = index };
        m.imr_multiaddr = ((const struct sockaddr_in *) group)->sin_addr;
        r = setsockopt(fd, IPPROTO_IP, IP_ADD_MEMBERSHIP, &m, sizeof m);
    } else {
        struct ipv6_mreq m = { .ipv6mr_interface = (unsigned) index };
        m.ipv6mr_multiaddr = ((const struct sockaddr_in6 *) group)->sin6_addr;
        r = setsockopt(fd, IPPROTO_IPV6, IPV6_ADD_MEMBERSHIP, &m, sizeof m);
    }
    return r < 0 ? -errno : 0;
}

static int set_options(int fd, int family, const struct reader *reader, bool shared) {
    int one = 1, only = !reader->unified, rcvbuf = (int) reader->rcvbuf,
        force = (int) reader->force;
    if ((shared && setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &one, sizeof one) < 0) ||
            (family == AF_INET6 &&
                    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &only, sizeof only) < 0) ||
            (rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof rcvbuf) < 0) ||
            (force && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &force, sizeof force) < 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &force, sizeof force) < 0) ||
            (reader->batch && setsockopt(fd, IPPROTO_UDP, UDP_GRO, &one, sizeof one) < 0) ||
            (reader->device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, reader->device,
                                       (socklen_t) strlen(reader->device)) < 0))
        return -errno;
    return 0;
}

int reader_open(const struct reader *reader, bool shared) {
    struct sockaddr_storage on, group;
    socklen_t length;
    int place = atomic_load(&reader->place->n_sockets);
    int r = address_parse(reader->on ? reader->on : "0.0.0.0", reader->port, &on, &length);
    if (r < 0 || place >= READER_MAX_SOCKETS)
        return r < 0 ? r : -ENOSPC;
    _cleanup_close_ int fd = socket(on.ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    r = set_options(fd, on.ss_family, reader, shared);
    if (r == 0 && bind(fd, (struct sockaddr *) &on, length) < 0)
        r = -errno;
    if (r == 0 && reader->join)
        r = address_parse(reader->join, 0, &group, &length);
    if (r == 0 && reader->join)
        r = join_group(fd, reader, &group);
    if (r < 0)
        return r;
    reader->place->sockets[place] = fd;
    atomic_store(&reader->place->n_sockets, place + 1);
    r = fd;
    fd = -1;
    return r;
}

void reader_ready(const struct reader *reader) {
    atomic_store(&reader->place->ready, 1);
}

long reader_take(int fd, int flags, struct truth *truth) {
    char head[sizeof(struct truth_stamp)];
    ssize_t n = recv(fd, head, sizeof head, flags);
    if (n < 0)
        return -errno;
    truth_received(truth, head, (size_t) n);
    return n;
}

static int64_t thread_cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void reader_compute(long us) {
    int64_t end = us > 0 ? thread_cpu_ns() + us * 1000 : 0;
    while (us > 0 && thread_cpu_ns() < end)
        ;
}

static int join_cgroups(const char *folders) {
    char path[4096], *rest = NULL;
    _cleanup_free_ char *copy = strdup(folders);
    if (!copy)
        return -ENOMEM;
    for (char *at = strtok_r(copy, " ", &rest); at; at = strtok_r(NULL, " ", &rest)) {
        snprintf(path, sizeof path, "%s/cgroup.procs", at);
        _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
        if (fd < 0 || write(fd, "0", 1) < 0)
            return -errno;
    }
    return 0;
}

static int become(const struct reader *reader) {
    int r = reader->cgroups ? join_cgroups(reader->cgroups) : 0;
    if (r < 0)
        return r;
    if (reader->name)
        prctl(PR_SET_NAME, reader->name);
    if (reader->cpu) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(reader->cpu - 1, &cpus);
        if (sched_setaffinity(0, sizeof cpus, &cpus) < 0)
            return -errno;
    }
    errno = 0;
    if (reader->nice && nice(reader->nice) == -1 && errno)
        return -errno;
    return 0;
}

int reader_run(const struct reader *reader, struct truth *truth) {
    int r = become(reader);
    if (r == 0)
        r = (reader->behaviour ? reader->behaviour : play_work)(reader, truth);
    atomic_store(&reader->place->ready, r < 0 ? r : -EIO);
    return r;
}
