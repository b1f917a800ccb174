// SPDX-License-Identifier: GPL-2.0-or-later
// Address aliases
//
// Names in place of addresses: the same address has the same name as long as the aliases live, and
// nothing of the address is in it. Those that tell nothing of a network (any, loopback, multicast)
// stay.
#pragma once

#include "core/sample_text.h"

struct aliases;

struct aliases *aliases_new(void);                     // NULL: out of memory
struct aliases *aliases_free(struct aliases *aliases); // returns NULL
// For sample_text_write(); `data` are the aliases.
sample_text_alias aliases_replace;
