// SPDX-License-Identifier: GPL-2.0-or-later
// Headers of sysstat
//
// What sar, mpstat, iostat and pidstat have in common.
#pragma once

#include "formats/intake.h"
#include "formats/lines.h"
#include "formats/words.h"

struct sysstat_host {
    int64_t day_ms;  // of the date; 0: not known
    unsigned n_cpus; // 0: not known
    bool day_first;  // "01/12/2026" is in December
};

// "Linux 3.13.0-46-generic (host-a)      10.03.2015      _x86_64_        (24 CPU)"
bool sysstat_header(const struct word *words, size_t n);
// Takes the header at line i.
void sysstat_take_header(
        struct intake *intake, const struct lines *lines, size_t i, struct sysstat_host *ret);
// The words of "Average:", "Durchschn.:", "Moyenne :" at the beginning; 0: it is none.
size_t sysstat_average(const struct word *words, size_t n);
// Times of day only grow within a section: a smaller one is of the next day. before < 0: none.
int64_t sysstat_growing(int64_t before_ms, int64_t now_ms);
