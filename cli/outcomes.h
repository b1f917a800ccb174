// SPDX-License-Identifier: GPL-2.0-or-later
// Collector outcomes
#pragma once

#include "cli/cli.h"
#include "core/sample.h"
#include "core/store.h"

// How the collectors' last runs went, one per collector, in their order.
struct outcome_list {
    struct outcome *list;
    bool known; // false: nothing is known
};

// As the daemon stored them, or from one look here, which may ask for the owners of all sockets. 0 or
// -errno.
int outcomes_stored(struct store *store, struct outcome_list *ret);
int outcomes_here(const struct cli *cli, bool all_sockets, struct outcome_list *ret);
void outcomes_done(struct outcome_list *list);
// Time that the tables of every step take.
int64_t outcomes_cost_us(const struct outcome_list *list);
void outcomes_put(struct writer *writer, const struct outcome_list *list);
