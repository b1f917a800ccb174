// SPDX-License-Identifier: GPL-2.0-or-later
// Configuration set
//
// Shared by the files that make up the configuration reader; others use core/config.h.
#pragma once

#include "core/config.h"

struct config_set {
    struct config values;
    char **text;                  // one per key
    struct config_origin *origin; // one per key
};

// Reads a file into the set; what is wrong inside it is only reported. 0 or -errno.
int config_set_read(struct config_set *set, const char *path, FILE *problems);
