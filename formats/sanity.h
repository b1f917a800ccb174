// SPDX-License-Identifier: GPL-2.0-or-later
// Values that fit
#pragma once

#include "formats/reading.h"

// Remarks on values of one look that contradict each other.
void sanity_check(struct intake *intake);
