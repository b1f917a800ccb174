// SPDX-License-Identifier: GPL-2.0-or-later
// Swarm
//
// Processes that live for a moment, some of them at a time. Each is named after its port, which
// others had before it and will have after it, and loses a few datagrams there: whoever is named
// with another port than its own is named wrongly.
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/reader/reader.h"

#define PORTS 100
#define ALIVE 50     // fewer than ports: each is free when its turn comes
#define DATAGRAMS 20 // more than the smallest buffer holds

static int flood(int fd) {
    struct sockaddr_storage on;
    socklen_t length = sizeof on;
    char payload[64] = "";
    if (getsockname(fd, (struct sockaddr *) &on, &length) < 0)
        return -errno;
    for (int i = 0; i < DATAGRAMS; i++)
        if (sendto(fd, payload, sizeof payload, 0, (struct sockaddr *) &on, length) < 0)
            return -errno;
    return 0;
}

static int live(const struct reader *reader, long i) {
    struct reader mine = *reader;
    char name[16];
    mine.port = reader->port + i % PORTS;
    mine.rcvbuf = 1;
    snprintf(name, sizeof name, "udt-%ld", mine.port);
    prctl(PR_SET_NAME, name);
    reader_bound(reader->seconds);
    int fd = reader_open(&mine);
    return fd < 0 ? fd : flood(fd);
}

static void end(pid_t pid) {
    if (pid <= 0)
        return;
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

// The next one takes the place of another. 0 or -errno.
static int replace(const struct reader *reader, long i, pid_t *pid) {
    end(*pid);
    *pid = fork();
    if (*pid < 0)
        return -errno;
    if (*pid == 0) {
        if (live(reader, i) < 0)
            _exit(1);
        for (;;)
            pause();
    }
    return 0;
}

int play_swarm(const struct reader *reader) {
    pid_t pids[ALIVE] = { 0 };
    int r = 0;
    reader_ready();
    for (long i = 0; r == 0 && i < reader->threads; i++)
        r = replace(reader, i, &pids[i % ALIVE]);
    for (size_t i = 0; i < ALIVE; i++)
        end(pids[i]);
    if (r == 0)
        printf("lived %ld\n", reader->threads);
    return r;
}
