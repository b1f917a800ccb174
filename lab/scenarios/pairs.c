// SPDX-License-Identifier: GPL-2.0-or-later
// Combined faults
#include "lab/scenario.h"

static const struct scenario scenarios[] = {};
SCENARIO_LIST(scenarios_pairs, scenarios);
