// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup paths
#include "collectors/cgroup_paths.h"

static bool take_until(struct span *text, char end, struct span *ret) {
    const char *at = memchr(text->text, end, text->n);
    if (!at)
        return false;
    *ret = (struct span){ text->text, (size_t) (at - text->text) };
    *text = (struct span){ at + 1, text->n - ret->n - 1 };
    return true;
}

bool cgroup_has_controller(struct span list, enum cgroup_part part) {
    static const char *const names[] = {
        [CGROUP_PART_CPU] = "cpu",
        [CGROUP_PART_MEMORY] = "memory",
        [CGROUP_PART_FREEZER] = "freezer",
        [CGROUP_PART_UNIFIED] = "",
    };
    size_t n = strlen(names[part]);
    for (struct span word; list.n > 0;) {
        if (!take_until(&list, ',', &word)) {
            word = list;
            list.n = 0;
        }
        if (n > 0 && word.n == n && memcmp(word.text, names[part], n) == 0)
            return true;
    }
    return false;
}

// A group that was removed while a process of it was still ending, or one above the root of our own
// cgroup namespace ("/../other").
static bool is_out_of_sight(struct span path) {
    static const char above[] = "/..", removed[] = " (deleted)";
    size_t n = sizeof(removed) - 1;
    return path.n == 0 || path.text[0] != '/' ||
           (path.n >= 3 && memcmp(path.text, above, 3) == 0 &&
                   (path.n == 3 || path.text[3] == '/')) ||
           (path.n > n && memcmp(path.text + path.n - n, removed, n) == 0);
}

static void take_line(struct span line, struct span *unified, struct cgroup_paths *paths) {
    struct span number, controllers;
    if (!take_until(&line, ':', &number) || !take_until(&line, ':', &controllers))
        return;
    struct span path = is_out_of_sight(line) ? (struct span){ "", 0 } : line;
    if (controllers.n == 0)
        *unified = path;
    for (size_t i = 0; i < N_CGROUP_PARTS; i++)
        if (cgroup_has_controller(controllers, i))
            paths->path[i] = path;
}

// Lines are "0::/path" (version 2) and "4:cpu,cpuacct:/path", "1:name=systemd:/path" (version 1).
void cgroup_paths_parse(const char *text, size_t length, struct cgroup_paths *ret) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span unified = { "", 0 };
    *ret = (struct cgroup_paths){ 0 };
    for (struct span line; next_line(&scan, &line) && !scan.cut;)
        take_line(line, &unified, ret);
    for (size_t i = 0; i < N_CGROUP_PARTS; i++)
        if (!ret->path[i].text)
            ret->path[i] = unified;
}

struct span cgroup_parent(struct span path) {
    const char *slash = path.n > 1 ? memrchr(path.text, '/', path.n) : NULL;
    size_t n = slash ? (size_t) (slash - path.text) : 0;
    return (struct span){ path.text, slash && n == 0 ? 1 : n };
}
