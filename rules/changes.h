// SPDX-License-Identifier: GPL-2.0-or-later
// Changes
//
// Settings that changed inside the window while datagrams were lost, and what the loss did after.
#pragma once

#include "rules/sandbox.h"
#include "rules/setting.h"

// Fills verdict->changes from the open window and the ledger. 0 or -errno.
int changes_find(struct sandbox *sandbox, const struct table *const *tables, size_t n_tables,
        struct verdict *verdict);
