// SPDX-License-Identifier: GPL-2.0-or-later
// Memory and swap
#include "collectors/list.h"

enum { SCOPE, TOTAL, AVAILABLE, FREE, SWAP_TOTAL, SWAP_FREE, PSWPIN, PSWPOUT, PGMAJFAULT, ALLOCSTALL,
       OOM_KILL, N_COLUMNS };

static const struct column columns[N_COLUMNS] = {
    [SCOPE] = { "scope", COLUMN_KEY_TEXT, "", "always host", NULL },
    [TOTAL] = { "total_bytes", COLUMN_GAUGE, "bytes", "memory the kernel can use", "MemTotal" },
    [AVAILABLE] = { "available_bytes", COLUMN_GAUGE, "bytes",
                    "memory that programs could still get without swapping (since 3.14)", "MemAvailable" },
    [FREE] = { "free_bytes", COLUMN_GAUGE, "bytes", "memory used for nothing at all", "MemFree" },
    [SWAP_TOTAL] = { "swap_total_bytes", COLUMN_GAUGE, "bytes", "size of all swap areas", "SwapTotal" },
    [SWAP_FREE] = { "swap_free_bytes", COLUMN_GAUGE, "bytes", "swap not in use", "SwapFree" },
    [PSWPIN] = { "pswpin", COLUMN_COUNTER, "pages", "pages read back from swap", "pswpin" },
    [PSWPOUT] = { "pswpout", COLUMN_COUNTER, "pages", "pages written to swap", "pswpout" },
    [PGMAJFAULT] = { "pgmajfault", COLUMN_COUNTER, "events",
                     "page faults that had to wait for a disk or for swap", "pgmajfault" },
    [ALLOCSTALL] = { "allocstall", COLUMN_COUNTER, "events",
                     "allocations that had to free memory first, all zones", "allocstall" },
    [OOM_KILL] = { "oom_kill", COLUMN_COUNTER, "processes",
                   "processes killed for lack of memory (since 4.13)", "oom_kill" },
};

const struct table memory_table = { "memory", "memory and swap of the host", "host",
                                    "/proc/meminfo, /proc/vmstat", columns, N_COLUMNS, 1 };
