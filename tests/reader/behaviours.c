// SPDX-License-Identifier: GPL-2.0-or-later
// Reader behaviours
#include <errno.h>
#include <stdint.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/reader/reader.h"

static ssize_t take(int fd, int flags) {
    char datagram[2048];
    return recv(fd, datagram, sizeof datagram, flags);
}

static int64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

void reader_compute(long us) {
    int64_t end = cpu_ns() + us * 1000;
    while (us > 0 && cpu_ns() < end)
        ;
}

int play_never(const struct reader *reader) {
    int fd = reader_open(reader);
    if (fd < 0)
        return fd;
    reader_ready();
    for (;;)
        pause();
}

int play_work(const struct reader *reader) {
    int fd = reader_open(reader);
    if (fd < 0)
        return fd;
    reader_ready();
    while (take(fd, 0) >= 0)
        reader_compute(reader->work);
    return -errno;
}
