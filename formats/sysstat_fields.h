// SPDX-License-Identifier: GPL-2.0-or-later
// Headings of sysstat
#pragma once

#include "formats/words.h"

enum sysstat_kind {
    SYSSTAT_RATE,  // of a counter, a second
    SYSSTAT_SHARE, // of a CPU's time, in percent: as many hundredths of a second each second
    SYSSTAT_LEVEL, // of a gauge
};

// What a column of sar, mpstat or iostat is. In units of the column: value times `scale`.
struct sysstat_field {
    const char *heading;
    const char *table, *column;
    double scale;
    enum sysstat_kind kind;
    const char *when_zero; // a column of which this one is a sum; NULL: none
    const char *times;     // the other column of the row that this one is the mean of; NULL: none
};

// NULL: not one that a table has room for.
const struct sysstat_field *sysstat_field(const struct word *heading);
