// SPDX-License-Identifier: GPL-2.0-or-later
// Time spans
#include "core/moment.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#define US_PER_SECOND INT64_C(1000000)

struct unit {
    const char *name;
    int64_t us;
};

// The units of systemd.time(7): a month is 30.44 days and a year 365.25.
static const struct unit units[] = {
    { "us", 1 },
    { "usec", 1 },
    { "\xc2\xb5s", 1 }, // U+00B5 micro sign
    { "\xce\xbcs", 1 }, // U+03BC Greek mu
    { "ms", 1000 },
    { "msec", 1000 },
    { "s", US_PER_SECOND },
    { "sec", US_PER_SECOND },
    { "second", US_PER_SECOND },
    { "seconds", US_PER_SECOND },
    { "m", 60 * US_PER_SECOND },
    { "min", 60 * US_PER_SECOND },
    { "minute", 60 * US_PER_SECOND },
    { "minutes", 60 * US_PER_SECOND },
    { "h", 3600 * US_PER_SECOND },
    { "hr", 3600 * US_PER_SECOND },
    { "hour", 3600 * US_PER_SECOND },
    { "hours", 3600 * US_PER_SECOND },
    { "d", 86400 * US_PER_SECOND },
    { "day", 86400 * US_PER_SECOND },
    { "days", 86400 * US_PER_SECOND },
    { "w", 7 * 86400 * US_PER_SECOND },
    { "week", 7 * 86400 * US_PER_SECOND },
    { "weeks", 7 * 86400 * US_PER_SECOND },
    { "M", 2629800 * US_PER_SECOND },
    { "month", 2629800 * US_PER_SECOND },
    { "months", 2629800 * US_PER_SECOND },
    { "y", 31557600 * US_PER_SECOND },
    { "year", 31557600 * US_PER_SECOND },
    { "years", 31557600 * US_PER_SECOND },
};

static const char *skip_spaces(const char *p) {
    while (isspace((unsigned char) *p))
        p++;
    return p;
}

// Microseconds of the unit at *p, moving past it; seconds where a number stands alone. 0: no such
// unit.
static int64_t take_unit(const char **p) {
    size_t n = 0;
    while (isalpha((unsigned char) (*p)[n]) || ((*p)[n] & 0x80))
        n++;
    if (n == 0)
        return US_PER_SECOND;
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strlen(units[i].name) == n && strncmp(units[i].name, *p, n) == 0) {
            *p += n;
            return units[i].us;
        }
    return 0;
}

// "1.5" as 1 and 500000 millionths, moving past it. False: no number, or too large.
static bool take_number(const char **p, int64_t *whole, int64_t *millionths) {
    const char *start = *p;
    *whole = *millionths = 0;
    for (; isdigit((unsigned char) **p); (*p)++)
        if (__builtin_mul_overflow(*whole, 10, whole) ||
                __builtin_add_overflow(*whole, **p - '0', whole))
            return false;
    if (*p == start)
        return false;
    if (**p != '.')
        return true;
    const char *fraction = ++*p;
    int64_t place = 100000;
    for (; isdigit((unsigned char) **p); (*p)++, place /= 10)
        *millionths += (**p - '0') * place;
    return *p > fraction;
}

int moment_parse_span(const char *text, int64_t *ret_ms) {
    const char *p = skip_spaces(text);
    if (!*p)
        return -EINVAL;
    int64_t sum_us = 0;
    while (*p) {
        int64_t whole, millionths, us;
        if (!take_number(&p, &whole, &millionths))
            return -EINVAL;
        p = skip_spaces(p);
        int64_t unit_us = take_unit(&p);
        // Split so that a fraction of years does not overflow.
        int64_t fraction_us = unit_us / US_PER_SECOND * millionths +
                              unit_us % US_PER_SECOND * millionths / US_PER_SECOND;
        if (unit_us == 0 || __builtin_mul_overflow(whole, unit_us, &us) ||
                __builtin_add_overflow(us, fraction_us, &us) ||
                __builtin_add_overflow(sum_us, us, &sum_us))
            return -EINVAL;
        p = skip_spaces(p);
    }
    *ret_ms = sum_us / 1000 + (sum_us % 1000 >= 500);
    return 0;
}
