// SPDX-License-Identifier: GPL-2.0-or-later
// Reader behaviours
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/reader.h"

#define BLOCK 4096           // bytes: a page, and what direct I/O can do
#define LINE_BYTES 512       // appended
#define FILE_BYTES (1 << 20) // then it is written from the start
#define FILTER_BYTES 200     // of payload

static void wait_us(long us) {
    struct timespec time = { us / 1000000, us % 1000000 * 1000 };
    nanosleep(&time, NULL);
}

static int open_and_tell(const struct reader *reader) {
    int fd = reader_open(reader, false);
    if (fd >= 0)
        reader_ready(reader);
    return fd;
}

int play_never(const struct reader *reader, struct truth *truth) {
    int fd = open_and_tell(reader);
    while (fd >= 0)
        pause();
    return fd;
}

static int read_on(int fd, const struct reader *reader, struct truth *truth) {
    long n;
    while ((n = reader_take(fd, 0, truth)) >= 0 || n == -EINTR)
        reader_compute(reader->work_us);
    return (int) n;
}

int play_work(const struct reader *reader, struct truth *truth) {
    int fd = open_and_tell(reader);
    return fd < 0 ? fd : read_on(fd, reader, truth);
}

// As one that looks up a name for each line of its log.
int play_ask(const struct reader *reader, struct truth *truth) {
    struct sockaddr_in any = { .sin_family = AF_INET };
    int fd = reader_open(reader, false);
    _cleanup_close_ int other = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return fd;
    if (other < 0 || bind(other, (struct sockaddr *) &any, sizeof any) < 0)
        return -errno;
    struct pollfd answer = { other, POLLIN, 0 };
    reader_ready(reader);
    while (reader_take(fd, 0, truth) >= 0)
        poll(&answer, 1, (int) reader->every);
    return -EIO;
}

int play_heirs(const struct reader *reader, struct truth *truth) {
    int fd = reader_open(reader, false);
    for (long i = 0; fd >= 0 && i < reader->threads; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return -errno;
        if (pid == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            for (;;)
                pause();
        }
    }
    if (fd < 0)
        return fd;
    reader_ready(reader);
    return read_on(fd, reader, truth);
}

int play_tick(const struct reader *reader, struct truth *truth) {
    int fd = open_and_tell(reader);
    struct pollfd some = { fd, POLLIN, 0 };
    while (fd >= 0 && poll(&some, 1, -1) >= 0) {
        wait_us(reader->every * 1000);
        while (reader_take(fd, MSG_DONTWAIT, truth) >= 0)
            ;
    }
    return fd < 0 ? fd : -errno;
}

int play_many(const struct reader *reader, struct truth *truth) {
    struct reader each = *reader;
    for (long i = 0; i < reader->threads; i++, each.port++) {
        int fd = reader_open(&each, false);
        if (fd < 0)
            return fd;
    }
    reader_ready(reader);
    for (;;)
        pause();
}

static int write_each(const struct reader *reader, struct truth *truth, int flags) {
    static char block[BLOCK] __attribute__((aligned(BLOCK)));
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    _cleanup_close_ int file = open(reader->file, O_WRONLY | O_CREAT | O_CLOEXEC | flags, 0600);
    if (file < 0)
        return -errno;
    reader_ready(reader);
    for (off_t at = 0; reader_take(fd, 0, truth) >= 0; at = (at + BLOCK) % FILE_BYTES)
        if (pwrite(file, block, sizeof block, at) < 0)
            return -errno;
    return -EIO;
}

int play_write(const struct reader *reader, struct truth *truth) {
    return write_each(reader, truth, O_DIRECT);
}

int play_log(const struct reader *reader, struct truth *truth) {
    return write_each(reader, truth, O_DSYNC);
}

// Programs that lose no line of their log try again, and read nothing meanwhile.
int play_append(const struct reader *reader, struct truth *truth) {
    static const char line[LINE_BYTES] = "line\n";
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    _cleanup_close_ int file = open(reader->file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    if (file < 0)
        return -errno;
    reader_ready(reader);
    while (reader_take(fd, 0, truth) >= 0)
        while (write(file, line, sizeof line) < 0 && errno == ENOSPC)
            wait_us(reader->every * 1000);
    return -EIO;
}

// Of pages that are not at hand, the next one is wanted last: none is guessed by readahead.
int play_touch(const struct reader *reader, struct truth *truth) {
    size_t pages = (size_t) reader->memory_mib << 8, at = 0;
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    volatile char *memory =
            mmap(NULL, pages * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    for (size_t i = 0; i < pages; i++)
        memory[i * BLOCK] = (char) random();
    reader_ready(reader);
    while (reader_take(fd, 0, truth) >= 0)
        for (long i = 0; i < reader->every; i++) {
            at = (at + 1021) % pages;
            memory[at * BLOCK]++;
        }
    return -EIO;
}

// The filter sees the UDP header too.
int play_filter(const struct reader *reader, struct truth *truth) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, FILTER_BYTES + 8, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = { sizeof code / sizeof code[0], code };
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0)
        return -errno;
    reader_ready(reader);
    return read_on(fd, reader, truth);
}

int play_hog(const struct reader *reader, struct truth *truth) {
    reader_ready(reader);
    for (;;)
        reader_compute(1000000);
}
