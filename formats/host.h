// SPDX-License-Identifier: GPL-2.0-or-later
// Host rows
#pragma once

#include "formats/intake.h"
#include "formats/words.h"

// The one row of table memory.
void host_memory_row(struct intake *intake, const struct line *line);
// The row of a CPU; HOST_ALL_CPUS: of all that have no row of their own.
#define HOST_ALL_CPUS (-1)
void host_cpu_row(struct intake *intake, const struct line *line, int cpu);
// The row of a process in table process. When it began is not told by most outputs: it counts as 0,
// as in owners.h, so that the rows of several outputs meet.
void host_process_row(struct intake *intake, const struct line *line, uint64_t pid);
// Sets a text column to a word.
bool host_set_word(struct intake *intake, const char *column, const struct word *word);
