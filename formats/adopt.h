// SPDX-License-Identifier: GPL-2.0-or-later
// Adopted names
#pragma once

#include "formats/reading.h"

// Some outputs (ethtool -S, lines that grep left) do not say which interface they are about, and stand
// in the tables without a name. Where all others are about one and the same, they are too. 0 or
// -ENOMEM.
int adopt_interfaces(struct intake *intake);
