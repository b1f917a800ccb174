// SPDX-License-Identifier: GPL-2.0-or-later
// Alert keeping
//
// Alerts on their way to the database, each in its newest form. The daemon numbers them; the
// database has ids of its own, which may come late (the disk is stuck) or anew (another database).
#pragma once

#include "core/alerts.h"
#include "daemon/alerts.h"

struct kept {
    int64_t number; // of the daemon
    struct alert_record record;
    char *texts[5]; // what record points to
};
struct kept *kept_new(const struct alert *alert);          // NULL: out of memory
struct kept *kept_copy(const struct alert_record *record); // the same
struct kept *kept_free(struct kept *kept);                 // returns NULL

struct keeper;
struct keeper *keeper_new(void); // NULL: out of memory
struct keeper *keeper_free(struct keeper *keeper);
// Takes it; an older form of the same alert is forgotten.
void keeper_put(struct keeper *keeper, struct kept *kept);
// Takes all that another has.
void keeper_take(struct keeper *keeper, struct keeper *from);
size_t keeper_waiting(const struct keeper *keeper);
// An alert that the database knew already.
void keeper_know(struct keeper *keeper, int64_t number, int64_t id);

// Writes all that wait, in the open transaction. 0 or -errno.
int keeper_write(struct keeper *keeper, struct store *store);
// The transaction is committed: they are written. Otherwise they go on waiting.
void keeper_settle(struct keeper *keeper);
