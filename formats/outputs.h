// SPDX-License-Identifier: GPL-2.0-or-later
// Kinds of outputs
//
// The same output twice is two moments, two outputs that overlap (netstat -su and netstat -s) are
// not. Which looks are the same output: those that have the same values, by one format, or nearly the
// same by the same options.
#pragma once

#include "formats/intake_private.h"

// Numbers the outputs of all looks. 0 or -ENOMEM.
int outputs_number(struct intake *intake);
