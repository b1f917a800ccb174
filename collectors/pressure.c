// SPDX-License-Identifier: GPL-2.0-or-later
// Pressure stall
#include "collectors/list.h"

enum { RESOURCE, SOME_TOTAL, FULL_TOTAL, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [RESOURCE] = { "resource", COLUMN_KEY_TEXT, "", "cpu, memory, io or irq", "file name" },
    [SOME_TOTAL] = { "some_total_us", COLUMN_COUNTER, "us",
                     "time in which at least one task waited for the resource", "some total" },
    [FULL_TOTAL] = { "full_total_us", COLUMN_COUNTER, "us",
                     "time in which every task that could run waited for it; of cpu always 0",
                     "full total" },
};

const struct table pressure_table = { "pressure", "time lost waiting for CPU, memory, disk, interrupts",
                                      "resource", "/proc/pressure", columns, N_COLUMNS, 1 };
