// SPDX-License-Identifier: GPL-2.0-or-later
// Judgement
//
// From a store to a verdict, for the verbs that tell one.
#pragma once

#include "cli/cli.h"
#include "cli/live.h"
#include "core/verdict.h"
#include "rules/rules.h"

// The rules, built in and configured. 0, or an exit status after a line on the standard error.
int judge_rules(const struct cli *cli, struct rule_set **ret);
// Folder of the configured rules, malloc()ed; NULL: out of memory.
char *judge_rules_folder(const struct cli *cli);
// Verdict over the stored steps of [start_ms, end_ms]. 0, 1: no step in it, or -errno.
int judge_history(const struct rule_set *rules, struct store *store, int64_t start_ms,
        int64_t end_ms, struct verdict **ret);
// Verdict over all looks so far. As above.
int judge_live(const struct rule_set *rules, struct live *live, struct verdict **ret);

void judge_rules_done(struct rule_set **rules); // for _cleanup_
void judge_verdict_done(struct verdict **verdict);
void judge_live_done(struct live **live);
