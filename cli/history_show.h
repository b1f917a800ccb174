// SPDX-License-Identifier: GPL-2.0-or-later
// History for people and programs
#pragma once

#include "cli/cli.h"
#include "cli/series.h"

// Shows the values of all objects: a plot, or every value.
void history_show(struct cli *cli, const struct series_list *list, bool values);
