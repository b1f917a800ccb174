// SPDX-License-Identifier: GPL-2.0-or-later
// Names of settings
#pragma once

#include "formats/words.h"

#define SYSCTL_NAME_SIZE 128

// The word without such characters around it.
struct word word_trimmed(struct word word, const char *what);
// The present name of a setting, with dots: of net.core.rmem_max, net/core/rmem_max, a path of
// /proc/sys, the last part alone where that is enough, an older home. `ret` has SYSCTL_NAME_SIZE
// bytes.
bool sysctl_name(struct word word, char *ret);
