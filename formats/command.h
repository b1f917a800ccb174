// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted commands
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "formats/lines.h"

// Whether the command runs that program, also behind sudo, a path or in a pipe.
bool command_runs(const char *command, const char *program);
// The last command above line i, if it runs that program; NULL.
const char *command_above(const struct lines *lines, size_t i, const char *program);
// The interval of "iostat -x 5", "sar -n UDP 1 10": the first number that is no option's value. 0:
// none.
int64_t command_interval_ms(const char *command, const char *program);
// How long "sleep 10" or "sleep 1m" in it takes, between this output and the one before. 0: there is
// none.
int64_t command_sleep_ms(const char *command);
// Whether the program is run with that option letter: "df -ih" has h and i.
bool command_has_option(const char *command, const char *program, char letter);
