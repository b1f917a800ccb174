// SPDX-License-Identifier: GPL-2.0-or-later
// Disk activity
#include "collectors/list.h"

enum { DEVICE, READS_COMPLETED, IO_IN_PROGRESS = 9, DISCARDS = 12, N_COLUMNS = 14 };

static const struct column columns[N_COLUMNS] = {
    [DEVICE] = { "device", COLUMN_KEY_TEXT, "", "kernel name of the block device, such as vda or dm-0",
                 "column 3" },
    [READS_COMPLETED] = { "reads_completed", COLUMN_COUNTER, "requests", "reads finished", "column 4" },
    { "reads_merged", COLUMN_COUNTER, "requests", "reads joined with a neighbour", "column 5" },
    { "sectors_read", COLUMN_COUNTER, "sectors", "sectors of 512 bytes read", "column 6" },
    { "time_reading_ms", COLUMN_COUNTER, "ms", "sum of the times all reads took", "column 7" },
    { "writes_completed", COLUMN_COUNTER, "requests", "writes finished", "column 8" },
    { "writes_merged", COLUMN_COUNTER, "requests", "writes joined with a neighbour", "column 9" },
    { "sectors_written", COLUMN_COUNTER, "sectors", "sectors of 512 bytes written", "column 10" },
    { "time_writing_ms", COLUMN_COUNTER, "ms", "sum of the times all writes took", "column 11" },
    [IO_IN_PROGRESS] = { "io_in_progress", COLUMN_GAUGE, "requests", "requests at the device now",
                         "column 12" },
    { "time_io_ms", COLUMN_COUNTER, "ms", "time in which at least one request was under way: busy time",
      "column 13" },
    { "weighted_time_io_ms", COLUMN_COUNTER, "ms",
      "the same, each request counted: over time_io_ms it is the mean queue", "column 14" },
    { "flush_requests", COLUMN_COUNTER, "requests", "cache flushes finished (since 5.5)", "column 19" },
    { "time_flushing_ms", COLUMN_COUNTER, "ms", "sum of the times all flushes took (since 5.5)",
      "column 20" },
};

const struct table disk_table = { "disk", "activity of each disk, and of the device behind each mount",
                                  "block device", "/proc/diskstats", columns, N_COLUMNS, 1 };
