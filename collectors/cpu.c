// SPDX-License-Identifier: GPL-2.0-or-later
// CPU time
#include "collectors/list.h"

enum { CPU, USER, N_COLUMNS = 11 };

// In the order of the file. USER_HZ is 100 on every architecture Linux runs on today.
static const struct column columns[N_COLUMNS] = {
    [CPU] = { "cpu", COLUMN_KEY_INTEGER, "", "CPU number", "cpuN" },
    [USER] = { "user", COLUMN_COUNTER, "ticks", "time in programs, guests included", "user" },
    { "nice", COLUMN_COUNTER, "ticks", "time in programs of lowered priority", "nice" },
    { "system", COLUMN_COUNTER, "ticks", "time in the kernel for programs", "system" },
    { "idle", COLUMN_COUNTER, "ticks", "time with nothing to do", "idle" },
    { "iowait", COLUMN_COUNTER, "ticks", "idle time while a task of this CPU waited for a disk", "iowait" },
    { "irq", COLUMN_COUNTER, "ticks", "time in interrupt handlers", "irq" },
    { "softirq", COLUMN_COUNTER, "ticks", "time in soft interrupts: packet reception is one", "softirq" },
    { "steal", COLUMN_COUNTER, "ticks", "time the hypervisor gave to others", "steal" },
    { "guest", COLUMN_COUNTER, "ticks", "of user: time running virtual machines", "guest" },
    { "guest_nice", COLUMN_COUNTER, "ticks", "of nice: time running virtual machines", "guest_nice" },
};

const struct table cpu_table = { "cpu", "what each CPU spent its time on, in hundredths of a second",
                                 "CPU", "/proc/stat", columns, N_COLUMNS, 1 };
