// SPDX-License-Identifier: GPL-2.0-or-later
// Lab commands
#include <errno.h>
#include <sched.h>
#include <stdarg.h>
#include <string.h>
#include <sys/mount.h>

#include "core/cleanup.h"
#include "lab/private.h"
#include "lab/shell.h"

// The sysctls of the host and of the receiver cover the sender's own.
static void uncover(void) {
    if (unshare(CLONE_NEWNS) == 0 && mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) == 0)
        lab_sysctls_uncover();
}

static int run(struct lab *lab, enum lab_place place, const char *command, bool output_only,
        char *said, size_t size) {
    if (place == LAB_HOST)
        return lab_hand_ask(lab, HAND_RUN, command, said, size);
    struct shell shell = {
        .netns = lab->netns[place],
        .prepare = place == LAB_SENDER ? uncover : NULL,
        .output_only = output_only,
    };
    return shell_run(&shell, command, said, size);
}

static int failed(struct lab *lab, int status, const char *command, const char *said) {
    if (status < 0)
        lab_fail(lab, "%s: %s", command, strerror(-status));
    else
        lab_fail(lab, "%s: %s (exit status %d)", command, said, status);
    return status < 0 ? status : -EIO;
}

int lab_run(struct lab *lab, enum lab_place place, const char *format, ...) {
    _cleanup_free_ char *command = NULL;
    char said[LAB_TEXT_SIZE / 2] = "";
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(&command, format, arguments);
    va_end(arguments);
    if (n < 0) {
        command = NULL;
        return -ENOMEM;
    }
    int status = run(lab, place, command, false, said, sizeof(said));
    return status == 0 ? 0 : failed(lab, status, command, said);
}

int lab_read(
        struct lab *lab, enum lab_place place, char *ret, size_t size, const char *format, ...) {
    _cleanup_free_ char *command = NULL;
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(&command, format, arguments);
    va_end(arguments);
    if (n < 0) {
        command = NULL;
        return -ENOMEM;
    }
    *ret = '\0';
    int status = run(lab, place, command, true, ret, size);
    return status == 0 ? 0 : failed(lab, status, command, ret);
}

int lab_undo(struct lab *lab, const char *format, ...) {
    _cleanup_free_ char *command = NULL;
    va_list arguments;
    va_start(arguments, format);
    int n = vasprintf(&command, format, arguments);
    va_end(arguments);
    if (n < 0) {
        command = NULL;
        return -ENOMEM;
    }
    return lab_hand_ask(lab, HAND_UNDO, command, NULL, 0);
}

int lab_keep_sysctl(struct lab *lab, const char *path) {
    char before[LAB_TEXT_SIZE];
    if (!lab_is_host_sysctl(path))
        return 0;
    int r = lab_read(lab, LAB_HOST, before, sizeof(before), "cat /proc/sys/%s", path);
    return r < 0 ? r : lab_undo(lab, "echo '%s' >/proc/sys/%s", before, path);
}

int lab_sysctl(struct lab *lab, enum lab_place place, const char *path, const char *value) {
    int r = 0;
    bool of_host = lab_is_host_sysctl(path);
    if (of_host && !lab->is_root)
        return lab_skip(lab, "needs root: %s is of the whole host", path);
    if (!of_host && place == LAB_HOST)
        return lab_fail(lab, "%s is not of the whole host", path);
    if (of_host) {
        place = LAB_HOST;
        r = lab_keep_sysctl(lab, path);
    }
    return r < 0 ? r : lab_run(lab, place, "echo '%s' >/proc/sys/%s", value, path);
}

int lab_sysctl_number(struct lab *lab, enum lab_place place, const char *path, int64_t value) {
    char text[24];
    snprintf(text, sizeof(text), "%lld", (long long) value);
    return lab_sysctl(lab, place, path, text);
}
