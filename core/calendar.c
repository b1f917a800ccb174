// SPDX-License-Identifier: GPL-2.0-or-later
// Calendar times
#include "core/calendar.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>
#include <strings.h>
#include <time.h>

static const char *skip_spaces(const char *p) {
    while (isspace((unsigned char) *p))
        p++;
    return p;
}

// If `word` stands at *p and ends there, moves past it.
static bool take_word(const char **p, const char *word) {
    size_t n = strlen(word);
    if (strncasecmp(*p, word, n) != 0 || isalnum((unsigned char) (*p)[n]))
        return false;
    *p += n;
    return true;
}

// A number of `least` to `most` digits, moving past it; -1: not one.
static int take_digits(const char **p, int least, int most) {
    int value = 0, n = 0;
    for (; n < most && isdigit((unsigned char) **p); n++, (*p)++)
        value = value * 10 + (**p - '0');
    return n < least || isdigit((unsigned char) **p) ? -1 : value;
}

static bool take_char(const char **p, char c) {
    if (**p != c)
        return false;
    (*p)++;
    return true;
}

static void take_weekday(const char **p, struct calendar *calendar) {
    static const char *const names[7][2] = {
        { "Sunday", "Sun" },
        { "Monday", "Mon" },
        { "Tuesday", "Tue" },
        { "Wednesday", "Wed" },
        { "Thursday", "Thu" },
        { "Friday", "Fri" },
        { "Saturday", "Sat" },
    };
    for (int day = 0; day < 7; day++)
        if (take_word(p, names[day][0]) || take_word(p, names[day][1])) {
            calendar->weekday = day;
            take_char(p, ',');
            *p = skip_spaces(*p);
            return;
        }
}

static int days_in_month(int year, int month) {
    static const int days[] = { 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31 };
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return days[month - 1] + (month == 2 && leap);
}

// "2026-11-30", "26-11-30". 1: there is no date here.
static int take_date(const char **p, struct calendar *calendar) {
    size_t digits = strspn(*p, "0123456789");
    if ((digits != 2 && digits != 4) || (*p)[digits] != '-')
        return 1;
    calendar->year = take_digits(p, 2, 4);
    if (digits == 2) // as strptime's %y
        calendar->year += calendar->year < 69 ? 2000 : 1900;
    if (!take_char(p, '-') || (calendar->month = take_digits(p, 1, 2)) < 1 || calendar->month > 12)
        return -EINVAL;
    if (!take_char(p, '-') || (calendar->day = take_digits(p, 1, 2)) < 1 ||
            calendar->day > days_in_month(calendar->year, calendar->month))
        return -EINVAL;
    calendar->has_date = true;
    return 0;
}

static int take_day_word(const char **p, struct calendar *calendar) {
    static const char *const words[] = { "yesterday", "today", "tomorrow" };
    for (int i = 0; i < 3; i++)
        if (take_word(p, words[i])) {
            calendar->day_shift = i - 1;
            return 0;
        }
    return 1;
}

static int take_fraction(const char **p, struct calendar *calendar) {
    if (!isdigit((unsigned char) **p))
        return -EINVAL;
    for (int place = 100; isdigit((unsigned char) **p); (*p)++, place /= 10)
        calendar->millisecond += (**p - '0') * place;
    return 0;
}

// "03:12", "03:12:45", "03:12:45.250". 1: there is no time here.
static int take_time(const char **p, struct calendar *calendar) {
    size_t digits = strspn(*p, "0123456789");
    if (digits == 0 || (*p)[digits] != ':')
        return 1;
    calendar->hour = take_digits(p, 1, 2);
    take_char(p, ':');
    calendar->minute = take_digits(p, 2, 2);
    if (calendar->hour < 0 || calendar->hour > 23 || calendar->minute < 0 || calendar->minute > 59)
        return -EINVAL;
    if (!take_char(p, ':'))
        return 0;
    calendar->second = take_digits(p, 2, 2);
    if (calendar->second < 0 || calendar->second > 60) // 60: a leap second
        return -EINVAL;
    return take_char(p, '.') ? take_fraction(p, calendar) : 0;
}

// "+01:00", "-0130", "+02"
static int take_offset(const char **p, struct calendar *calendar) {
    int sign = **p == '-' ? -1 : 1, hours, minutes = 0;
    (*p)++;
    size_t digits = strspn(*p, "0123456789");
    if (digits == 4) {
        int both = take_digits(p, 4, 4);
        hours = both / 100, minutes = both % 100;
    } else {
        hours = take_digits(p, 2, 2);
        if (take_char(p, ':'))
            minutes = take_digits(p, 2, 2);
    }
    if (hours < 0 || hours > 14 || minutes < 0 || minutes > 59)
        return -EINVAL;
    calendar->zone = ZONE_OFFSET;
    calendar->offset_s = sign * (hours * 3600L + minutes * 60L);
    return 0;
}

static int take_zone_name(const char **p, struct calendar *calendar) {
    size_t n = strlen(*p);
    if (n >= sizeof(calendar->name) || **p == '/' || strstr(*p, ".."))
        return -EINVAL;
    tzset();
    for (int dst = 0; dst < 2; dst++)
        if (tzname[dst] && strcasecmp(*p, tzname[dst]) == 0) {
            calendar->is_dst = dst;
            *p += n;
            return 0;
        }
    calendar->zone = ZONE_NAMED;
    strcpy(calendar->name, *p);
    *p += n;
    return 0;
}

static int take_zone(const char **p, struct calendar *calendar) {
    bool apart = isspace((unsigned char) **p);
    *p = skip_spaces(*p);
    if (**p == '\0')
        return 0;
    if (**p == '+' || **p == '-')
        return take_offset(p, calendar);
    if (take_word(p, "Z") || (apart && take_word(p, "UTC"))) {
        calendar->zone = ZONE_OFFSET;
        return 0;
    }
    return apart ? take_zone_name(p, calendar) : -EINVAL;
}

int calendar_parse(const char *text, struct calendar *ret) {
    struct calendar calendar = { .weekday = -1, .is_dst = -1 };
    const char *p = text;
    take_weekday(&p, &calendar);
    int day = take_date(&p, &calendar);
    if (day == 1)
        day = take_day_word(&p, &calendar);
    if (day < 0)
        return day;
    bool iso = day == 0 && calendar.has_date && take_char(&p, 'T');
    const char *after_day = p;
    if (!iso)
        p = skip_spaces(p);
    int time = day == 0 && !iso && p == after_day ? 1 : take_time(&p, &calendar);
    if (time < 0)
        return time;
    if (time == 1) {
        if (day == 1 || iso)
            return -EINVAL;
        p = after_day;
    }
    int r = take_zone(&p, &calendar);
    if (r < 0 || *skip_spaces(p))
        return -EINVAL;
    *ret = calendar;
    return 0;
}
