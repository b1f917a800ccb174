// SPDX-License-Identifier: GPL-2.0-or-later
// Growth in doubt
//
// nstat prints increments, or with -a the counters themselves, in the same form. Where its command
// is not there, two outputs tell: counters never fall, and increments of many counters do.
#pragma once

#include "formats/intake.h"

// When all is read: decides, and says how. Looks in doubt have their values as growth before
// (intake_doubt()).
void intake_settle_doubt(struct intake *intake);
