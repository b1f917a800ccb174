// SPDX-License-Identifier: GPL-2.0-or-later
// Growth told twice
#pragma once

#include "formats/reading.h"

// Drops growth that the paste gives of counters which were themselves read at two moments, where
// nobody knows when: a sar between two netstat tells a part of what these tell. Where the times are
// known both are used (steps.c). After moments_find(). 0 or -ENOMEM.
int overlap_leave_out(struct intake *intake);
