// SPDX-License-Identifier: GPL-2.0-or-later
// Queue scenarios
#include "lab/scenario.h"

static const struct scenario scenarios[] = {};
SCENARIO_LIST(scenarios_queue, scenarios);
