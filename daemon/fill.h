// SPDX-License-Identifier: GPL-2.0-or-later
// Fill classes
//
// Sees without a query that a file system passed one of the configured levels.
#pragma once

#include <stdint.h>

#include "core/rows.h"

// A number that changes when a row of the mount table (bytes or inodes) gets into another class:
// below `warning` percent, above, above `critical`. 0: all below.
uint64_t fill_classes(const struct rows *mounts, int64_t warning, int64_t critical);
