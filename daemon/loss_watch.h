// SPDX-License-Identifier: GPL-2.0-or-later
// Loss watch
//
// Sees without a query whether a step is worth judging. A judgement costs many times what a step
// does, so counters that grow without being a loss (port scans) do not call for one again unless
// they grow much faster.
#pragma once

#include <stdbool.h>

#include "core/verdict.h"
#include "rules/rules.h"

struct loss_watch;

// The rules need not outlive it. 0 or -ENOMEM.
int loss_watch_new(const struct rule_set *rules, const struct table *const *tables, size_t n_tables,
        struct loss_watch **ret);
struct loss_watch *loss_watch_free(struct loss_watch *watch); // returns NULL

enum glance {
    GLANCE_QUIET, // nothing grew that may be a loss
    GLANCE_LOSS,  // as it did when last judged
    GLANCE_NEWS,  // something that was not judged yet, or at another scale
};
// *ret_grew: any of the counters did, harmless or not.
enum glance loss_watch_step(struct loss_watch *watch, const struct step *step, bool *ret_grew);
// The steps since the last call are judged: what grew without being in the ledger is harmless.
void loss_watch_settle(struct loss_watch *watch, const struct verdict *verdict);
// Loci whose counters were readable before and are not now, at most `max`. The texts belong to the
// watch.
size_t loss_watch_blind(const struct loss_watch *watch, const char **ret_loci, size_t max);
