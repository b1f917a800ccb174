// SPDX-License-Identifier: GPL-2.0-or-later
// Sockets of this kernel
//
// What the rows say is what the sockets say themselves.
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "collectors/socket_state.h"
#include "core/cleanup.h"
#include "tests/socket/lab.h"

START_TEST(drops_and_memory_are_exact) {
    int fd = open_socket(5000), idle = open_socket(5001);
    look();
    ck_assert_uint_eq(own_rows(), 0);
    flood(5000, 100);
    cell first = drops_of(fd);
    ck_assert_int_gt(first, 50);
    look();
    check_drops(fd, 0);
    struct memory memory = memory_of(fd);
    ck_assert_int_eq(value(fd, SOCKET_RCVBUF), memory.of[SK_MEMINFO_RCVBUF]);
    ck_assert_int_eq(value(fd, SOCKET_RMEM), memory.of[SK_MEMINFO_RMEM_ALLOC]);
    ck_assert_int_eq(value(fd, SOCKET_SNDBUF), memory.of[SK_MEMINFO_SNDBUF]);
    ck_assert_int_eq(value(fd, SOCKET_QUEUE), memory.of[SK_MEMINFO_RMEM_ALLOC]);
    ck_assert_int_ne(value(fd, SOCKET_COOKIE), 0);
    ck_assert_str_eq(text(fd, SOCKET_ADDRESS), "127.0.0.1");
    ck_assert_int_eq(value(fd, SOCKET_PORT), 5000);
    ck_assert_str_eq(text(fd, SOCKET_PROTOCOL), "udp");
    ck_assert_str_eq(text(fd, SOCKET_INTERFACE), "");
    ck_assert_int_eq(
            value(fd, SOCKET_REUSEPORT_MEMBERS), CELL_NULL); // counted from the next look on
    ck_assert_int_eq(row_of(idle), -1);
    drain(fd);
    flood(5000, 100);
    look();
    check_drops(fd, first);
    ck_assert_int_eq(value(fd, SOCKET_REUSEPORT_MEMBERS), 1);
    ck_assert_int_gt(value(fd, SOCKET_DROPS), first);
    ck_assert_uint_eq(own_rows(), 1);
}
END_TEST

START_TEST(drops_of_the_past_are_a_baseline) {
    int fd = open_socket(5000);
    flood(5000, 50);
    cell first = drops_of(fd);
    look();
    check_drops(fd, CELL_NULL);
    flood(5000, 3);
    look();
    check_drops(fd, first);
    ck_assert_int_eq(watched(inode_of(fd))->lost, 3);
}
END_TEST

START_TEST(a_port_that_is_used_again_is_another_socket) {
    int fd = open_socket(5000);
    look();
    flood(5000, 50);
    look();
    cell cookie = value(fd, SOCKET_COOKIE);
    close(fd);
    fd = open_socket(5000);
    flood(5000, 40);
    look();
    ck_assert_uint_eq(own_rows(), 1);
    ck_assert_int_ne(value(fd, SOCKET_COOKIE), cookie);
    check_drops(fd, 0);
    close(fd);
    look();
    ck_assert_uint_eq(own_rows(), 0);
    ck_assert_uint_eq(own_sockets(), 0);
    ck_assert_ptr_null(owner(getpid()));
}
END_TEST

// As fast as it goes, for a while.
START_TEST(sockets_that_come_and_go) {
    int kept = open_socket(5000);
    look();
    cell sum = 0;
    for (int round = 0; round < 50; round++) {
        int short_lived[20];
        for (unsigned i = 0; i < 20; i++)
            short_lived[i] = open_socket((uint16_t) (6000 + i));
        flood(6003, 30);
        flood(5000, 7);
        look();
        check_drops(short_lived[3], 0);
        if (row_of(kept) >= 0)
            sum += value(kept, SOCKET_DROPS) - before(kept, SOCKET_DROPS);
        for (unsigned i = 0; i < 20; i++)
            close(short_lived[i]);
    }
    ck_assert_int_eq(sum, drops_of(kept));
    ck_assert_uint_le(own_sockets(), 2);
}
END_TEST

START_TEST(a_full_queue_without_loss_is_near) {
    int fd = open_socket(5000);
    look();
    while (memory_of(fd).of[SK_MEMINFO_RMEM_ALLOC] * 2 < memory_of(fd).of[SK_MEMINFO_RCVBUF])
        flood(5000, 1);
    flood(5000, 1);
    ck_assert_int_eq(drops_of(fd), 0);
    look();
    check_drops(fd, 0);
    ck_assert(!watched(inode_of(fd))->lossy && !watched(inode_of(fd))->dense);
}
END_TEST

START_TEST(reuseport_group) {
    int fds[4];
    for (int i = 0; i < 4; i++)
        ck_assert_int_ge(fds[i] = try_open(AF_INET, 0, 5000, "127.0.0.1", SO_REUSEPORT), 0);
    look();
    _cleanup_close_ int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    flood_from(sender, 5000, 50); // one flow goes to one member
    look();
    flood_from(sender, 5000, 1);
    look();
    int hit = -1;
    for (int i = 0; i < 4; i++)
        hit = drops_of(fds[i]) > 0 ? fds[i] : hit;
    ck_assert_uint_eq(own_rows(), 1);
    ck_assert_int_eq(value(hit, SOCKET_REUSEPORT_MEMBERS), 4);
    ck_assert_int_eq(value(hit, SOCKET_REUSEPORT_EMPTY), 3);
    // The kernel may answer a question for one with another: the list of the port tells them apart.
    cell looks = value(hit, SOCKET_LOOKS);
    for (int i = 0; i < 5; i++)
        peek();
    look();
    ck_assert_int_eq(value(hit, SOCKET_LOOKS), looks + 6);
    ck_assert_int_eq(value(hit, SOCKET_LOOKS_FULL), value(hit, SOCKET_LOOKS));
}
END_TEST

START_TEST(bound_device) {
    int fd = try_open(AF_INET, 0, 5000, "127.0.0.1", 0);
    ck_assert_int_eq(setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, "lo", 3), 0);
    look();
    flood(5000, 50);
    look();
    ck_assert_str_eq(text(fd, SOCKET_INTERFACE), "lo");
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 3);
}
END_TEST

START_TEST(connected_socket) {
    int fd = open_socket(5000);
    _cleanup_close_ int sender = open_socket(5001);
    struct sockaddr_in peer = { .sin_family = AF_INET, .sin_port = htons(5001) };
    peer.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ck_assert_int_eq(connect(fd, (struct sockaddr *) &peer, sizeof(peer)), 0);
    look();
    flood_from(sender, 5000, 50);
    look();
    ck_assert_int_eq(value(fd, SOCKET_CONNECTED), 1);
    ck_assert_str_eq(text(fd, SOCKET_PEER_ADDRESS), "127.0.0.1");
    ck_assert_int_eq(value(fd, SOCKET_PEER_PORT), 5001);
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 3);
    ck_assert_int_eq(value(fd, SOCKET_REUSEPORT_MEMBERS), 1);
}
END_TEST

START_TEST(ipv4_to_an_ipv6_socket) {
    int fd = try_open(AF_INET6, 0, 5000, "::", 0);
    if (fd == -EAFNOSUPPORT)
        return;
    look();
    flood(5000, 50);
    look();
    check_drops(fd, 0);
    ck_assert_int_eq(value(fd, SOCKET_FAMILY), 6);
    ck_assert_str_eq(text(fd, SOCKET_ADDRESS), "::");
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 3);
    int mapped = try_open(AF_INET6, 0, 5001, "::ffff:127.0.0.1", 0);
    flood(5001, 50);
    look();
    check_drops(mapped, 0);
    ck_assert_str_eq(text(mapped, SOCKET_ADDRESS), "::ffff:127.0.0.1");
    peek();
    look();
    ck_assert_int_eq(value(mapped, SOCKET_LOOKS), 3);
}
END_TEST

START_TEST(udp_lite) {
    int fd = try_open(AF_INET, IPPROTO_UDPLITE, 5000, "127.0.0.1", 0);
    if (fd == -EPROTONOSUPPORT)
        return;
    _cleanup_close_ int sender = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, IPPROTO_UDPLITE);
    look();
    flood_from(sender, 5000, 50);
    look();
    check_drops(fd, 0);
    ck_assert_str_eq(text(fd, SOCKET_PROTOCOL), "udplite");
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 3);
}
END_TEST

START_TEST(dense_looks_see_a_queue_fill_and_drain) {
    int fd = open_socket(5000);
    look();
    flood(5000, 50);
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS_FULL), 1);
    cell peak = value(fd, SOCKET_QUEUE_PEAK);
    ck_assert_int_gt(peak, 0);
    drain(fd);
    peek();
    flood(5000, 50);
    peek();
    drain(fd);
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 5);
    ck_assert_int_eq(value(fd, SOCKET_LOOKS_EMPTY), 3);
    ck_assert_int_eq(value(fd, SOCKET_LOOKS_FULL), 2);
    ck_assert_int_eq(value(fd, SOCKET_QUEUE), 0);
    ck_assert_int_eq(value(fd, SOCKET_QUEUE_PEAK), peak);
    close(fd);
    peek();
    look();
    ck_assert_uint_eq(own_rows(), 0);
}
END_TEST

// A kernel that has no sock_diag for UDP, or who may not use it: no such netlink protocol here.
START_TEST(without_sock_diag_the_files_do) {
    struct sockets *sockets = rig.state;
    int fd = open_socket(5000);
    flood(5000, 20);
    sockets->diag.protocol = MAX_LINKS - 1;
    look();
    ck_assert_msg(strstr(rig.outcome.reason, "no sock_diag for UDP"), "%s", rig.outcome.reason);
    check_drops(fd, CELL_NULL);
    cell first = drops_of(fd);
    flood(5000, 20);
    look();
    ck_assert_msg(strstr(rig.outcome.reason, "no sock_diag for UDP"), "%s", rig.outcome.reason);
    check_drops(fd, first);
    ck_assert_int_eq(value(fd, SOCKET_COOKIE), 0);
    ck_assert_int_eq(value(fd, SOCKET_RMEM), CELL_NULL);
    peek();
    look();
    ck_assert_int_eq(value(fd, SOCKET_LOOKS), 3);
}
END_TEST

// A socket that was known to the list is not lost by the change to files, but begins anew.
START_TEST(a_change_between_the_two_is_a_baseline) {
    int fd = open_socket(5000);
    look();
    flood(5000, 30);
    look();
    cell first = drops_of(fd);
    check_drops(fd, 0);
    rig.context.now_ms += 1000;
    rig.netns.own_inode = 0; // not known: files
    rig_collect(&rig);
    check_drops(fd, CELL_NULL);
    flood(5000, 3);
    rig.context.now_ms += 1000;
    rig_collect(&rig);
    check_drops(fd, first);
}
END_TEST

// Ending with a read that leaves room is as good as ending with one that finds nothing.
START_TEST(files_are_read_whole) {
    for (int n = 0; n <= 120; n += 1 + n / 7) {
        struct source_file file = SOURCE_FILE_CLOSED;
        static const char path[] = "proc/thread-self/net/udp";
        ck_assert_int_eq(source_read(&rig.source, &file, path), 0);
        _cleanup_free_ char *whole = strdup(rig.source.buffer);
        ck_assert_int_eq(source_read_records(&rig.source, &file, path, 256), 0);
        ck_assert_str_eq(rig.source.buffer, whole);
        source_file_close(&file);
        for (int i = 0; i <= n / 7; i++)
            open_socket((uint16_t) (7000 + n + i));
    }
}
END_TEST

START_TEST(a_filter_is_told) {
    struct sock_filter refuse = BPF_STMT(BPF_RET | BPF_K, 0);
    struct sock_fprog program = { 1, &refuse };
    int filtered = open_socket(5000), plain = open_socket(5001);
    ck_assert_int_eq(
            setsockopt(filtered, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)), 0);
    look();
    flood(5000, 20);
    flood(5001, 50);
    look();
    check_drops(filtered, 0);
    ck_assert_int_eq(drops_of(filtered), 20);
    ck_assert_int_eq(value(filtered, SOCKET_QUEUE), 0);
    if (value(plain, SOCKET_HAS_FILTER) == CELL_NULL)
        return; // no pidfd_getfd here
    ck_assert_int_eq(value(filtered, SOCKET_HAS_FILTER), 1);
    ck_assert_int_eq(value(plain, SOCKET_HAS_FILTER), 0);
}
END_TEST

int main(void) {
    if (!may_unshare()) {
        puts("1..0 # SKIP a private network namespace is refused here");
        return 0;
    }
    Suite *suite = suite_create("sockets of this kernel");
    TCase *tcase = tcase_create("kernel");
    tcase_set_timeout(tcase, 60);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, drops_and_memory_are_exact);
    tcase_add_test(tcase, drops_of_the_past_are_a_baseline);
    tcase_add_test(tcase, a_port_that_is_used_again_is_another_socket);
    tcase_add_test(tcase, sockets_that_come_and_go);
    tcase_add_test(tcase, a_full_queue_without_loss_is_near);
    tcase_add_test(tcase, reuseport_group);
    tcase_add_test(tcase, bound_device);
    tcase_add_test(tcase, connected_socket);
    tcase_add_test(tcase, ipv4_to_an_ipv6_socket);
    tcase_add_test(tcase, udp_lite);
    tcase_add_test(tcase, dense_looks_see_a_queue_fill_and_drain);
    tcase_add_test(tcase, without_sock_diag_the_files_do);
    tcase_add_test(tcase, a_change_between_the_two_is_a_baseline);
    tcase_add_test(tcase, files_are_read_whole);
    tcase_add_test(tcase, a_filter_is_told);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
