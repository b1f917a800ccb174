// SPDX-License-Identifier: GPL-2.0-or-later
// Words of vmstat -s
#pragma once

enum vmstat_s_field {
    VMSTAT_S_TOTAL,
    VMSTAT_S_FREE,
    VMSTAT_S_SWAP_TOTAL,
    VMSTAT_S_SWAP_FREE,
    VMSTAT_S_SWAPPED_IN,
    VMSTAT_S_SWAPPED_OUT,
    VMSTAT_S_USER,
    VMSTAT_S_NICE,
    VMSTAT_S_SYSTEM,
    VMSTAT_S_IDLE,
    VMSTAT_S_IOWAIT,
    VMSTAT_S_IRQ,
    VMSTAT_S_SOFTIRQ,
    VMSTAT_S_STEAL,
    VMSTAT_S_OTHER, // a line of the output that no table has
    VMSTAT_S_NONE,
};

// By the words of a line without its number, with single blanks: "K total memory".
enum vmstat_s_field vmstat_s_field(const char *phrase);
