// SPDX-License-Identifier: GPL-2.0-or-later
// Collector outcomes
//
// How a run went, in words. The first thing that went wrong is kept; what was read besides stays.
#pragma once

#include "collectors/proc_pairs.h"
#include "core/sample.h"

// A file that could not be read (`error` is -errno): absent, denied or failed.
void outcome_read_error(struct outcome *outcome, const char *path, int error);
// What a parser did not understand; nothing where there is no problem.
void outcome_problem(
        struct outcome *outcome, const char *path, const struct parse_problem *problem);
