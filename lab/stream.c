// SPDX-License-Identifier: GPL-2.0-or-later
// Streams
#include "lab/stream.h"

#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <sched.h>
#include <string.h>
#include <time.h>

#include "core/cleanup.h"
#include "lab/reader.h"

// Shorter sleeps cost more than they are worth: the pace is kept over a few datagrams.
#define SHORTEST_SLEEP_NS 300000

int address_parse(
        const char *text, long port, struct sockaddr_storage *ret, socklen_t *ret_length) {
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t) port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t) port) };
    bool is_v4 = inet_pton(AF_INET, text, &v4.sin_addr) == 1;
    if (!is_v4 && inet_pton(AF_INET6, text, &v6.sin6_addr) != 1)
        return -EINVAL;
    *ret = (struct sockaddr_storage){ 0 };
    *ret_length = is_v4 ? sizeof v4 : sizeof v6;
    memcpy(ret, is_v4 ? (void *) &v4 : &v6, *ret_length);
    return 0;
}

struct pace pace_start(const struct stream *stream) {
    return (struct pace){ truth_now_ns(), stream->rate ? INT64_C(1000000000) / stream->rate : 0,
        stream->burst, stream->pause_ms };
}

void pace_wait(const struct pace *pace, long n) {
    int64_t due = pace->start_ns;
    if (pace->burst)
        due += n / pace->burst * pace->pause_ms * 1000000;
    else
        due += n * pace->step_ns;
    if (due - truth_now_ns() > SHORTEST_SLEEP_NS) {
        struct timespec until = { due / 1000000000, due % 1000000000 };
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
}

static int set_options(int fd, int family, const struct stream *stream) {
    int sndbuf = (int) stream->sndbuf, one = 1;
    int whole = IP_PMTUDISC_PROBE; // what a path is said to take is not heeded
    bool v6 = family == AF_INET6;
    int level = v6 ? IPPROTO_IPV6 : IPPROTO_IP;
    if ((sndbuf && setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof sndbuf) < 0) ||
            (stream->device && setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, stream->device,
                                       (socklen_t) strlen(stream->device)) < 0) ||
            (stream->whole && setsockopt(fd, level, v6 ? IPV6_MTU_DISCOVER : IP_MTU_DISCOVER,
                                      &whole, sizeof whole) < 0) ||
            (stream->told &&
                    setsockopt(fd, level, v6 ? IPV6_RECVERR : IP_RECVERR, &one, sizeof one) < 0))
        return -errno;
    return 0;
}

static int open_socket(
        const struct stream *stream, const struct sockaddr_storage *to, socklen_t length) {
    struct sockaddr_storage from;
    _cleanup_close_ int fd = socket(to->ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    int r = set_options(fd, to->ss_family, stream);
    if (r == 0 && stream->from)
        r = address_parse(stream->from, 0, &from, &(socklen_t){ 0 });
    if (r < 0)
        return r;
    if ((stream->from && bind(fd, (struct sockaddr *) &from, length) < 0) ||
            (stream->persistent && connect(fd, (const struct sockaddr *) to, length) < 0))
        return -errno;
    int opened = fd;
    fd = -1;
    return opened;
}

// Errors that a datagram can meet on its way out; an ICMP answer to an earlier one is reported
// instead of sending, and costs none.
static bool is_refusal(int error) {
    static const int errors[] = { ENOBUFS, EAGAIN, EPERM, EMSGSIZE, ENETUNREACH, EHOSTUNREACH,
        ENETDOWN, EACCES, ENOMEM };
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (error == errors[i])
            return true;
    return false;
}

static int send_one(int fd, const struct stream *stream, struct truth *truth, char *payload,
        const struct sockaddr_storage *to, socklen_t length) {
    size_t size = (size_t) stream->size;
    int flags = stream->impatient ? MSG_DONTWAIT : 0;
    truth_stamp(truth, stream->flow, payload, size);
    for (int tries = 0; tries < 4; tries++) {
        ssize_t n = stream->persistent ? send(fd, payload, size, flags)
                                       : sendto(fd, payload, size, flags,
                                                 (const struct sockaddr *) to, length);
        if (n >= 0)
            return 0;
        if (errno != ECONNREFUSED && errno != EINTR)
            break;
    }
    if (!is_refusal(errno) && errno != ECONNREFUSED && errno != EINTR)
        return -errno;
    truth_refused(truth, stream->flow);
    return 0;
}

static int send_all(const struct stream *stream, struct truth *truth) {
    char payload[STREAM_MAX_PAYLOAD] = "";
    struct sockaddr_storage to;
    socklen_t length = 0;
    int fds[STREAM_MAX_SOCKETS], r = 0;
    long n_fds = 0;
    for (; r == 0 && n_fds < stream->sockets; n_fds++) {
        r = address_parse(stream->to, stream->port, &to, &length);
        fds[n_fds] = r < 0 ? r : open_socket(stream, &to, length);
        r = fds[n_fds] < 0 ? fds[n_fds] : 0;
    }
    struct pace pace = pace_start(stream);
    for (long i = 0; r == 0 && i < stream->count && !atomic_load(&truth->time_is_up); i++) {
        // The port stands at the same place in an address of either family.
        ((struct sockaddr_in *) &to)->sin_port =
                htons((uint16_t) (stream->port + i % stream->ports));
        pace_wait(&pace, i);
        r = send_one(fds[i % n_fds], stream, truth, payload, &to, length);
    }
    while (n_fds-- > 0)
        if (fds[n_fds] >= 0)
            close(fds[n_fds]);
    return r;
}

static int send_to_itself(const struct stream *stream, struct truth *truth) {
    struct reader_place place = { 0 };
    struct reader reader = {
        .on = stream->to, .port = stream->port, .rcvbuf = stream->own_rcvbuf, .place = &place
    };
    _cleanup_close_ int fd = reader_open(&reader, false);
    int r = fd < 0 ? fd : send_all(stream, truth);
    while (r == 0 && reader_take(fd, MSG_DONTWAIT, truth) >= 0)
        ;
    return r;
}

int stream_send(const struct stream *given, struct truth *truth) {
    struct stream stream = *given;
    stream.ports = stream.ports ?: 1;
    stream.sockets = stream.sockets ?: 1;
    stream.size = stream.size ?: 64;
    stream.spoof = stream.spoof ?: 1;
    stream.beside = stream.beside ?: 1;
    if (stream.flow >= TRUTH_FLOWS || stream.size > STREAM_MAX_PAYLOAD ||
            stream.sockets > STREAM_MAX_SOCKETS)
        return -EINVAL;
    if (stream.cpu) {
        cpu_set_t cpus;
        CPU_ZERO(&cpus);
        CPU_SET(stream.cpu - 1, &cpus);
        if (sched_setaffinity(0, sizeof cpus, &cpus) < 0)
            return -errno;
    }
    if (stream.own_rcvbuf)
        return send_to_itself(&stream, truth);
    return stream.mac ? frames_send(&stream, truth) : send_all(&stream, truth);
}
