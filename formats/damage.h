// SPDX-License-Identifier: GPL-2.0-or-later
// Line damage
#pragma once

#include "formats/lines.h"

// Takes off, in place, what does not belong to the lines of a text, and tells commands from output.
void damage_take_off(struct lines *lines);
