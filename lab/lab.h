// SPDX-License-Identifier: GPL-2.0-or-later
// Private lab
//
// A receiver's and a sender's network namespace joined by a veth pair, with processes of their own,
// in which a loss is caused for real and counted by those who send and receive. Everything in it
// ends with its first process; what is not part of a namespace is put back by the undo journal.
//
// Functions that return int return 0 or -errno. Those that tell why, or that skip, leave a text for
// the table (lab_fail(), lab_skip()).
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "lab/clock.h"

struct lab;

// ---- Places

enum lab_place {
    LAB_RECEIVER, // interface b1; what `why` sees as the host
    LAB_SENDER,   // interface a1
    LAB_HOST,     // the namespaces that the self-test was started in: commands only
};
// 4 or 6: a scenario for both families runs once with each.
int lab_family(const struct lab *lab);
// 10.77.LINK.2 and fd77:LINK::2 of the receiver, .1 and ::1 of the sender; link 0: loopback.
const char *lab_address(const struct lab *lab, enum lab_place place, int link);
// "4" or "6" spelt as the kernel does in its counters and paths: "" or "6".
const char *lab_v6(const struct lab *lab);
// Another veth pair aN, bN beside that of link 1, up, with addresses and fixed neighbours. N: 2..9.
int lab_link(struct lab *lab, int n);
// A folder in memory that only the lab sees.
const char *lab_scratch(const struct lab *lab);
bool lab_is_root(const struct lab *lab); // real root, not that of a user namespace

// ---- Commands and undoing

// Runs a command by /bin/sh there. -EIO: it failed, and what it said is the failure's text.
int lab_run(struct lab *lab, enum lab_place place, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// The same; its standard output without the last newline into `ret`, cut at `size`.
int lab_read(struct lab *lab, enum lab_place place, char *ret, size_t size, const char *format, ...)
        __attribute__((format(printf, 5, 6)));
// A command that puts back what will be changed next outside of the lab's namespaces: a sysctl of
// the whole host, a control group, a block device. It is on disk when this returns, and is run on
// the host when the lab has ended, the last one first, or by the next run if this one is killed. It
// must do no harm when there is nothing to put back.
int lab_undo(struct lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));
// Sets /proc/sys/PATH ("net/core/netdev_max_backlog"). LAB_HOST: of the whole host, journalled.
int lab_sysctl(struct lab *lab, enum lab_place place, const char *path, const char *value);
// Journals what such a sysctl is now, if it is one of the whole host.
int lab_keep_sysctl(struct lab *lab, const char *path);
int lab_sysctl_number(struct lab *lab, enum lab_place place, const char *path, int64_t value);

// ---- Outcomes of a scenario's functions other than 0: return lab_skip(lab, "needs ...");

int lab_skip(struct lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));
int lab_fail(struct lab *lab, const char *format, ...) __attribute__((format(printf, 2, 3)));

// ---- Time: every wait of a scenario goes through these, since the looks are taken meanwhile

int lab_pause(struct lab *lab, int64_t ms);
// Waits until `is_true` returns non-zero. -ETIMEDOUT: it did not.
int lab_until(struct lab *lab, int64_t limit_ms, int (*is_true)(struct lab *lab));
