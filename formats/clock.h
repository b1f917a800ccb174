// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted times
//
// Dates and times of day as date, sysstat, uptime and loggers write them, in several languages. A
// time without a zone is taken as UTC: what counts is the distance to the next one.
#pragma once

#include "formats/words.h"

// "11:25:46", "11:25:46.5", "03:17" at the beginning; with "AM" or "PM" as the second word. Returns
// the number of words taken, 0: not one.
size_t clock_time(const struct word *words, size_t n, int64_t *ret_ms_of_day);
// "2026-11-30", "30.11.2026", "11/30/26" (the month first unless it cannot be one). ms since the
// epoch.
bool clock_date(const struct word *word, int64_t *ret_ms);
// The same of languages in which "01/12/2026" is in December.
bool clock_date_day_first(const struct word *word, int64_t *ret_ms);
// 1 to 12 of the name of a month, whole or cut; 0: none.
int clock_month(const struct word *word);
// A whole stamp at the beginning: what date prints, ISO 8601, date and time. Returns the number of
// words taken, 0: not one.
size_t clock_stamp(const struct word *words, size_t n, int64_t *ret_ms);
#define CLOCK_DAY_MS INT64_C(86400000)
