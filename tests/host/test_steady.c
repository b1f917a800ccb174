// SPDX-License-Identifier: GPL-2.0-or-later
// Steady state
//
// Once warm, a look allocates nothing and opens nothing. The linker sends the calls of our code
// here.
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <unistd.h>

#include "collectors/list.h"
#include "tests/collectors/rig.h"

static int calls;
static const char *last = "";

#define COUNT(name) (calls++, last = name)

void *__real_malloc(size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_malloc(size_t n) {
    COUNT("malloc");
    return __real_malloc(n);
}
void *__real_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size);
void *__wrap_calloc(size_t n, size_t size) {
    COUNT("calloc");
    return __real_calloc(n, size);
}
void *__real_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size);
void *__wrap_realloc(void *memory, size_t size) {
    COUNT("realloc");
    return __real_realloc(memory, size);
}
void *__real_reallocarray(void *memory, size_t n, size_t size);
void *__wrap_reallocarray(void *memory, size_t n, size_t size);
void *__wrap_reallocarray(void *memory, size_t n, size_t size) {
    COUNT("reallocarray");
    return __real_reallocarray(memory, n, size);
}
char *__real_strdup(const char *text);
char *__wrap_strdup(const char *text);
char *__wrap_strdup(const char *text) {
    COUNT("strdup");
    return __real_strdup(text);
}
int __real_openat(int directory, const char *path, int flags, mode_t mode);
int __wrap_openat(int directory, const char *path, int flags, mode_t mode);
int __wrap_openat(int directory, const char *path, int flags, mode_t mode) {
    COUNT(path);
    return __real_openat(directory, path, flags, mode);
}
int __real_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol);
int __wrap_socket(int domain, int type, int protocol) {
    COUNT("socket");
    return __real_socket(domain, type, protocol);
}
struct nl_sock;
struct nl_sock *__real_nl_socket_alloc(void);
struct nl_sock *__wrap_nl_socket_alloc(void);
struct nl_sock *__wrap_nl_socket_alloc(void) {
    COUNT("nl_socket_alloc");
    return __real_nl_socket_alloc();
}
pid_t __real_fork(void);
pid_t __wrap_fork(void);
pid_t __wrap_fork(void) {
    COUNT("fork");
    return __real_fork();
}

static const struct collector *const quiet[] = {
    &softnet_collector,
    &cpu_collector,
    &pressure_collector,
    &memory_collector,
    &link_collector,
    &qdisc_collector,
    &nic_collector,
    &disk_collector,
    &mount_collector,
};

START_TEST(nothing_new) {
    struct rig rig;
    // So that nobody mounts or makes interfaces meanwhile.
    if (unshare(CLONE_NEWNS) < 0 || mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0)
        fprintf(stderr, "# no mount namespace of our own\n");
    rig_start(&rig, quiet[_i], NULL);
    calls = 0;
    rig_collect(&rig);
    int first = calls;
    ck_assert_int_gt(first, 0); // they are counted
    for (int i = 0; i < 2; i++)
        rig_look(&rig);
    for (int i = 0; i < 20; i++) {
        calls = 0; // check itself allocates
        rig_collect(&rig);
        int n = calls;
        ck_assert_msg(n == 0, "%s: %s", quiet[_i]->table->name, last);
    }
    rig_stop(&rig);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("steady state");
    TCase *tcase = tcase_create("looks");
    tcase_set_timeout(tcase, 30);
    tcase_add_loop_test(tcase, nothing_new, 0, (int) (sizeof(quiet) / sizeof(quiet[0])));
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
