// SPDX-License-Identifier: GPL-2.0-or-later
// Fill asker
//
// The process is forked with its list of paths and shares a board with us on which it writes the
// answers. A byte on the socket pair starts a round, a byte comes back at its end.
#include "collectors/fill_asker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "core/cleanup.h"

// A killed process that sits in the kernel stays until its file system lets it go. More are not
// made.
#define MAX_LEFT_BEHIND 4

struct slot {
    atomic_uint round; // in which the answer was written
    atomic_bool skip;  // do not ask
    struct fill fill;
};
struct board {
    atomic_uint at; // slot that is being asked, from 1; 0: none
    struct slot slots[];
};

struct target {
    char *path;
    int64_t mount_id;
    struct fill answer;
    int64_t retry_ms, retry_at_ms; // of one that hangs
};

struct fill_asker {
    struct target *targets;
    size_t n;
    struct board *board; // shared
    size_t board_bytes;
    pid_t pid; // 0: none
    int socket;
    unsigned round;
    bool open; // a round is under way
    int64_t asked_ms;
    pid_t left_behind[MAX_LEFT_BEHIND];
};

struct fill_asker *fill_asker_new(void) {
    struct fill_asker *asker = calloc(1, sizeof(*asker));
    if (asker)
        asker->socket = -1;
    return asker;
}

// In the child: nothing but system calls, as other threads may have held locks at the fork.
static void ask_one(const struct target *target, struct fill *fill) {
    struct statx mounted;
    struct statfs answer;
    *fill = (struct fill){ 0 };
    if (target->mount_id != 0 &&
            statx(AT_FDCWD, target->path, AT_NO_AUTOMOUNT, STATX_MNT_ID, &mounted) == 0 &&
            mounted.stx_mask & STATX_MNT_ID && (int64_t) mounted.stx_mnt_id != target->mount_id) {
        fill->error = ESTALE;
        return;
    }
    if (statfs(target->path, &answer) < 0) {
        fill->error = errno;
        return;
    }
    uint64_t unit = (uint64_t) (answer.f_frsize ? answer.f_frsize : answer.f_bsize);
    fill->size_bytes = answer.f_blocks * unit;
    fill->free_bytes = answer.f_bfree * unit;
    fill->available_bytes = answer.f_bavail * unit;
    fill->files = answer.f_files;
    fill->files_free = answer.f_ffree;
}

static void answer_round(const struct fill_asker *asker, unsigned round) {
    for (size_t i = 0; i < asker->n; i++) {
        struct slot *slot = &asker->board->slots[i];
        if (atomic_load(&slot->skip))
            continue;
        atomic_store(&asker->board->at, (unsigned) i + 1);
        ask_one(&asker->targets[i], &slot->fill);
        atomic_store(&slot->round, round);
    }
    atomic_store(&asker->board->at, 0);
}

static void leave_alone(int keep) {
    sigset_t none;
    sigemptyset(&none);
    for (int i = 1; i < NSIG; i++)
        signal(i, SIG_DFL);
    sigprocmask(SIG_SETMASK, &none, NULL);
    close_range(3, (unsigned) keep - 1, 0);
    close_range((unsigned) keep + 1, ~0u, 0);
}

// Ends when the parent does: it closes its end of the pair, or dies.
static _Noreturn void answer(const struct fill_asker *asker, int socket, pid_t parent) {
    unsigned round;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_NAME, "udpdiag-statfs");
    leave_alone(socket);
    while (getppid() == parent && read(socket, &round, sizeof(round)) == sizeof(round)) {
        answer_round(asker, round);
        if (write(socket, &round, sizeof(round)) != sizeof(round))
            break;
    }
    _exit(0);
}

static int start(struct fill_asker *asker) {
    int pair[2];
    pid_t parent = getpid();
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) < 0)
        return -errno;
    _cleanup_close_ int child = pair[1];
    pid_t pid = fork();
    if (pid <= 0) {
        int error = errno;
        close(pair[0]);
        if (pid == 0)
            answer(asker, child, parent);
        return -error;
    }
    asker->pid = pid;
    asker->socket = pair[0];
    asker->open = false;
    return 0;
}

static void reap(struct fill_asker *asker) {
    for (size_t i = 0; i < MAX_LEFT_BEHIND; i++)
        if (asker->left_behind[i] && waitpid(asker->left_behind[i], NULL, WNOHANG) != 0)
            asker->left_behind[i] = 0;
}

static pid_t *find_place(struct fill_asker *asker) {
    for (size_t i = 0; i < MAX_LEFT_BEHIND; i++)
        if (!asker->left_behind[i])
            return &asker->left_behind[i];
    return NULL;
}

// A process that does not hang ends at once; it gets a moment, so that it need not be looked after.
static void end(struct fill_asker *asker) {
    static const struct timespec moment = { .tv_nsec = 1000000 };
    if (asker->socket >= 0)
        close(asker->socket);
    asker->socket = -1;
    if (!asker->pid)
        return;
    kill(asker->pid, SIGKILL);
    bool gone = false;
    for (int i = 0; i < 20 && !gone; i++) {
        gone = waitpid(asker->pid, NULL, WNOHANG) != 0;
        if (!gone)
            nanosleep(&moment, NULL);
    }
    pid_t *place = gone ? NULL : find_place(asker);
    if (place)
        *place = asker->pid;
    asker->pid = 0;
    asker->open = false;
}

static void free_targets(struct target *targets, size_t n) {
    for (size_t i = 0; i < n; i++)
        free(targets[i].path);
    free(targets);
}

struct fill_asker *fill_asker_free(struct fill_asker *asker) {
    if (!asker)
        return NULL;
    end(asker);
    reap(asker);
    free_targets(asker->targets, asker->n);
    if (asker->board)
        munmap(asker->board, asker->board_bytes);
    free(asker);
    return NULL;
}

static bool is_same(const struct fill_asker *asker, const struct fill_target *targets, size_t n) {
    if (n != asker->n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (targets[i].mount_id != asker->targets[i].mount_id ||
                strcmp(targets[i].path, asker->targets[i].path) != 0)
            return false;
    return true;
}

static struct target keep(const struct fill_asker *asker, const struct fill_target *wanted) {
    struct target target = { .mount_id = wanted->mount_id, .answer = { .error = ENODATA } };
    for (size_t i = 0; i < asker->n; i++)
        if (asker->targets[i].mount_id == wanted->mount_id &&
                strcmp(asker->targets[i].path, wanted->path) == 0)
            target = asker->targets[i];
    target.path = strdup(wanted->path);
    return target;
}

static int make_board(struct fill_asker *asker, size_t n) {
    size_t bytes = sizeof(struct board) + n * sizeof(struct slot);
    void *board = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (board == MAP_FAILED)
        return -errno;
    if (asker->board)
        munmap(asker->board, asker->board_bytes);
    asker->board = board;
    asker->board_bytes = bytes;
    asker->round = 0;
    return 0;
}

int fill_asker_set(struct fill_asker *asker, const struct fill_target *targets, size_t n) {
    if (is_same(asker, targets, n))
        return 0;
    struct target *kept = calloc(n + 1, sizeof(*kept));
    if (!kept)
        return -ENOMEM;
    bool whole = true;
    for (size_t i = 0; i < n; i++) {
        kept[i] = keep(asker, &targets[i]);
        whole &= kept[i].path != NULL;
    }
    end(asker); // it knows the old list
    int r = whole ? make_board(asker, n) : -ENOMEM;
    if (r < 0) {
        free_targets(kept, n);
        return r;
    }
    free_targets(asker->targets, asker->n);
    asker->targets = kept;
    asker->n = n;
    return 0;
}

static void take_answers(struct fill_asker *asker) {
    for (size_t i = 0; i < asker->n; i++) {
        struct slot *slot = &asker->board->slots[i];
        if (atomic_load(&slot->skip) || atomic_load(&slot->round) != asker->round)
            continue;
        asker->targets[i].answer = slot->fill;
        asker->targets[i].retry_ms = 0;
    }
}

static bool wait_for_end(struct fill_asker *asker, int wait_ms) {
    unsigned round;
    struct pollfd ask = { .fd = asker->socket, .events = POLLIN };
    if (poll(&ask, 1, wait_ms) <= 0)
        return false;
    if (recv(asker->socket, &round, sizeof(round), MSG_DONTWAIT) != sizeof(round))
        end(asker); // somebody killed it
    asker->open = false;
    return true;
}

// The one that is being asked hangs; those behind it have no answer and keep their old one.
static void give_up(struct fill_asker *asker, int64_t now_ms) {
    unsigned at = atomic_load(&asker->board->at);
    end(asker);
    if (at == 0 || at > asker->n)
        return; // the process itself did not come to run
    struct target *target = &asker->targets[at - 1];
    int64_t since =
            target->answer.error == ETIMEDOUT ? target->answer.hangs_since_ms : asker->asked_ms;
    target->answer = (struct fill){ .error = ETIMEDOUT, .hangs_since_ms = since };
    target->retry_ms = target->retry_ms ? target->retry_ms * 2 : FILL_RETRY_MS;
    if (target->retry_ms > FILL_RETRY_MAX_MS)
        target->retry_ms = FILL_RETRY_MAX_MS;
    target->retry_at_ms = now_ms + target->retry_ms;
}

static int begin_round(struct fill_asker *asker, int64_t now_ms) {
    int r = asker->pid ? 0 : find_place(asker) ? start(asker) : -EBUSY;
    if (r < 0)
        return r;
    for (size_t i = 0; i < asker->n; i++)
        atomic_store(&asker->board->slots[i].skip,
                asker->targets[i].retry_ms && now_ms < asker->targets[i].retry_at_ms);
    atomic_store(&asker->board->at, 0);
    asker->round++;
    asker->asked_ms = now_ms;
    if (send(asker->socket, &asker->round, sizeof(asker->round), MSG_NOSIGNAL | MSG_DONTWAIT) < 0) {
        r = -errno;
        end(asker);
        return r;
    }
    asker->open = true;
    return 0;
}

int fill_asker_ask(struct fill_asker *asker, int64_t now_ms, int wait_ms) {
    reap(asker);
    if (asker->n == 0)
        return 0;
    if (asker->open) { // from the last time: its answers are old, but final
        take_answers(asker);
        if (!wait_for_end(asker, 0) && now_ms - asker->asked_ms >= FILL_PATIENCE_MS)
            give_up(asker, now_ms);
    }
    if (asker->open)
        return 0;
    int r = begin_round(asker, now_ms);
    if (r < 0)
        return r;
    wait_for_end(asker, wait_ms);
    take_answers(asker);
    return 0;
}

const struct fill *fill_asker_answer(const struct fill_asker *asker, size_t i) {
    return &asker->targets[i].answer;
}

int fill_asker_pid(const struct fill_asker *asker) {
    return asker->pid;
}
