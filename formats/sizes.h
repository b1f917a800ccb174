// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted sizes
#pragma once

#include "formats/words.h"

// A size with its unit behind it, as df -h, free -h and iostat -h write: "1.1Gi", "4,0K", "252G",
// "0B", "24684096". What has no unit counts `plain` bytes. K is 1024 bytes, kB 1000 (df --si, free
// --si).
bool word_size(const struct word *word, double plain, double *ret_bytes);
// The bytes of a unit alone: "kB", "MiB", "GB", "M"; 0: not one.
double size_unit(const struct word *word);
