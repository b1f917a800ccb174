// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink answers of a capture
#include "cli/capture_netlink.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "collectors/rtnl.h"

#define PATH_SIZE 128
// A source reads no larger files (SOURCE_MAX_BYTES); some 300,000 sockets.
#define DUMP_MAX_BYTES ((size_t) 48 << 20)

struct capture_dump {
    char name[32];
    unsigned look;
    char *bytes;
    size_t n, capacity;
    bool too_large;
};

static struct capture_dump *find(struct capture_dumps *dumps, const char *name) {
    for (size_t i = 0; i < dumps->n; i++)
        if (strcmp(dumps->items[i].name, name) == 0)
            return &dumps->items[i];
    struct capture_dump *items = reallocarray(dumps->items, dumps->n + 1, sizeof(*items));
    if (!items)
        return NULL;
    dumps->items = items;
    struct capture_dump *dump = &items[dumps->n++];
    *dump = (struct capture_dump){ .look = dumps->look };
    snprintf(dump->name, sizeof(dump->name), "%s", name);
    return dump;
}

static int make_room(struct capture_dump *dump, size_t size) {
    size_t capacity = dump->capacity ? dump->capacity : (size_t) 64 << 10;
    while (capacity < size)
        capacity *= 2;
    if (capacity == dump->capacity)
        return 0;
    char *bytes = realloc(dump->bytes, capacity);
    if (!bytes)
        return -ENOMEM;
    dump->bytes = bytes;
    dump->capacity = capacity;
    return 0;
}

// A message begins at a multiple of 4 bytes, also the first of a datagram.
static int append(struct capture_dump *dump, const void *datagram, size_t n) {
    if (dump->n + NLMSG_ALIGN(n) > DUMP_MAX_BYTES)
        dump->too_large = true;
    if (dump->too_large)
        return 0;
    int r = make_room(dump, dump->n + NLMSG_ALIGN(n));
    if (r < 0)
        return r;
    memcpy(dump->bytes + dump->n, datagram, n);
    memset(dump->bytes + dump->n + n, 0, NLMSG_ALIGN(n) - n);
    dump->n += NLMSG_ALIGN(n);
    return 0;
}

static void take(void *data, const char *name, const void *datagram, size_t n) {
    struct capture_dumps *dumps = data;
    struct capture_dump *dump = find(dumps, name);
    if (dump && !datagram) {
        dump->look = dumps->look;
        dump->n = 0;
        dump->too_large = false;
    } else if (!dump || append(dump, datagram, n) < 0) {
        dumps->error = -ENOMEM;
    }
}

void capture_dumps_begin(struct capture_dumps *dumps, struct source *source) {
    dumps->tap = (struct source_tap){ take, dumps };
    source->tap = &dumps->tap;
}

void capture_dumps_done(struct capture_dumps *dumps) {
    for (size_t i = 0; i < dumps->n; i++)
        free(dumps->items[i].bytes);
    free(dumps->items);
    *dumps = (struct capture_dumps){ 0 };
}

static int leave_out(const char *path, json_object *left_out) {
    return json_object_array_add(left_out, json_object_new_string(path)) < 0 ? -ENOMEM : 0;
}

int capture_dumps_leave_out(const char *folder, json_object *left_out) {
    char path[PATH_SIZE];
    snprintf(path, sizeof(path), "%s/" RTNL_FOLDER "/*", folder);
    return leave_out(path, left_out);
}

int capture_dumps_put(const struct capture_dumps *dumps, unsigned look, const char *folder,
        struct bundle *bundle, json_object *left_out) {
    char path[PATH_SIZE], machine[32];
    snprintf(path, sizeof(path), "%s/" RTNL_MACHINE_FILE, folder);
    int n = snprintf(machine, sizeof(machine), "%s\n", rtnl_machine());
    int r = dumps->error < 0 ? dumps->error : bundle_put(bundle, path, machine, (size_t) n);
    for (size_t i = 0; r == 0 && i < dumps->n; i++) {
        const struct capture_dump *dump = &dumps->items[i];
        snprintf(path, sizeof(path), "%s/" RTNL_FOLDER "/%s", folder, dump->name);
        if (dump->look == look)
            r = dump->too_large ? leave_out(path, left_out)
                                : bundle_put(bundle, path, dump->bytes, dump->n);
    }
    return r;
}
