// SPDX-License-Identifier: GPL-2.0-or-later
// Owners and namespaces of this kernel
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/list.h"
#include "tests/socket/lab.h"

#define NOBODY 65534
#define HOSTILE ") S 1\n\033[31m"

START_TEST(owners_by_fork_are_all_named) {
    int fd = open_socket(5000), pair[2];
    unix_pair(pair);
    look();
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        prctl(PR_SET_NAME, HOSTILE);
        dup2(fd, 100); // the lowest is told
        say(pair[1]);
        for (;;)
            pause();
    }
    hear(pair[0]);
    flood(5000, 50);
    look();
    ck_assert_int_eq(value(fd, SOCKET_OWNERS), 2);
    ck_assert_str_eq(text(fd, SOCKET_OWNER_STATE), "found");
    ck_assert_ptr_nonnull(owner(getpid()));
    ck_assert_ptr_nonnull(owner(child));
    ck_assert_int_eq(owner(child)->fd, fd);
    ck_assert_uint_eq(owner(child)->start_time, start_time_of(child));
    ck_assert_int_eq(watch_find_process(&rig.watch, child)->lost, drops_of(fd));
    end_process(child);
    flood(5000, 1);
    look();
    ck_assert_int_eq(value(fd, SOCKET_OWNERS), 1);
    ck_assert_ptr_null(owner(child));
}
END_TEST

START_TEST(a_socket_that_is_handed_over_has_its_new_owner) {
    int pair[2];
    unix_pair(pair);
    look();
    pid_t child = fork();
    if (child == 0) {
        send_socket(pair[1], open_socket(5000));
        _exit(0);
    }
    int fd = receive_socket(pair[0]);
    waitpid(child, NULL, 0);
    flood(5000, 50);
    look();
    const struct watched_owner *first;
    uint32_t inode = inode_of(fd);
    ck_assert_uint_eq(owners_of(inode, &first), 1);
    ck_assert_int_eq(first->pid, getpid());
    ck_assert_int_eq(first->fd, fd);
    // Another descriptor of the same process.
    int other = dup(fd);
    close(fd);
    flood(5000, 1);
    for (int i = 0; i < 3; i++)
        look();
    ck_assert_uint_eq(owners_of(inode, &first), 1);
    ck_assert_int_eq(first->fd, other);
}
END_TEST

struct other {
    pid_t pid;
    int talk;
    uint32_t inode; // of its socket
};

static struct other other_namespace(void) {
    int pair[2];
    unix_pair(pair);
    pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (!enter_namespace())
            _exit(1);
        int fd = open_socket(5000);
        send_socket(pair[1], fd);
        for (char byte; read(pair[1], &byte, 1) == 1;) {
            flood(5000, 30);
            say(pair[1]);
        }
        _exit(0);
    }
    int fd = receive_socket(pair[0]);
    struct other other = { pid, pair[0], inode_of(fd) };
    close(fd);
    return other;
}

static void flood_there(const struct other *other) {
    say(other->talk);
    hear(other->talk);
}

static const cell *row_there(const struct other *other, const cell **ret_before) {
    for (size_t i = 0; i < rig.rows.n; i++) {
        const cell *row = rows_at(&rig.rows, i);
        if (row[SOCKET_INODE] != (cell) other->inode)
            continue;
        if (ret_before)
            *ret_before = rows_before_at(&rig.rows, i);
        return row;
    }
    return NULL;
}

START_TEST(another_namespace_is_read_from_its_files) {
    struct other other = other_namespace();
    const cell *were;
    look();
    ck_assert_ptr_null(row_there(&other, NULL));
    flood_there(&other);
    look();
    const cell *row = row_there(&other, &were);
    ck_assert_ptr_nonnull(row);
    cell first = row[SOCKET_DROPS];
    ck_assert_int_gt(first, 10);
    ck_assert_int_eq(row[SOCKET_COOKIE], 0);
    ck_assert_int_eq(row[SOCKET_RMEM], CELL_NULL);
    ck_assert_int_eq(row[SOCKET_INTERFACE], CELL_NULL);
    ck_assert_str_ne(rows_text(&rig.rows, row[SOCKET_NETNS]), own_name());
    ck_assert_int_eq(were[SOCKET_DROPS], 0);
    ck_assert_int_eq(row[SOCKET_OWNERS], 1);
    const struct watched_owner *holder;
    ck_assert_uint_eq(owners_of(other.inode, &holder), 1);
    ck_assert_int_eq(holder->pid, other.pid);
    if (row[SOCKET_HAS_FILTER] != CELL_NULL) // it was asked
        ck_assert_int_eq(row[SOCKET_RCVBUF], 4096);
    flood_there(&other);
    peek();
    look();
    row = row_there(&other, &were);
    ck_assert_int_eq(row[SOCKET_DROPS], first + 30);
    ck_assert_int_eq(were[SOCKET_DROPS], first);
    ck_assert_int_eq(row[SOCKET_LOOKS_FULL], row[SOCKET_LOOKS]);
    end_process(other.pid);
    look();
    ck_assert_ptr_null(row_there(&other, NULL));
    ck_assert_ptr_null(owner(other.pid));
}
END_TEST

// A namespace without sockets is not read at all, where that is known.
START_TEST(empty_lists_are_passed_over) {
    struct other other = other_namespace();
    look();
    for (size_t i = 0; i < rig.netns.n; i++)
        for (size_t k = 0; k < N_NETNS_SOCKETS; k++)
            rig.netns.items[i].in_use[k] = 0;
    flood_there(&other);
    rig.context.now_ms += 1000;
    rig_collect(&rig);
    ck_assert_uint_eq(rig.rows.n, 0);
    void *state;
    struct rows rows;
    struct outcome outcome = { .state = OUTCOME_OK };
    rows_init(&rows, &sockstat_table);
    sockstat_collector.start(&rig.context, &state);
    sockstat_collector.collect(&rig.context, state, &rows, &outcome);
    rig.context.now_ms += 1000;
    rig_collect(&rig);
    ck_assert_ptr_nonnull(row_there(&other, NULL));
    sockstat_collector.stop(state);
    rows_done(&rows);
    end_process(other.pid);
}
END_TEST

// As somebody who owns nothing of it but one socket.
static bool look_as_nobody(uint32_t inode, int talk) {
    if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
        return false;
    prctl(PR_SET_DUMPABLE, 1); // as it is for a process that began like this
    rig_stop(&rig);
    rig_start(&rig, &socket_collector, NULL);
    look();
    say(talk);
    hear(talk);
    int own = open_socket(5001);
    flood(5001, 50);
    look();
    struct rows rows;
    struct outcome outcome = { .state = OUTCOME_OK };
    rows_init(&rows, &owner_table);
    owner_collector.collect(&rig.context, NULL, &rows, &outcome);
    check_drops(own, 0);
    ck_assert_str_eq(text(own, SOCKET_OWNER_STATE), "found");
    ck_assert_int_eq(watched(inode)->state, OWNER_DENIED);
    ck_assert(watched(inode)->lossy && watched(inode)->full);
    ck_assert_msg(strstr(outcome.reason, "CAP_SYS_PTRACE") &&
                          strstr(outcome.reason, "CAP_DAC_READ_SEARCH"),
            "%s", outcome.reason);
    return true;
}

START_TEST(without_privileges_owners_are_denied) {
    int fd = open_socket(5000), pair[2];
    uint32_t inode = inode_of(fd);
    unix_pair(pair);
    pid_t child = fork();
    if (child == 0) {
        close(fd);
        _exit(look_as_nobody(inode, pair[1]) ? 0 : 2);
    }
    hear(pair[0]);
    flood(5000, 50);
    say(pair[0]);
    int status;
    waitpid(child, &status, 0);
    ck_assert_int_eq(status, 0);
}
END_TEST

#define REFUSED 77

// Runs it as the first process of a table of its own, in which nothing is hidden from it. Its
// status, or REFUSED.
static int run_in_own_table(int (*run)(void)) {
    pid_t pid = fork();
    if (pid == 0) {
        if (unshare(CLONE_NEWPID | CLONE_NEWNS) < 0)
            _exit(REFUSED);
        pid = fork();
        if (pid == 0 && (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
                                mount("proc", "/proc", "proc", 0, NULL) < 0))
            _exit(REFUSED);
        if (pid == 0)
            _exit(run());
        int status;
        waitpid(pid, &status, 0);
        _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 1);
    }
    int status;
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

// A socket that no process has a descriptor of: it is on its way from one to another.
static uint32_t open_nobodys(int on_its_way, uint16_t port) {
    int fd = open_socket(port);
    uint32_t inode = inode_of(fd);
    send_socket(on_its_way, fd);
    close(fd);
    return inode;
}

static int look_for_nobody(void) {
    int pair[2];
    unix_pair(pair);
    rig_stop(&rig);
    rig_start(&rig, &socket_collector, NULL);
    uint32_t kernel = open_nobodys(pair[0], 4789), unknown = open_nobodys(pair[0], 4790);
    look();
    flood(4789, 50);
    flood(4790, 50);
    look();
    bool good = rig.watch.n_denied == 0 && watched(kernel)->state == OWNER_KERNEL &&
                watched(unknown)->state == OWNER_UNKNOWN;
    int fd = receive_socket(pair[1]);
    good &= strcmp(text(fd, SOCKET_OWNER_STATE), "kernel") == 0 &&
            strcmp(text(fd, SOCKET_KERNEL_USER), "vxlan") == 0 && value(fd, SOCKET_OWNERS) == 0;
    // It is searched for again after a while only.
    flood(4789, 1);
    look();
    good &= watched(kernel)->state == OWNER_KERNEL;
    rig.context.now_ms += 60000;
    flood(4789, 1);
    look();
    return good && watched(kernel)->state == OWNER_FOUND ? 0 : 2;
}

START_TEST(what_nobody_has_may_be_the_kernels) {
    int status = run_in_own_table(look_for_nobody);
    ck_assert_msg(status == 0 || status == REFUSED, "%d", status);
}
END_TEST

// The row of that port in this namespace.
static const cell *row_of_port(cell port) {
    for (size_t i = 0; i < rig.rows.n; i++) {
        const cell *row = rows_at(&rig.rows, i);
        if (row[SOCKET_PORT] == port &&
                strcmp(rows_text(&rig.rows, row[SOCKET_NETNS]), own_name()) == 0)
            return row;
    }
    return NULL;
}

static int look_at_tunnel(void) {
    rig_stop(&rig);
    rig_start(&rig, &socket_collector, NULL);
    if (system("ip link add tunnel0 type vxlan id 7 dstport 7654 dev lo 2>/dev/null && "
               "ip link set tunnel0 up") != 0)
        return REFUSED;
    rig.context.all_sockets = true;
    look();
    const cell *row = row_of_port(7654);
    bool good = row && row[SOCKET_OWNERS] == 0 &&
                strcmp(rows_text(&rig.rows, row[SOCKET_OWNER_STATE]), "kernel") == 0 &&
                strcmp(rows_text(&rig.rows, row[SOCKET_KERNEL_USER]), "vxlan") == 0;
    return good ? 0 : 2;
}

START_TEST(the_socket_of_a_tunnel_is_the_kernels) {
    int status = run_in_own_table(look_at_tunnel);
    ck_assert_msg(status == 0 || status == REFUSED, "%d", status);
}
END_TEST

int main(void) {
    if (!may_unshare()) {
        puts("1..0 # SKIP a private network namespace is refused here");
        return 0;
    }
    Suite *suite = suite_create("owners and namespaces of this kernel");
    TCase *tcase = tcase_create("kernel");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, owners_by_fork_are_all_named);
    tcase_add_test(tcase, a_socket_that_is_handed_over_has_its_new_owner);
    tcase_add_test(tcase, another_namespace_is_read_from_its_files);
    tcase_add_test(tcase, empty_lists_are_passed_over);
    tcase_add_test(tcase, without_privileges_owners_are_denied);
    tcase_add_test(tcase, what_nobody_has_may_be_the_kernels);
    tcase_add_test(tcase, the_socket_of_a_tunnel_is_the_kernels);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
