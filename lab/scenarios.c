// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario list
#include "lab/scenario.h"

#include <stddef.h>

static const struct scenario_list *const lists[] = {
    &scenarios_queue,
    &scenarios_reader,
    &scenarios_stops,
    &scenarios_waits,
    &scenarios_path,
    &scenarios_fragments,
    &scenarios_ports,
    &scenarios_filters,
    &scenarios_backlog,
    &scenarios_send,
    &scenarios_pairs,
    &scenarios_controls,
};

const struct scenario *scenario_at(size_t i) {
    for (size_t l = 0; l < sizeof(lists) / sizeof(lists[0]); i -= lists[l++]->n)
        if (i < lists[l]->n)
            return &lists[l]->scenarios[i];
    return NULL;
}
