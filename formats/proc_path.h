// SPDX-License-Identifier: GPL-2.0-or-later
// Files known by their path
#pragma once

#include "formats/intake.h"
#include "formats/words.h"

// One line of such a file. False: not a line of it.
typedef bool pathed_line(struct intake *intake, const struct line *line, const char *text,
        const char *path, const char *name);
// Of a file of a control group; NULL: it is none that says something.
pathed_line *cgroup_line(const char *path);

// The total of a line of a pressure file, `which`: "some" or "full".
bool pathed_pressure(const char *text, const char *which, struct word *ret_total);
