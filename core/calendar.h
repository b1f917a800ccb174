// SPDX-License-Identifier: GPL-2.0-or-later
// Calendar times
//
// The part of a time stamp that needs a calendar and a time zone: "Mon 2026-11-30 03:12:45.5
// Europe/Berlin".
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define CALENDAR_ZONE_SIZE 64

enum calendar_zone {
    ZONE_LOCAL,
    ZONE_OFFSET, // fixed distance to UTC
    ZONE_NAMED,  // of the time zone database
};

struct calendar {
    int weekday;          // 0 Sunday; -1: not given
    bool has_date;        // else the day is today plus day_shift
    int day_shift;        // -1 yesterday, 1 tomorrow
    int year, month, day; // month 1..12
    int hour, minute, second, millisecond;
    enum calendar_zone zone;
    int is_dst;                    // of a local time whose zone was named; -1: not given
    long offset_s;                 // ZONE_OFFSET: east of UTC
    char name[CALENDAR_ZONE_SIZE]; // ZONE_NAMED
};

// 0, or -EINVAL.
int calendar_parse(const char *text, struct calendar *ret);
// 0, -EINVAL where the weekday is not that of the date or the zone is unknown, or -errno.
int calendar_resolve(const struct calendar *calendar, int64_t now_ms, int64_t *ret_ms);
