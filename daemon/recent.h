// SPDX-License-Identifier: GPL-2.0-or-later
// Recent past
//
// The last minute in memory, for judging without the database. Steps wait in a short queue, quiet
// ones merged, and become rows only when there is something to judge. In quiet times nothing else
// is kept but what a minute comes to.
#pragma once

#include "daemon/alerts.h"
#include "rules/rules.h"

#define RECENT_WINDOW_MS INT64_C(60000)

struct recent;

struct recent *recent_new(
        const struct table *const *tables, size_t n_tables); // NULL: out of memory
struct recent *recent_free(struct recent *recent);           // returns NULL

int recent_add(struct recent *recent, const struct step *step); // 0 or -errno

struct judgement {
    struct verdict *verdict; // of the last RECENT_WINDOW_MS
    struct fresh *fresh;     // since the judgement before
    size_t n_fresh;
    int64_t observed_ms;
};
// 0, 1: no step yet, or -errno.
int recent_judge(struct recent *recent, const struct rule_set *rules, enum rules_scope scope,
        const char *host, const char *kernel, struct judgement *ret);
void judgement_done(struct judgement *judgement);
// Gives back the statements, most of what judging takes, until the next judgement.
void recent_pause(struct recent *recent);
// All is quiet: gives back all of it.
void recent_rest(struct recent *recent);
