// SPDX-License-Identifier: GPL-2.0-or-later
// Scenario needs
#pragma once

#include "lab/scenario.h"

// Why a scenario cannot run on this host, as far as it can be told before: into `reason` (`size`
// bytes). False: it may.
bool needs_lacking(const struct scenario *scenario, char *reason, size_t size);
