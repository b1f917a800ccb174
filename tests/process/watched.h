// SPDX-License-Identifier: GPL-2.0-or-later
// Made-up watch
#pragma once

#include "collectors/watch.h"

// Adds a socket with that owner; processes must come by their numbers, each once.
void watched_add(struct watch *watch, pid_t pid, uint64_t start_time, uint32_t inode, bool lossy);
// Forgets them all.
void watched_clear(struct watch *watch);
