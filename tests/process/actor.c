// SPDX-License-Identifier: GPL-2.0-or-later
// Actors
#include "tests/process/actor.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "collectors/process_files.h"
#include "tests/suite.h"

void wait_ms(int ms) {
    struct timespec time = { ms / 1000, ms % 1000 * 1000000L };
    nanosleep(&time, NULL);
}

uint64_t start_time_of(pid_t pid) {
    char path[32], text[1024];
    struct process_stat stat;
    snprintf(path, sizeof(path), "/proc/%d/stat", (int) pid);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    ck_assert_int_ge(fd, 0);
    ssize_t n = read(fd, text, sizeof(text));
    close(fd);
    ck_assert(n > 0 && parse_process_stat(text, (size_t) n, &stat));
    return (uint64_t) stat.start_time;
}

static uint32_t open_socket(int *ret) {
    struct sockaddr_in address = { .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    struct stat status;
    *ret = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ck_assert_int_ge(*ret, 0);
    ck_assert_int_eq(bind(*ret, (struct sockaddr *) &address, sizeof(address)), 0);
    ck_assert_int_eq(fstat(*ret, &status), 0);
    return (uint32_t) status.st_ino;
}

struct actor actor_start(actor_part *play) {
    struct actor actor = { 0 };
    int socket;
    actor.inode = open_socket(&socket);
    actor.pid = fork();
    ck_assert_int_ge(actor.pid, 0);
    if (actor.pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        play(socket);
        _exit(0);
    }
    close(socket);
    actor.start_time = start_time_of(actor.pid);
    return actor;
}

void actor_end(struct actor *actor) {
    kill(actor->pid, SIGKILL);
    waitpid(actor->pid, NULL, 0);
}

void play_receive(int socket) {
    char byte;
    while (recv(socket, &byte, 1, 0) >= 0)
        ;
}

void play_epoll(int socket) {
    int epoll = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = { .events = EPOLLIN };
    epoll_ctl(epoll, EPOLL_CTL_ADD, socket, &event);
    epoll_wait(epoll, &event, 1, -1);
}

void play_spin(int socket) {
    for (volatile unsigned i = 0;; i++)
        ;
}

void play_sleep(int socket) {
    wait_ms(60000);
}

void play_futex(int socket) {
    pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    pthread_mutex_lock(&lock);
    pthread_mutex_lock(&lock);
}

// The parent is in state D until the child ends.
void play_vfork(int socket) {
    pid_t pid = vfork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        wait_ms(60000);
        _exit(0);
    }
}

void play_stop(int socket) {
    raise(SIGSTOP);
}

void play_write(int socket) {
    static char block[1 << 16];
    char path[] = "/var/tmp/udpdiag-actor-XXXXXX";
    int fd = mkstemp(path);
    unlink(path);
    for (;;) {
        if (pwrite(fd, block, sizeof(block), 0) < 0)
            break;
        fdatasync(fd);
    }
}

static void *spin(void *data) {
    prctl(PR_SET_NAME, "spinner");
    play_spin(-1);
    return data;
}

static void *receive(void *data) {
    prctl(PR_SET_NAME, "receiver");
    play_receive(*(int *) data);
    return NULL;
}

void play_threads(int socket) {
    pthread_t threads[2];
    pthread_create(&threads[0], NULL, receive, &socket);
    pthread_create(&threads[1], NULL, spin, NULL);
    pthread_join(threads[0], NULL);
}

void play_queue(int socket) {
    pthread_t thread;
    pthread_create(&thread, NULL, receive, &socket);
    play_vfork(socket);
}
