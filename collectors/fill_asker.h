// SPDX-License-Identifier: GPL-2.0-or-later
// Fill asker
//
// statfs(2) of a file system that hangs does not return. It is asked by a process of its own, which
// can be left behind; whoever uses this never waits longer than it says.
#pragma once

#include <stddef.h>
#include <stdint.h>

struct fill {
    int error; // 0, or errno; ENODATA: no answer yet, ETIMEDOUT: it hangs, ESTALE: something else
               // is mounted there
    uint64_t size_bytes, free_bytes, available_bytes; // available: without privileges
    uint64_t files, files_free;
    int64_t hangs_since_ms; // of ETIMEDOUT
};

// Where to ask, and the mount that must be there (mountinfo's id; not checked before 5.8, or if 0).
struct fill_target {
    const char *path;
    int64_t mount_id;
};

struct fill_asker;

struct fill_asker *fill_asker_new(void);                      // NULL: out of memory
struct fill_asker *fill_asker_free(struct fill_asker *asker); // returns NULL

// Sets what is asked; nothing happens if it is the same as before. Answers of targets that stay are
// kept. 0 or -errno.
int fill_asker_set(struct fill_asker *asker, const struct fill_target *targets, size_t n);

// Time without an answer after which a file system counts as hanging, and the process is killed.
#define FILL_PATIENCE_MS 5000
// A hanging file system is left alone for so long, and each time twice as long, up to an hour.
#define FILL_RETRY_MS 60000
#define FILL_RETRY_MAX_MS 3600000

// Asks all of them anew unless the last question is still open, waits at most wait_ms for the
// answers, and takes those that are there. `now_ms`: monotonic clock. 0, or -errno: there is no
// process to ask.
int fill_asker_ask(struct fill_asker *asker, int64_t now_ms, int wait_ms);
// The latest answer of target i.
const struct fill *fill_asker_answer(const struct fill_asker *asker, size_t i);
// The process that asks now; 0: none. For tests.
int fill_asker_pid(const struct fill_asker *asker);
