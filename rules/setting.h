// SPDX-License-Identifier: GPL-2.0-or-later
// Settings
//
// Which columns of the window's tables a person or a program sets, and which loss they bear on.
#pragma once

#include "core/table.h"
#include "core/verdict.h"

// Whose loss is compared.
enum setting_scope {
    SCOPE_PLACE,   // that of the locus in the row's namespace
    SCOPE_PORT,    // that of the sockets of the row's port
    SCOPE_PROCESS, // that of the sockets of the row's process
    SCOPE_CGROUP,  // that of the sockets of the processes in the row's control group
};

struct setting {
    const char *table, *column, *locus;
    enum setting_scope scope;
    const char *what;  // NULL: the kernel's name of the column
    bool null_is_none; // NULL means: no limit, not: not known
};
extern const struct setting settings[];
extern const size_t n_settings;

// How long ago a change may have happened when it is seen: tables of the slow lane are read every
// ten seconds.
int64_t setting_slack_ms(const char *table);
