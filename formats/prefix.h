// SPDX-License-Identifier: GPL-2.0-or-later
// Line prefixes
#pragma once

#include "formats/lines.h"

// Takes off what a logger wrote before a line (its time stays in at_ms) and a prompt, which makes the
// line a command. A command without a prompt is one too, where its first word and options leave no
// doubt.
void prefix_take_off(struct line *line);
