// SPDX-License-Identifier: GPL-2.0-or-later
// Readers of several threads
#include <errno.h>
#include <pthread.h>
#include <time.h>

#include "lab/reader.h"

struct member {
    const struct reader *reader;
    struct truth *truth;
    struct turns *turns;
    int fd;
    long i;
};

struct turns { // one thread after the other
    pthread_mutex_t lock;
    pthread_cond_t changed;
    long next;
};

// Each with a member of its own, until the first of them ends.
static int run_threads(void *(*run)(void *), struct member *members, long n) {
    pthread_t thread;
    for (long i = 0; i < n; i++) {
        int r = pthread_create(&thread, NULL, run, &members[i]);
        if (r > 0)
            return -r;
    }
    reader_ready(members[0].reader);
    return -pthread_join(thread, NULL);
}

static void *take_turns(void *data) {
    const struct member *member = data;
    struct turns *turns = member->turns;
    long n = 0;
    pthread_mutex_lock(&turns->lock);
    while (n >= 0) {
        while (turns->next != member->i)
            pthread_cond_wait(&turns->changed, &turns->lock);
        n = reader_take(member->fd, 0, member->truth);
        turns->next = (member->i + 1) % member->reader->threads;
        pthread_cond_broadcast(&turns->changed);
    }
    pthread_mutex_unlock(&turns->lock);
    return NULL;
}

static void *take(void *data) {
    const struct member *member = data;
    while (reader_take(member->fd, 0, member->truth) >= 0)
        reader_compute(member->reader->work_us);
    return NULL;
}

// One socket for all, or one for each.
static int play_threads(
        const struct reader *reader, struct truth *truth, void *(*run)(void *), bool shared_port) {
    struct turns turns = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 };
    struct member members[READER_MAX_THREADS];
    if (reader->threads < 1 || reader->threads > READER_MAX_THREADS)
        return -EINVAL;
    for (long i = 0; i < reader->threads; i++) {
        int fd = i == 0 || shared_port ? reader_open(reader, shared_port) : members[0].fd;
        if (fd < 0)
            return fd;
        members[i] = (struct member){ reader, truth, &turns, fd, i };
    }
    return run_threads(run, members, reader->threads);
}

int play_share(const struct reader *reader, struct truth *truth) {
    return play_threads(reader, truth, take_turns, false);
}

int play_crowd(const struct reader *reader, struct truth *truth) {
    return play_threads(reader, truth, take, false);
}

int play_group(const struct reader *reader, struct truth *truth) {
    return play_threads(reader, truth, take, true);
}

struct holder {
    pthread_mutex_t lock;
    long every;
};

static void sleep_ms(long ms) {
    struct timespec time = { ms / 1000, ms % 1000 * 1000000 };
    nanosleep(&time, NULL);
}

static void *hold(void *data) {
    struct holder *holder = data;
    for (;; sleep_ms(1)) {
        pthread_mutex_lock(&holder->lock);
        sleep_ms(holder->every);
        pthread_mutex_unlock(&holder->lock);
    }
    return NULL;
}

int play_lock(const struct reader *reader, struct truth *truth) {
    struct holder holder = { PTHREAD_MUTEX_INITIALIZER, reader->every };
    pthread_t thread;
    int fd = reader_open(reader, false);
    if (fd < 0)
        return fd;
    int r = pthread_create(&thread, NULL, hold, &holder);
    if (r > 0)
        return -r;
    reader_ready(reader);
    while (reader_take(fd, 0, truth) >= 0) {
        pthread_mutex_lock(&holder.lock);
        pthread_mutex_unlock(&holder.lock);
    }
    return -EIO;
}
