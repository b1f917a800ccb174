// SPDX-License-Identifier: GPL-2.0-or-later
// Stored alerts
//
// The alert table of the store: written by the daemon, read by the `alerts` and `status` verbs.
#pragma once

#include <stdbool.h>

#include "core/store.h"

struct alert_record {
    int64_t id;
    const char *cause, *subject; // what it is about: at most one open alert of each pair
    const char *severity, *title;
    int64_t begin_ms, last_ms; // wall clock; last_ms: when it was seen last
    int64_t end_ms;            // 0: it lasts
    int64_t reminders;         // sent so far
    int64_t lost;              // datagrams since the beginning
    bool muted;
    const char *verdict; // JSON of the cause or level as it was last; NULL: none
};

// All: 0 or -errno, as in core/store.h. They join an open transaction.
int alerts_insert(struct store *store, const struct alert_record *alert, int64_t *ret_id);
// Writes everything of the alert with that id (cause and subject too: another cause may come to
// lead the same loss). 1: there is none.
int alerts_update(struct store *store, const struct alert_record *alert);
// Alerts that last, and, with open_only false, also those that ended at since_ms or later; the
// newest first. Texts are valid during the call of `each`; a value other than 0 from it ends the
// list and is returned.
int alerts_list(struct store *store, bool open_only, int64_t since_ms,
        int (*each)(const struct alert_record *alert, void *data), void *data);
