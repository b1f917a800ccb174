// SPDX-License-Identifier: GPL-2.0-or-later
// Sink
#include <errno.h>
#include <poll.h>
#include <stdio.h>

#include "core/cleanup.h"
#include "traffic.h"

static int open_sink(const struct options *options) {
    struct sockaddr_storage on;
    socklen_t length;
    int one = 1, rcvbuf = (int) options->rcvbuf;
    if (address_parse(options->stream.to, options->stream.port, &on, &length) < 0)
        return -EINVAL;
    _cleanup_close_ int fd = socket(on.ss_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0 ||
            (on.ss_family == AF_INET6 &&
                    setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof one) < 0) ||
            (rcvbuf && setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof rcvbuf) < 0 &&
                    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof rcvbuf) < 0) ||
            bind(fd, (struct sockaddr *) &on, length) < 0)
        return -errno;
    int opened = fd;
    fd = -1;
    return opened;
}

// Takes what is there, at most `most`. Returns how many.
static long drain(int fd, long most) {
    static char payload[STREAM_MAX_PAYLOAD];
    long n = 0;
    while (n < most && (recv(fd, payload, sizeof payload, 0) >= 0 || errno == EINTR))
        n++;
    return n;
}

static long take(int fd, const struct options *options, struct pace *pace, long received) {
    if (options->never_read) {
        poll(NULL, 0, 100);
        return 0;
    }
    if (options->stream.rate) {
        long n = drain(fd, 1);
        pace_wait(pace, received + n + 1);
        return n;
    }
    struct pollfd ready = { fd, POLLIN, 0 };
    return poll(&ready, 1, 100) > 0 ? drain(fd, 256) : 0;
}

int traffic_sink(const struct options *options, struct truth *truth) {
    _cleanup_close_ int fd = open_sink(options);
    if (fd < 0)
        return fd;
    puts("ready");
    fflush(stdout);
    long received = 0;
    struct pace pace = pace_start(&options->stream);
    while (!atomic_load(&truth->time_is_up) && received < options->stream.count)
        received += take(fd, options, &pace, received);
    if (!options->never_read)
        received += drain(fd, TRAFFIC_MAX_COUNT);
    printf("{\"received\": %ld}\n", received);
    return 0;
}
