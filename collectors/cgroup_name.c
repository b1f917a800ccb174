// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup names
#include "collectors/cgroup_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "collectors/scan.h"

#define CONTAINER_ID_DIGITS 64
#define SHORT_ID_DIGITS 12

static void copy(char *to, const char *text, size_t n) {
    n = n < CGROUP_NAME_SIZE - 1 ? n : CGROUP_NAME_SIZE - 1;
    memcpy(to, text, n);
    to[n] = '\0';
}

static bool begins(struct span word, const char *with) {
    size_t n = strlen(with);
    return word.n > n && memcmp(word.text, with, n) == 0;
}

static bool ends(struct span word, const char *with) {
    size_t n = strlen(with);
    return word.n > n && memcmp(word.text + word.n - n, with, n) == 0;
}

// Docker, Podman, containerd and CRI-O name a container's cgroup by its id of 64 hexadecimal
// digits, with something before it ("docker-", "cri-containerd-") and behind it (".scope") or not.
static bool take_id(struct span word, struct cgroup_name *name) {
    size_t run = 0;
    for (size_t i = 0; i < word.n; i++) {
        run = isxdigit((unsigned char) word.text[i]) ? run + 1 : 0;
        if (run == CONTAINER_ID_DIGITS) {
            copy(name->container, word.text + i + 1 - run, SHORT_ID_DIGITS);
            return true;
        }
    }
    return false;
}

// systemd escapes '-' within a unit's name as "\x2d".
static void unescape(char *text) {
    char *to = text;
    for (; *text; to++) {
        bool dash = strncmp(text, "\\x2d", 4) == 0;
        *to = dash ? '-' : *text;
        text += dash ? 4 : 1;
    }
    *to = '\0';
}

// "machine-NAME.scope", "systemd-nspawn@NAME.service", "lxc.payload.NAME", "lxc/NAME",
// "lxc.payload/NAME".
static bool take_machine(struct span before, struct span word, struct cgroup_name *name) {
    static const struct {
        const char *begin, *end;
    } shapes[] = {
        { "machine-", ".scope" },
        { "systemd-nspawn@", ".service" },
        { "lxc.payload.", "" },
    };
    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++) {
        size_t cut = strlen(shapes[i].begin), end = strlen(shapes[i].end);
        if (!begins(word, shapes[i].begin) || !ends(word, shapes[i].end) || word.n <= cut + end)
            continue;
        copy(name->container, word.text + cut, word.n - cut - end);
        unescape(name->container);
        return true;
    }
    bool lxc = (before.n == 3 && memcmp(before.text, "lxc", 3) == 0) ||
               (before.n == 11 && memcmp(before.text, "lxc.payload", 11) == 0);
    if (lxc)
        copy(name->container, word.text, word.n);
    return lxc;
}

static void take_path(struct span path, struct cgroup_name *name) {
    struct span before = { "", 0 };
    while (path.n > 0) {
        const char *slash = memchr(path.text, '/', path.n);
        struct span word = { path.text, slash ? (size_t) (slash - path.text) : path.n };
        size_t used = word.n + (slash ? 1 : 0);
        path = (struct span){ path.text + used, path.n - used };
        bool container = take_machine(before, word, name) || take_id(word, name);
        if (!container && (ends(word, ".service") || ends(word, ".scope")) &&
                !begins(word, "session-"))
            copy(name->unit, word.text, word.n);
        before = word;
    }
}

// Lines are "0::/path" (version 2) and "4:memory:/path" (version 1). The first container and the
// first unit count: on version 1 not every controller has a group for each.
void cgroup_name_parse(const char *text, size_t length, struct cgroup_name *ret) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line;
    *ret = (struct cgroup_name){ 0 };
    while (next_line(&scan, &line)) {
        struct cgroup_name name = { 0 };
        const char *path = memchr(line.text, '/', line.n);
        if (!path)
            continue;
        take_path((struct span){ path, (size_t) (line.text + line.n - path) }, &name);
        if (!ret->container[0])
            memcpy(ret->container, name.container, sizeof(name.container));
        if (!ret->unit[0])
            memcpy(ret->unit, name.unit, sizeof(name.unit));
    }
}
