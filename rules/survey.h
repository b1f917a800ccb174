// SPDX-License-Identifier: GPL-2.0-or-later
// The verdict as a whole
#pragma once

#include "core/verdict.h"
#include "rules/sandbox.h"

// All: 0 or -errno.

// Sets received and sent; *ret_seen: UDP's counters are in the window.
int survey_traffic(struct sandbox *sandbox, const struct table *const *tables, size_t n_tables,
        struct verdict *verdict, bool *ret_seen);
// Says what the window's steps do not cover.
int survey_gaps(struct sandbox *sandbox, struct verdict *verdict);
// Sets the kind; counted: some place's counters are in the window, if not UDP's; past: counters rose
// before the window.
int survey_conclude(struct verdict *verdict, bool seen, bool counted, bool past);
