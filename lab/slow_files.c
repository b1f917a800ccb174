// SPDX-License-Identifier: GPL-2.0-or-later
// Slow file system
//
// One file, of which each write takes a while: FUSE, spoken with the kernel directly.
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include "core/cleanup.h"
#include "lab/fault.h"
#include "lab/process.h"

#define FILE_NODE 2 // the root is 1
#define REQUEST_BYTES (1 << 18)
#define WRITE_BYTES (1 << 16)

struct slow {
    const char *folder;
    long ms;
};

struct request {
    struct fuse_in_header header;
    char body[REQUEST_BYTES];
};

static struct fuse_attr attributes(uint64_t node) {
    return (struct fuse_attr){ .ino = node,
        .mode = node == FILE_NODE ? S_IFREG | 0600 : S_IFDIR | 0700,
        .nlink = 1,
        .blksize = 4096 };
}

static int reply(int fuse, const struct request *request, int error, void *body, size_t size) {
    struct fuse_out_header header = { (uint32_t) (sizeof(header) + size), error,
        request->header.unique };
    struct iovec parts[] = { { &header, sizeof(header) }, { body, size } };
    return writev(fuse, parts, 2) < 0 ? -errno : 0;
}

static int reply_init(int fuse, const struct request *request) {
    const struct fuse_init_in *in = (const void *) request->body;
    struct fuse_init_out out = { .major = FUSE_KERNEL_VERSION,
        .minor = in->minor < FUSE_KERNEL_MINOR_VERSION ? in->minor : FUSE_KERNEL_MINOR_VERSION,
        .max_write = WRITE_BYTES };
    return reply(fuse, request, 0, &out, sizeof(out));
}

static int reply_entry(int fuse, const struct request *request) {
    struct fuse_entry_out out = { .nodeid = FILE_NODE, .attr = attributes(FILE_NODE) };
    return reply(fuse, request, 0, &out, sizeof(out));
}

static int reply_attributes(int fuse, const struct request *request) {
    struct fuse_attr_out out = { .attr = attributes(request->header.nodeid) };
    return reply(fuse, request, 0, &out, sizeof(out));
}

// Past the page cache, so that whoever writes waits for each write.
static int reply_open(int fuse, const struct request *request) {
    struct fuse_open_out out = { .open_flags = FOPEN_DIRECT_IO };
    return reply(fuse, request, 0, &out, sizeof(out));
}

static int answer(int fuse, const struct request *request, long ms) {
    const struct fuse_write_in *write_in = (const void *) request->body;
    struct fuse_write_out written = { 0 };
    switch (request->header.opcode) {
    case FUSE_INIT:
        return reply_init(fuse, request);
    case FUSE_LOOKUP:
        return reply_entry(fuse, request);
    case FUSE_GETATTR:
        return reply_attributes(fuse, request);
    case FUSE_OPEN:
        return reply_open(fuse, request);
    case FUSE_WRITE:
        usleep((useconds_t) ms * 1000);
        written.size = write_in->size;
        return reply(fuse, request, 0, &written, sizeof(written));
    case FUSE_FLUSH:
    case FUSE_RELEASE:
        return reply(fuse, request, 0, NULL, 0);
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
        return 0;
    default:
        return reply(fuse, request, -ENOSYS, NULL, 0);
    }
}

static int serve(int fuse, long ms) {
    static struct request request; // of this process alone
    for (;;) {
        if (read(fuse, &request, sizeof(request)) < 0) {
            if (errno == EINTR || errno == ENOENT)
                continue;
            return errno == ENODEV ? 0 : -errno; // unmounted
        }
        int r = answer(fuse, &request, ms);
        if (r < 0 && r != -ENOENT) // whoever asked may be gone
            return r;
    }
}

static int play_serve(struct lab_child *child, void *data) {
    const struct slow *slow = data;
    char options[64];
    _cleanup_close_ int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (fuse < 0)
        return 1;
    snprintf(options, sizeof(options), "fd=%d,rootmode=40000,user_id=0,group_id=0", fuse);
    if (mount("slow", slow->folder, "fuse.slow", MS_NOSUID | MS_NODEV, options) < 0)
        return 1;
    lab_child_ready(child);
    return serve(fuse, slow->ms) < 0;
}

int fault_slow_files(struct lab *lab, const char *folder, long ms) {
    struct slow slow = { folder, ms };
    int r = lab_run(lab, LAB_RECEIVER, "mkdir -p %s", folder);
    if (r < 0)
        return r;
    r = lab_spawn(lab,
            &(struct lab_spawn){
                    .name = "lab-files", .play = play_serve, .data = &slow, .waits = true },
            NULL);
    return r < 0 ? lab_skip(lab, "needs FUSE") : 0;
}
