// SPDX-License-Identifier: GPL-2.0-or-later
// Recent past
//
// The last minute in memory, for judging without the database. Steps wait in a short queue, quiet ones merged, and become
// rows only when there is something to judge.
#pragma once

#include "daemon/alerts.h"
#include "rules/rules.h"

#define RECENT_WINDOW_MS INT64_C(60000)

struct recent;

// 0 or -errno; *ret_error as store_open() has it.
int recent_new(const struct table *const *tables, size_t n_tables, struct recent **ret, char **ret_error);
struct recent *recent_free(struct recent *recent); // returns NULL

int recent_add(struct recent *recent, const struct step *step); // 0 or -errno

struct judgement {
    struct verdict *verdict; // of the last RECENT_WINDOW_MS
    struct fresh *fresh;     // since the judgement before
    size_t n_fresh;
    int64_t observed_ms;
};
// 0, 1: no step yet, or -errno.
int recent_judge(struct recent *recent, const struct rule_set *rules, const char *host, const char *kernel,
        struct judgement *ret);
void judgement_done(struct judgement *judgement);
