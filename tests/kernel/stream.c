// SPDX-License-Identifier: GPL-2.0-or-later
// Sender and sink
#include "traffic.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/cleanup.h"

int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

struct pace pace_start(long rate, long seconds) {
    int64_t start = now_ns();
    return (struct pace){ start, rate ? INT64_C(1000000000) / rate : 0,
        start + seconds * INT64_C(1000000000) };
}

bool pace_wait(const struct pace *pace, long n) {
    int64_t due = pace->start_ns + n * pace->step_ns, now = now_ns();
    if (due >= pace->deadline_ns || now >= pace->deadline_ns)
        return false;
    // Shorter sleeps cost more than they are worth: the pace is kept over a few datagrams.
    if (due - now > 500000) {
        struct timespec until = { due / 1000000000, due % 1000000000 };
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL);
    }
    return true;
}

int address_parse(
        const char *text, long port, struct sockaddr_storage *ret, socklen_t *ret_length) {
    struct sockaddr_in v4 = { .sin_family = AF_INET, .sin_port = htons((uint16_t) port) };
    struct sockaddr_in6 v6 = { .sin6_family = AF_INET6, .sin6_port = htons((uint16_t) port) };
    *ret = (struct sockaddr_storage){ 0 };
    if (inet_pton(AF_INET, text, &v4.sin_addr) == 1) {
        memcpy(ret, &v4, sizeof v4);
        *ret_length = sizeof v4;
        return 0;
    }
    if (inet_pton(AF_INET6, text, &v6.sin6_addr) == 1) {
        memcpy(ret, &v6, sizeof v6);
        *ret_length = sizeof v6;
        return 0;
    }
    return -EINVAL;
}

int traffic_send(const struct options *options) {
    static const char payload[TRAFFIC_MAX_PAYLOAD];
    struct sockaddr_storage to[16];
    socklen_t length = 0;
    long ports = options->ports < 16 ? options->ports : 16, sent = 0, refused = 0, i = 0;
    for (long k = 0; k < ports; k++)
        if (address_parse(options->to, options->port + k, &to[k], &length) < 0)
            return -EINVAL;
    _cleanup_close_ int fd = socket(to[0].ss_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -errno;
    struct pace pace = pace_start(options->rate, options->seconds);
    for (; i < options->count && pace_wait(&pace, i); i++) {
        ssize_t n = sendto(
                fd, payload, (size_t) options->size, 0, (struct sockaddr *) &to[i % ports], length);
        if (n >= 0)
            sent++;
        // An ICMP answer to an earlier datagram is reported here only once and costs none.
        else if (errno == ECONNREFUSED || errno == ENOBUFS || errno == EPERM || errno == EINTR)
            refused++;
        else
            return -errno;
    }
    printf("{\"sent\": %ld, \"refused\": %ld}\n", sent, refused);
    return 0;
}

static volatile sig_atomic_t stopped;
static void stop(int signal_number) {
    stopped = 1;
}

static int open_sink(const struct options *options) {
    struct sockaddr_storage on;
    socklen_t length;
    int one = 1, rcvbuf = (int) options->rcvbuf;
    if (address_parse(options->to, options->port, &on, &length) < 0)
        return -EINVAL;
    int fd = socket(on.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    if ((on.ss_family == AF_INET6 &&
                setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one) < 0) ||
            (rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof rcvbuf) < 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof rcvbuf) < 0) ||
            bind(fd, (struct sockaddr *) &on, length) < 0) {
        int r = -errno;
        close(fd);
        return r;
    }
    return fd;
}

// Takes what is there, at most `most`. Returns how many.
static long drain(int fd, long most) {
    static char payload[TRAFFIC_MAX_PAYLOAD];
    long n = 0;
    while (n < most && (recv(fd, payload, sizeof payload, 0) >= 0 || errno == EINTR))
        n++;
    return n;
}

int traffic_sink(const struct options *options) {
    struct sigaction action = { .sa_handler = stop };
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    _cleanup_close_ int fd = open_sink(options);
    if (fd < 0)
        return fd;
    puts("ready");
    fflush(stdout);
    long received = 0;
    struct pace pace = pace_start(options->rate, options->seconds);
    while (!stopped && now_ns() < pace.deadline_ns && received < options->count) {
        if (options->never_read) {
            poll(NULL, 0, 100);
        } else if (options->rate) {
            received += drain(fd, 1);
            pace_wait(&pace, received + 1);
        } else {
            struct pollfd ready = { fd, POLLIN, 0 };
            if (poll(&ready, 1, 100) > 0)
                received += drain(fd, 256);
        }
    }
    if (stopped && !options->never_read)
        received += drain(fd, TRAFFIC_MAX_COUNT);
    printf("{\"received\": %ld}\n", received);
    return 0;
}
