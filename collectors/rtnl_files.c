// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink files
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "collectors/rtnl.h"
#include "core/cleanup.h"

#define PATH_SIZE 64
_Static_assert(sizeof(long) == 4 || sizeof(long) == 8, "word size");

const char *rtnl_machine(void) {
    if (__BYTE_ORDER == __LITTLE_ENDIAN)
        return sizeof(long) == 8 ? "little-endian, 64-bit" : "little-endian, 32-bit";
    return sizeof(long) == 8 ? "big-endian, 64-bit" : "big-endian, 32-bit";
}

bool rtnl_has_file(const struct source *source, const char *dump) {
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), RTNL_FOLDER "/%s", dump);
    _cleanup_close_ int fd = source_open(source, path, 0);
    return fd >= 0;
}

// A dump is messages with one sequence number, and ends with DONE or an error, and nowhere else.
// NULL: it is one.
static const char *find_damage(char *text, size_t n) {
    struct nlmsghdr *message = (struct nlmsghdr *) text;
    uint32_t sequence = n >= sizeof(*message) ? message->nlmsg_seq : 0;
    bool ended = false;
    int left = (int) n;
    for (; nlmsg_ok(message, left); message = nlmsg_next(message, &left)) {
        if (message->nlmsg_seq != sequence)
            return "messages of different dumps";
        if (ended)
            return "goes on behind its end";
        ended = message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR;
    }
    if (left > 0)
        return "cut in a message, or damaged";
    return n == 0 ? "empty" : ended ? NULL : "cut between two messages";
}

int rtnl_feed_whole(
        char *text, size_t n, rtnl_visit *visit, void *userdata, const char **ret_problem) {
    const char *problem = find_damage(text, n);
    if (problem) {
        *ret_problem = problem;
        return -EBADMSG;
    }
    struct rtnl_answer answer = { .sequence = ((struct nlmsghdr *) text)->nlmsg_seq };
    return rtnl_feed(&answer, text, n, visit, userdata);
}

static int read_path(struct source *source, const char *path) {
    struct source_file file = SOURCE_FILE_CLOSED;
    int r = source_read(source, &file, path);
    source_file_close(&file);
    return r;
}

static int problem(struct rtnl *rtnl, int error, const char *path, const char *text) {
    snprintf(rtnl->problem, sizeof(rtnl->problem), "/%s: %s", path, text);
    return error;
}

static int check_machine(struct rtnl *rtnl, struct source *source) {
    int r = read_path(source, RTNL_MACHINE_FILE);
    if (r < 0)
        return problem(rtnl, -EBADMSG, RTNL_MACHINE_FILE, strerror(-r));
    source->buffer[strcspn(source->buffer, "\n")] = '\0';
    if (strcmp(source->buffer, rtnl_machine()) != 0)
        return problem(rtnl, -EBADMSG, RTNL_MACHINE_FILE,
                "another byte order or word size than here, not readable");
    return 0;
}

int rtnl_read_file(struct rtnl *rtnl, struct source *source, const char *dump, rtnl_visit *visit,
        void *userdata) {
    char path[PATH_SIZE];
    const char *damage;
    rtnl->problem[0] = '\0';
    if (!rtnl_has_file(source, dump))
        return -ENOENT;
    snprintf(path, sizeof(path), RTNL_FOLDER "/%s", dump);
    int r = check_machine(rtnl, source);
    if (r == 0 && (r = read_path(source, path)) < 0)
        return problem(rtnl, -EBADMSG, path, strerror(-r));
    if (r == 0)
        r = visit(userdata, NULL);
    if (r == 0 && source->tap) {
        source->tap->take(source->tap->data, dump, NULL, 0);
        source->tap->take(source->tap->data, dump, source->buffer, source->size);
    }
    if (r == 0)
        r = rtnl_feed_whole(source->buffer, source->size, visit, userdata, &damage);
    if (r == -EBADMSG && !rtnl->problem[0])
        problem(rtnl, r, path, damage);
    return r == RTNL_CHANGED ? -EAGAIN : r;
}
