// SPDX-License-Identifier: GPL-2.0-or-later
// Next steps
#pragma once

#include "core/verdict.h"
#include "rules/rules.h"

// Adds to a verdict over pasted outputs which commands would tell more, the most deciding first: what
// rules lacked, weighed by what was lost at their places, and a second look where there was one only.
// 0 or -ENOMEM.
int next_steps_find(const struct rule_set *rules, struct verdict *verdict);
