// SPDX-License-Identifier: GPL-2.0-or-later
// Reader behaviours
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "tests/kernel/traffic.h"
#include "tests/reader/reader.h"

#define BLOCK 4096 // bytes: a page, and what direct I/O can do

static ssize_t take(int fd, int flags) {
    char datagram[2048];
    return recv(fd, datagram, sizeof datagram, flags);
}

static void wait_ms(long ms) {
    struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&time, NULL);
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
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    reader_ready();
    for (;;)
        pause();
}

static int work(const struct reader *reader, int fd) {
    reader_ready();
    while (take(fd, 0) >= 0)
        reader_compute(reader->work);
    return -errno;
}

int play_work(const struct reader *reader) {
    int fd = reader_open(reader, false);
    return fd < 0 ? fd : work(reader, fd);
}

int play_heirs(const struct reader *reader) {
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    for (long i = 0; i < reader->threads; i++) {
        pid_t pid = fork();
        if (pid < 0)
            return -errno;
        if (pid == 0) {
            reader_bound(reader->seconds);
            for (;;)
                pause();
        }
    }
    return work(reader, fd);
}

int play_tick(const struct reader *reader) {
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    reader_ready();
    for (;; wait_ms(reader->every))
        while (take(fd, MSG_DONTWAIT) >= 0)
            ;
}

struct holder {
    pthread_mutex_t lock;
    long every;
};

static void *hold(void *data) {
    struct holder *holder = data;
    for (;; wait_ms(1)) {
        pthread_mutex_lock(&holder->lock);
        wait_ms(holder->every);
        pthread_mutex_unlock(&holder->lock);
    }
    return NULL;
}

int play_lock(const struct reader *reader) {
    struct holder holder = { PTHREAD_MUTEX_INITIALIZER, reader->every };
    pthread_t thread;
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    int r = pthread_create(&thread, NULL, hold, &holder);
    if (r > 0)
        return -r;
    reader_ready();
    while (take(fd, 0) >= 0) {
        pthread_mutex_lock(&holder.lock);
        pthread_mutex_unlock(&holder.lock);
    }
    return -errno;
}

int play_write(const struct reader *reader) {
    static char block[BLOCK] __attribute__((aligned(BLOCK)));
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    int file = open(reader->file, O_WRONLY | O_CREAT | O_DIRECT | O_CLOEXEC, 0600);
    if (file < 0)
        return -errno;
    reader_ready();
    for (off_t at = 0; take(fd, 0) >= 0; at = (at + BLOCK) % (1 << 20))
        if (pwrite(file, block, sizeof block, at) < 0)
            break;
    return -errno;
}

// Of pages that are not at hand, the next one is wanted last: none is guessed by readahead.
int play_touch(const struct reader *reader) {
    size_t pages = (size_t) reader->memory << 8, at = 0;
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    volatile char *memory =
            mmap(NULL, pages * BLOCK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        return -errno;
    for (size_t i = 0; i < pages; i++)
        memory[i * BLOCK] = (char) rand();
    reader_ready();
    while (take(fd, 0) >= 0)
        for (long i = 0; i < reader->every; i++) {
            at = (at + 1021) % pages;
            memory[at * BLOCK]++;
        }
    return -errno;
}

struct turns { // one thread after the other
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int fd;
    long next, n;
};

struct member {
    struct turns *turns;
    int fd; // of its own
    long i, work;
};

static void *take_turns(void *data) {
    const struct member *member = data;
    struct turns *turns = member->turns;
    ssize_t n = 0;
    pthread_mutex_lock(&turns->lock);
    while (n >= 0) {
        while (turns->next != member->i)
            pthread_cond_wait(&turns->changed, &turns->lock);
        n = take(turns->fd, 0);
        turns->next = (member->i + 1) % turns->n;
        pthread_cond_broadcast(&turns->changed);
    }
    pthread_mutex_unlock(&turns->lock);
    return NULL;
}

static void *take_own(void *data) {
    const struct member *member = data;
    while (take(member->fd, 0) >= 0)
        reader_compute(member->work);
    return NULL;
}

static int run_threads(void *(*run)(void *), struct member *members, long n) {
    pthread_t thread;
    for (long i = 0; i < n; i++) {
        int r = pthread_create(&thread, NULL, run, &members[i]);
        if (r > 0)
            return -r;
    }
    reader_ready();
    return -pthread_join(thread, NULL);
}

int play_share(const struct reader *reader) {
    struct turns turns = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER,
        reader_open(reader, false), 0, reader->threads };
    struct member members[READER_MAX_THREADS];
    if (turns.fd < 0)
        return turns.fd;
    if (reader->threads > READER_MAX_THREADS)
        return -EINVAL;
    for (long i = 0; i < reader->threads; i++)
        members[i] = (struct member){ .turns = &turns, .i = i };
    return run_threads(take_turns, members, reader->threads);
}

int play_group(const struct reader *reader) {
    struct member members[READER_MAX_THREADS];
    if (reader->threads > READER_MAX_THREADS)
        return -EINVAL;
    for (long i = 0; i < reader->threads; i++) {
        members[i] = (struct member){ .fd = reader_open(reader, true), .work = reader->work };
        if (members[i].fd < 0)
            return members[i].fd;
    }
    return run_threads(take_own, members, reader->threads);
}

// The filter sees the UDP header too.
int play_filter(const struct reader *reader) {
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_LEN, 0),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, 208, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, 0),
        BPF_STMT(BPF_RET | BPF_K, UINT32_MAX),
    };
    struct sock_fprog program = { sizeof code / sizeof code[0], code };
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    if (setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program) < 0)
        return -errno;
    reader_ready();
    while (take(fd, 0) >= 0)
        ;
    return -errno;
}

int play_hog(const struct reader *reader) {
    reader_ready();
    for (;;)
        reader_compute(1000000);
}
