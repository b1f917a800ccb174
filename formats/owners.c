// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted owners
#include "formats/owners.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/words.h"

// A number behind a comma, with its name or without.
static const char *take_number(const char *text, const char *name, uint64_t *ret) {
    if (*text != ',')
        return NULL;
    text++;
    size_t n = strlen(name);
    if (strncmp(text, name, n) == 0)
        text += n;
    size_t digits = strspn(text, "0123456789");
    struct word word = { text, digits };
    return word_count(&word, ret) ? text + digits : NULL;
}

static void keep_name(const char *text, size_t n, struct owner_name *ret) {
    if (n >= sizeof(ret->comm))
        n = sizeof(ret->comm) - 1;
    memcpy(ret->comm, text, n);
    ret->comm[n] = '\0';
}

// A name may contain quotes and brackets: it ends where numbers follow.
const char *owner_next(const char *text, struct owner_name *ret) {
    const char *begin = strstr(text, "(\"");
    if (!begin)
        return NULL;
    begin += 2;
    for (const char *end = begin; (end = strchr(end, '"')); end++) {
        struct owner_name owner = { .has_fd = true };
        const char *rest = take_number(end + 1, "pid=", &owner.pid);
        if (!rest)
            continue;
        if (*rest != ',' && *rest != ')') // the number was cut
            return NULL;
        const char *behind = take_number(rest, "fd=", &owner.fd);
        owner.has_fd = behind && *behind == ')';
        keep_name(begin, (size_t) (end - begin), &owner);
        *ret = owner;
        return behind ? behind : rest;
    }
    return NULL;
}

bool owner_program(const char *text, struct owner_name *ret) {
    text += strspn(text, " \t");
    struct word pid = { text, strspn(text, "0123456789") };
    struct owner_name owner = { .has_fd = false };
    if (text[pid.length] != '/' || !word_count(&pid, &owner.pid) || owner.pid == 0)
        return false;
    text += pid.length + 1;
    size_t n = strlen(text);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    keep_name(text, n, &owner);
    *ret = owner;
    return true;
}

static bool ends_with(const char *text, size_t n, const char *end) {
    size_t length = strlen(end);
    return n > length && memcmp(text + n - length, end, length) == 0;
}

bool owner_unit(const char *cgroup, char *ret, size_t size) {
    bool found = false;
    while (*(cgroup += strspn(cgroup, "/"))) {
        size_t n = strcspn(cgroup, "/");
        if (n < size && (ends_with(cgroup, n, ".service") || ends_with(cgroup, n, ".scope"))) {
            memcpy(ret, cgroup, n);
            ret[n] = '\0';
            found = true;
        }
        cgroup += n;
    }
    return found;
}

// systemd makes sockets for services too: in its own group, not in theirs.
static void put_unit(struct intake *intake, const char *cgroup) {
    char unit[256];
    if (owner_unit(cgroup, unit, sizeof(unit)) && strcmp(unit, "init.scope") != 0 &&
            !intake_has(intake, "unit"))
        intake_set_text(intake, "unit", unit);
}

static void add_process(struct intake *intake, const struct line *line,
        const struct owner_name *owner, const char *cgroup) {
    char pid[24];
    snprintf(pid, sizeof(pid), "%" PRIu64, owner->pid);
    intake_row(intake, line, "process", (const char *const[]){ pid });
    if (!intake_has(intake, "start_time"))
        intake_set(intake, "start_time", 0);
    if (!intake_has(intake, "role"))
        intake_set_text(intake, "role", "owner");
    // netstat cuts names; the first one stays.
    if (*owner->comm && !intake_has(intake, "comm"))
        intake_set_text(intake, "comm", owner->comm);
    if (!intake_has(intake, "netns"))
        intake_set_text(intake, "netns", "host");
    put_unit(intake, cgroup);
}

void owner_add(struct intake *intake, const struct line *line, uint64_t inode,
        const struct owner_name *owner, const char *cgroup) {
    char number[24], pid[24];
    snprintf(number, sizeof(number), "%" PRIu64, inode);
    snprintf(pid, sizeof(pid), "%" PRIu64, owner->pid);
    intake_row(intake, line, "owner", (const char *const[]){ number, pid });
    if (!intake_has(intake, "fd") && owner->has_fd) // the lowest is listed first
        intake_set(intake, "fd", owner->fd);
    intake_set(intake, "start_time", 0);
    intake_set_text(intake, "netns", "host");
    add_process(intake, line, owner, cgroup);
}
