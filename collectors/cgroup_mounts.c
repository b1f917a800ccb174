// SPDX-License-Identifier: GPL-2.0-or-later
// Cgroup mounts
#include "collectors/cgroup_mounts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "collectors/mount_list.h"

static void mount_done(struct cgroup_mount *mount) {
    free(mount->point);
    free(mount->root);
    *mount = (struct cgroup_mount){ 0 };
}

void cgroup_mounts_done(struct cgroup_mounts *mounts) {
    for (size_t i = 0; i < N_CGROUP_PARTS; i++)
        mount_done(&mounts->part[i]);
}

static char *decode(struct span text) {
    char *copy = malloc(text.n + 1);
    if (copy)
        mountinfo_decode(text, copy);
    return copy;
}

// The same hierarchy may be mounted several times; the one that shows most of it counts.
static int take_mount(struct cgroup_mount *mount, const struct mountinfo *info, int version) {
    if (mount->version > 0 && strlen(mount->root) <= info->root.n)
        return 0;
    mount_done(mount);
    struct span point = { info->point.text + 1, info->point.n - 1 };
    *mount = (struct cgroup_mount){ version, decode(point), decode(info->root) };
    if (mount->point && mount->root)
        return 0;
    mount_done(mount);
    return -ENOMEM;
}

static bool is(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

static int take_line(struct span line, struct cgroup_mounts *mounts, struct cgroup_mount *unified) {
    struct mountinfo info;
    if (!parse_mountinfo_line(line, &info) || info.point.n < 2)
        return 0;
    if (is(info.fstype, "cgroup2"))
        return take_mount(unified, &info, 2);
    int r = 0;
    for (size_t i = 0; is(info.fstype, "cgroup") && i < N_CGROUP_PARTS && r == 0; i++)
        if (cgroup_has_controller(info.options, i))
            r = take_mount(&mounts->part[i], &info, 1);
    return r;
}

static int share_unified(struct cgroup_mounts *mounts, const struct cgroup_mount *unified) {
    for (size_t i = 0; unified->version > 0 && i < N_CGROUP_PARTS; i++) {
        if (mounts->part[i].version > 0)
            continue;
        mounts->part[i] = (struct cgroup_mount){ 2, strdup(unified->point), strdup(unified->root) };
        if (!mounts->part[i].point || !mounts->part[i].root)
            return -ENOMEM;
    }
    return 0;
}

int cgroup_mounts_parse(struct cgroup_mounts *mounts, const char *text, size_t length) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct cgroup_mount unified = { 0 };
    int r = 0;
    cgroup_mounts_done(mounts);
    for (struct span line; r == 0 && next_line(&scan, &line) && !scan.cut;)
        r = take_line(line, mounts, &unified);
    if (r == 0)
        r = share_unified(mounts, &unified);
    mount_done(&unified);
    if (r < 0)
        cgroup_mounts_done(mounts);
    return r;
}

bool cgroup_folder(const struct cgroup_mount *mount, struct span path, char buffer[PATH_MAX]) {
    size_t skip = mount->version > 0 && mount->root[1] ? strlen(mount->root) : 0;
    if (mount->version == 0 || path.n < skip || memcmp(path.text, mount->root, skip) != 0 ||
            (path.n > skip && path.text[skip] != '/'))
        return false;
    int n = snprintf(
            buffer, PATH_MAX, "%s%.*s", mount->point, (int) (path.n - skip), path.text + skip);
    return n > 0 && n < PATH_MAX;
}
