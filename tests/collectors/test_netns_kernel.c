// SPDX-License-Identifier: GPL-2.0-or-later
// Network namespaces of this kernel
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "collectors/list.h"
#include "core/cleanup.h"
#include "tests/collectors/rig.h"

#define FRAG_TIME "17"
#define NOBODY 65534

static struct rig rig;

static void set_sysctl(const char *path, const char *value) {
    _cleanup_close_ int fd = open(path, O_WRONLY | O_CLOEXEC);
    if (fd >= 0)
        ck_assert_int_gt(write(fd, value, strlen(value)), 0);
}

// Sends n datagrams to a closed port of loopback.
static void send_to_closed_port(int n) {
    struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(9) };
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (int i = 0; i < n; i++) {
        _cleanup_close_ int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        sendto(fd, "x", 1, 0, (struct sockaddr *) &to, sizeof(to));
    }
}

static void say_ready(int fd) {
    if (write(fd, "", 1) != 1)
        _exit(1);
    for (;;)
        pause();
}

static void live_in_namespace(int ready, int n_datagrams) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (unshare(CLONE_NEWNET) < 0)
        _exit(1);
    struct ifreq request = { .ifr_name = "lo", .ifr_flags = IFF_UP };
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    ioctl(fd, SIOCSIFFLAGS, &request);
    close(fd);
    set_sysctl("/proc/sys/net/ipv4/ipfrag_time", FRAG_TIME);
    send_to_closed_port(n_datagrams);
    fork(); // a second member
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    say_ready(ready);
}

// A process in a namespace of its own, with a child that lives there too.
static pid_t start_namespace(int n_datagrams) {
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    pid_t pid = fork();
    if (pid == 0)
        live_in_namespace(ends[1], n_datagrams);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return pid;
}

static void end_process(pid_t pid) {
    kill(pid, SIGKILL);
    waitpid(pid, NULL, 0);
}

static uint64_t inode_of(pid_t pid) {
    char path[64];
    struct stat status;
    snprintf(path, sizeof(path), "/proc/%d/ns/net", (int) pid);
    ck_assert_int_eq(stat(path, &status), 0);
    return status.st_ino;
}

static const struct netns *find(uint64_t inode) {
    const struct netns *found = NULL;
    for (size_t i = 0; i < rig.netns.n; i++) {
        if (rig.netns.items[i].inode != inode)
            continue;
        ck_assert_ptr_null(found);
        found = &rig.netns.items[i];
    }
    return found;
}

START_TEST(a_namespace_comes_and_goes) {
    rig_start(&rig, &snmp_collector, NULL);
    rig_look(&rig);
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    ck_assert_int_gt(rig_value(&rig, "host", "ip_in_receives"), -1);

    pid_t pid = start_namespace(5);
    uint64_t inode = inode_of(pid);
    rig_look(&rig);
    const struct netns *netns = find(inode);
    ck_assert_ptr_nonnull(netns);
    ck_assert_int_eq(netns->pid, pid);
    char name[NETNS_NAME_SIZE];
    strcpy(name, netns->name);
    ck_assert_int_eq(rig_value(&rig, name, "udp_no_ports"), 5);
    ck_assert_int_eq(rig_value(&rig, name, "netns_inode"), (cell) inode);

    ck_assert(netns_list_is_current(&rig.netns));
    end_process(pid);
    // The second member has PDEATHSIG of the first: both are gone soon.
    for (int i = 0; i < 200 && netns_list_is_current(&rig.netns); i++)
        usleep(10000);
    ck_assert(!netns_list_is_current(&rig.netns));
    usleep(50000);
    rig_look(&rig);
    ck_assert_ptr_null(find(inode));
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    rig_stop(&rig);
}
END_TEST

START_TEST(another_member_takes_over) {
    rig_start(&rig, &snmp_collector, NULL);
    int ends[2];
    char byte;
    ck_assert_int_eq(pipe2(ends, O_CLOEXEC), 0);
    pid_t first = start_namespace(3);
    pid_t second = fork();
    if (second == 0) {
        char path[64];
        snprintf(path, sizeof(path), "/proc/%d/ns/net", (int) first);
        int fd = open(path, O_RDONLY | O_CLOEXEC);
        if (setns(fd, CLONE_NEWNET) < 0)
            _exit(1);
        close(fd);
        say_ready(ends[1]);
    }
    ck_assert_int_eq(read(ends[0], &byte, 1), 1);
    uint64_t inode = inode_of(first);
    rig_look(&rig);
    char name[NETNS_NAME_SIZE];
    strcpy(name, find(inode)->name);
    end_process(first);
    rig_collect(&rig); // before the next discovery: the row is missing, nothing fails
    ck_assert_int_eq(rig.outcome.state, OUTCOME_OK);
    usleep(50000);
    rig_look(&rig);
    ck_assert_int_eq(find(inode)->pid, second);
    ck_assert_str_eq(find(inode)->name, name);
    ck_assert_int_eq(rig_value(&rig, name, "udp_no_ports"), 3);
    end_process(second);
    rig_stop(&rig);
}
END_TEST

static size_t count_files_of(const char *part) {
    DIR *directory = opendir("/proc/self/fd");
    ck_assert_ptr_nonnull(directory);
    size_t n = 0;
    struct dirent *entry;
    char target[256];
    while ((entry = readdir(directory))) {
        ssize_t length = readlinkat(dirfd(directory), entry->d_name, target, sizeof(target) - 1);
        target[length > 0 ? length : 0] = '\0';
        n += strstr(target, part) != NULL;
    }
    closedir(directory);
    return n;
}

START_TEST(only_the_files_of_the_host_stay_open) {
    pid_t pid = start_namespace(1);
    rig_start(&rig, &snmp_collector, NULL);
    rig_look(&rig);
    rig_look(&rig);
    ck_assert_ptr_nonnull(find(inode_of(pid)));
    ck_assert_uint_ge(count_files_of("/net/snmp"), 1);
    ck_assert_uint_eq(count_files_of("/net/"), count_files_of("/1/net/"));
    char own[32];
    snprintf(own, sizeof(own), "/%d/", (int) pid);
    ck_assert_uint_eq(count_files_of(own), 0);
    end_process(pid);
    rig_stop(&rig);
}
END_TEST

START_TEST(limits_of_another_namespace) {
    pid_t pid = start_namespace(0);
    rig_start(&rig, &sysctl_collector, NULL);
    uint64_t own = inode_of(getpid());
    rig_look(&rig);
    ck_assert_uint_eq(rig.rows.n, rig.netns.n);
    const char *name = find(inode_of(pid))->name;
    ck_assert_int_eq(rig_value(&rig, name, "ipfrag_time_s"), atoi(FRAG_TIME));
    ck_assert_int_eq(rig_value(&rig, name, "udp_mem_min_pages"), CELL_NULL);
    ck_assert_int_ne(rig_value(&rig, "host", "ipfrag_time_s"), CELL_NULL);
    ck_assert_uint_eq(inode_of(getpid()), own); // the thread went, not this process
    end_process(pid);
    rig_stop(&rig);
}
END_TEST

// What `ip netns attach kitchen PID` does, seen by this process alone.
static bool name_namespace(pid_t pid) {
    char path[64];
    snprintf(path, sizeof(path), "/proc/%d/ns/net", (int) pid);
    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
            mount("none", "/run", "tmpfs", 0, NULL) < 0 || mkdir("/run/netns", 0755) < 0)
        return false;
    int fd = open("/run/netns/kitchen", O_CREAT | O_RDONLY | O_CLOEXEC, 0444);
    return fd >= 0 && close(fd) == 0 && mount(path, "/run/netns/kitchen", NULL, MS_BIND, NULL) == 0;
}

START_TEST(ip_netns_gives_the_name) {
    pid_t pid = start_namespace(0);
    pid_t child = fork();
    if (child == 0) {
        if (!name_namespace(pid))
            _exit(0); // refused here
        rig_start(&rig, &snmp_collector, NULL);
        rig_look(&rig);
        const struct netns *netns = find(inode_of(pid));
        _exit(netns && strcmp(netns->name, "kitchen") == 0 ? 0 : 3);
    }
    int status;
    waitpid(child, &status, 0);
    end_process(pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(without_privileges_it_is_still_an_answer) {
    pid_t pid = start_namespace(37);
    pid_t child = fork();
    if (child == 0) {
        if (setgid(NOBODY) < 0 || setuid(NOBODY) < 0)
            _exit(2);
        rig_start(&rig, &snmp_collector, NULL);
        rig_look(&rig);
        size_t hosts = 0, with_37 = 0;
        int no_ports = table_column(&snmp_table, "udp_no_ports");
        for (size_t i = 0; i < rig.rows.n; i++) {
            cell *row = rows_at(&rig.rows, i);
            hosts += strcmp(rows_text(&rig.rows, row[0]), "host") == 0;
            with_37 += row[no_ports] == 37 && row[1] == CELL_NULL;
        }
        // Its inode is closed to us, its counters are not.
        bool good = rig.outcome.state == OUTCOME_OK && hosts == 1 && with_37 == 1 &&
                    netns_list_is_current(&rig.netns);
        _exit(good ? 0 : 3);
    }
    int status;
    waitpid(child, &status, 0);
    end_process(pid);
    ck_assert_int_eq(status, 0);
}
END_TEST

static bool may_unshare(void) {
    pid_t pid = fork();
    if (pid == 0)
        _exit(unshare(CLONE_NEWNET) < 0 ? errno : 0);
    int status = -1;
    waitpid(pid, &status, 0);
    return status == 0;
}

int main(void) {
    if (!may_unshare()) {
        puts("1..0 # SKIP a private network namespace is refused here");
        return 0;
    }
    Suite *suite = suite_create("network namespaces of this kernel");
    TCase *tcase = tcase_create("kernel");
    tcase_set_timeout(tcase, 30);
    tcase_add_test(tcase, a_namespace_comes_and_goes);
    tcase_add_test(tcase, another_member_takes_over);
    tcase_add_test(tcase, only_the_files_of_the_host_stay_open);
    tcase_add_test(tcase, limits_of_another_namespace);
    tcase_add_test(tcase, ip_netns_gives_the_name);
    tcase_add_test(tcase, without_privileges_it_is_still_an_answer);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
