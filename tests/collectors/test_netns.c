// SPDX-License-Identifier: GPL-2.0-or-later
// Network namespaces
#include <stdio.h>
#include <string.h>

#include "collectors/cgroup_name.h"
#include "tests/collectors/rig.h"

#define ID "3f4e9a1b7c2d5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b5a6b"

static struct rig rig;

static void set_up(void) {
    rig_start_empty(&rig, NULL);
}

static void tear_down(void) {
    rig_stop(&rig);
}

static void add_process(int pid, const char *inode, const char *comm, const char *cgroup) {
    char path[64], text[200];
    snprintf(path, sizeof(path), "proc/%d/ns/net", pid);
    snprintf(text, sizeof(text), "net:[%s]", inode);
    rig_link(&rig, path, text);
    snprintf(path, sizeof(path), "proc/%d/comm", pid);
    snprintf(text, sizeof(text), "%s\n", comm);
    rig_write(&rig, path, text, strlen(text));
    snprintf(path, sizeof(path), "proc/%d/cgroup", pid);
    snprintf(text, sizeof(text), "0::%s\n", cgroup);
    rig_write(&rig, path, text, strlen(text));
}

static void remove_process(int pid) {
    char path[64];
    snprintf(path, sizeof(path), "proc/%d", pid);
    rig_remove(&rig, path);
}

static void discover(size_t n) {
    ck_assert_int_eq(netns_list_discover(&rig.netns), 0);
    ck_assert_uint_eq(rig.netns.n, n);
    ck_assert(rig.netns.items[0].host);
}

static const struct netns *by_inode(uint64_t inode) {
    for (size_t i = 0; i < rig.netns.n; i++)
        if (rig.netns.items[i].inode == inode)
            return &rig.netns.items[i];
    ck_abort_msg("no such namespace");
    return NULL;
}

START_TEST(processes_of_one_namespace_count_once) {
    add_process(1, "100", "systemd", "/init.scope");
    add_process(70, "100", "sshd", "/system.slice/ssh.service");
    add_process(300, "200", "b", "/system.slice/b.service");
    add_process(80, "200", "b", "/system.slice/b.service");
    discover(2);
    ck_assert_str_eq(by_inode(100)->name, "host");
    ck_assert_str_eq(by_inode(200)->name, "b.service");
    ck_assert_int_eq(by_inode(200)->pid, 80); // the oldest
}
END_TEST

START_TEST(a_name_lives_as_long_as_the_namespace) {
    add_process(1, "100", "systemd", "/init.scope");
    add_process(80, "200", "first", "/");
    discover(2);
    ck_assert_str_eq(by_inode(200)->name, "first[80]");
    add_process(81, "200", "second", "/system.slice/s.service");
    remove_process(80);
    discover(2);
    ck_assert_str_eq(by_inode(200)->name, "first[80]");
    ck_assert_int_eq(by_inode(200)->pid, 81);
    remove_process(81);
    discover(1);
    add_process(81, "201", "second", "/system.slice/s.service");
    discover(2);
    ck_assert_str_eq(by_inode(201)->name, "s.service");
}
END_TEST

START_TEST(names_are_unique) {
    add_process(1, "100", "systemd", "/init.scope");
    add_process(80, "200", "a", "/system.slice/s.service");
    add_process(81, "201", "b", "/system.slice/s.service");
    add_process(82, "202", "c", "/lxc/host");
    discover(4);
    ck_assert_str_eq(by_inode(202)->name, "host#2");
    ck_assert_str_ne(by_inode(200)->name, by_inode(201)->name);
}
END_TEST

START_TEST(without_process_1_the_oldest_lives_on_the_host) {
    discover(1);
    add_process(90, "300", "a", "/");
    add_process(70, "100", "b", "/");
    discover(2);
    ck_assert_uint_eq(rig.netns.items[0].inode, 100);
    discover(2);
    ck_assert_uint_eq(rig.netns.items[0].inode, 100);
}
END_TEST

START_TEST(odd_links_and_names_are_harmless) {
    add_process(1, "100", "systemd", "/init.scope");
    add_process(70, "", "a", "/");
    add_process(71, "99999999999999999999999999", "a", "/");
    add_process(72, "200", "", "");
    rig_link(&rig, "proc/73/ns/net", "mnt:[5]");
    rig_link(&rig, "proc/74", "/");
    rig_write(&rig, "proc/75", "", 0);
    ck_assert_int_eq(netns_list_discover(&rig.netns), 0);
    ck_assert_str_eq(by_inode(200)->name, "[72]");
}
END_TEST

static void check_cgroup(const char *text, const char *container, const char *unit) {
    struct cgroup_name name;
    cgroup_name_parse(text, strlen(text), &name);
    ck_assert_str_eq(name.container, container);
    ck_assert_str_eq(name.unit, unit);
}

START_TEST(cgroups_name_containers_and_units) {
    check_cgroup("", "", "");
    check_cgroup("0::/\n", "", "");
    check_cgroup("0::/system.slice/nginx.service\n", "", "nginx.service");
    check_cgroup("0::/user.slice/user-0.slice/session-4.scope\n", "", "");
    check_cgroup(
            "0::/user.slice/user-1.slice/user@1.service/app.slice/g.service\n", "", "g.service");
    check_cgroup("0::/system.slice/docker-" ID ".scope\n", "3f4e9a1b7c2d", "");
    check_cgroup("0::/system.slice/containerd.service/kubepods-pod1.slice/cri-containerd-" ID
                 ".scope/init\n",
            "3f4e9a1b7c2d", "containerd.service");
    check_cgroup("11:memory:/docker/" ID "\n1:name=systemd:/docker/" ID "\n", "3f4e9a1b7c2d", "");
    check_cgroup("0::/machine.slice/libpod-" ID ".scope/container\n", "3f4e9a1b7c2d", "");
    check_cgroup("0::/machine.slice/machine-my\\x2dbox.scope\n", "my-box", "");
    check_cgroup("0::/machine.slice/systemd-nspawn@web.service/payload\n", "web", "");
    check_cgroup("0::/lxc.payload.c1/init.scope\n", "c1", "init.scope");
    check_cgroup("4:cpu:/lxc/c2\n", "c2", "");
    check_cgroup("9:pids:/\n1:name=systemd:/system.slice/a.service\n0::/\n", "", "a.service");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("network namespaces");
    TCase *tcase = tcase_create("directory");
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, processes_of_one_namespace_count_once);
    tcase_add_test(tcase, a_name_lives_as_long_as_the_namespace);
    tcase_add_test(tcase, names_are_unique);
    tcase_add_test(tcase, without_process_1_the_oldest_lives_on_the_host);
    tcase_add_test(tcase, odd_links_and_names_are_harmless);
    tcase_add_test(tcase, cgroups_name_containers_and_units);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
