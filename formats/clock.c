// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted times
#include "formats/clock.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "formats/lines.h"

#define DAYS_BEFORE_2000 10957 // since 1970; a leap year too

// Up to `max_digits` digits; false: none. Moves `at`.
static bool digits(const char **at, const char *end, size_t max_digits, int *ret) {
    const char *p = *at;
    int value = 0;
    while (p < end && (size_t) (p - *at) < max_digits && isdigit((unsigned char) *p))
        value = value * 10 + (*p++ - '0');
    bool any = p > *at;
    *at = p;
    *ret = value;
    return any;
}

static bool mark(const char **at, const char *end, char c) {
    bool is = *at < end && **at == c;
    *at += is;
    return is;
}

static bool mark_text(const char **at, const char *end, const char *text) {
    size_t n = strlen(text);
    bool is = (size_t) (end - *at) >= n && memcmp(*at, text, n) == 0;
    *at += is ? n : 0;
    return is;
}

// "02时28分29秒", "02時28分29秒": how sysstat prints a time in Chinese and Japanese.
static bool spelled_time(const char **at, const char *end, int *minute, int *second) {
    return (mark_text(at, end, "时") || mark_text(at, end, "時")) && digits(at, end, 2, minute) &&
           mark_text(at, end, "分") && digits(at, end, 2, second) && mark_text(at, end, "秒");
}

// "21:34:15", "9:34", "21:34:15.250" or "21:34:15,250". What stands behind it is left at `at`.
static bool time_of_day(const char **at, const char *end, int64_t *ret_ms) {
    int hour, minute, second = 0;
    double fraction = 0, unit = 1000;
    if (!digits(at, end, 2, &hour))
        return false;
    bool plain = mark(at, end, ':');
    if (plain ? !digits(at, end, 2, &minute) : !spelled_time(at, end, &minute, &second))
        return false;
    if (plain && mark(at, end, ':') && !digits(at, end, 2, &second))
        return false;
    if (*at + 1 < end && (**at == '.' || **at == ',') && isdigit((unsigned char) (*at)[1]))
        for (++*at; *at < end && isdigit((unsigned char) **at); ++*at)
            fraction += (**at - '0') * (unit /= 10);
    if (hour > 24 || minute > 59 || second > 60)
        return false;
    *ret_ms = ((hour * 60 + minute) * 60 + second) * INT64_C(1000) + (int64_t) fraction;
    return true;
}

static bool is_word(const struct word *word, const char *text) {
    return word->length == strlen(text) && strncasecmp(word->text, text, word->length) == 0;
}

// 12-hour clocks: 12 AM is midnight.
static bool half_day(const struct word *word, int64_t *ms) {
    bool after = is_word(word, "PM") || is_word(word, "p.m.");
    if (!after && !is_word(word, "AM") && !is_word(word, "a.m."))
        return false;
    int64_t half = CLOCK_DAY_MS / 2;
    *ms = *ms % half + (after ? half : 0);
    return true;
}

size_t clock_time(const struct word *words, size_t n, int64_t *ret_ms) {
    if (n == 0)
        return 0;
    const char *at = words[0].text, *end = at + words[0].length;
    if (!time_of_day(&at, end, ret_ms) || at < end)
        return 0;
    return n > 1 && half_day(&words[1], ret_ms) ? 2 : 1;
}

static bool to_ms(int year, int month, int day, int64_t *ret_ms) {
    if (year < 100)
        year += 2000;
    if (year < 1990 || year > 2200 || month < 1 || month > 12 || day < 1 || day > 31)
        return false;
    struct tm tm = { .tm_year = year - 1900, .tm_mon = month - 1, .tm_mday = day };
    *ret_ms = (int64_t) timegm(&tm) * 1000;
    return true;
}

static bool skip_blanks(const char **at, const char *end) {
    while (*at < end && **at == ' ')
        ++*at;
    return *at < end;
}

// Behind the year of "2026年12月01日", or "2026年 12月  1日" of date.
static bool spelled_date(const char **at, const char *end, int year, int64_t *ret_ms) {
    int month, day;
    const char *p = *at;
    bool is = mark_text(&p, end, "年") && skip_blanks(&p, end) && digits(&p, end, 2, &month) &&
              mark_text(&p, end, "月") && skip_blanks(&p, end) && digits(&p, end, 2, &day) &&
              mark_text(&p, end, "日") && to_ms(year, month, day, ret_ms);
    *at = is ? p : *at;
    return is;
}

// What stands behind the date is left at `at`.
static bool date_at(const char **at, const char *end, bool day_first, int64_t *ret_ms) {
    int a, b, c;
    const char *begin = *at;
    if (!digits(at, end, 4, &a) || *at == end)
        return false;
    if (spelled_date(at, end, a, ret_ms))
        return true;
    if (!strchr("-./", **at))
        return false;
    size_t n = (size_t) (*at - begin);
    char separator = *(*at)++;
    if (!digits(at, end, 2, &b) || !mark(at, end, separator) || !digits(at, end, 4, &c))
        return false;
    if (n == 4)
        return to_ms(a, b, c, ret_ms);
    if (separator == '/' && a <= 12 && !day_first)
        return to_ms(c, a, b, ret_ms);
    return to_ms(c, b, a, ret_ms);
}

bool clock_date(const struct word *word, int64_t *ret_ms) {
    const char *at = word->text, *end = at + word->length;
    return date_at(&at, end, false, ret_ms) && at == end;
}

bool clock_date_day_first(const struct word *word, int64_t *ret_ms) {
    const char *at = word->text, *end = at + word->length;
    return date_at(&at, end, true, ret_ms) && at == end;
}

// By their first letters, in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish,
// Czech, Polish. Not "lis" and "lip" of Polish, which are other months in Croatian.
int clock_month(const struct word *word) {
    static const char *const names[] = { "jan 1", "ene 1", "gen 1", "feb 2", "f\303\251v 2",
        "fev 2", "mar 3", "m\303\244r 3", "mrt 3", "mrz 3", "apr 4", "avr 4", "abr 4", "may 5",
        "mai 5", "maj 5", "mag 5", "mei 5", "jun 6", "juin 6", "giu 6", "jul 7", "juil 7", "lug 7",
        "aug 8", "ao\303\273 8", "ago 8", "sep 9", "set 9", "oct 10", "okt 10", "ott 10", "out 10",
        "nov 11", "dec 12", "dez 12", "d\303\251c 12", "dic 12", "ledna 1", "února 2", "března 3",
        "dubna 4", "května 5", "června 6", "července 7", "srpna 8", "září 9", "října 10",
        "listopadu 11", "prosince 12", "sty 1", "lut 2", "kwi 4", "cze 6", "sie 8", "wrz 9",
        "paź 10", "gru 12" };
    if (word->length == 0 || isdigit((unsigned char) word->text[0]))
        return 0;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *number = strchr(names[i], ' ');
        size_t length = (size_t) (number - names[i]);
        if (word->length >= length && strncasecmp(word->text, names[i], length) == 0)
            return number[2] ? (number[1] - '0') * 10 + number[2] - '0' : number[1] - '0';
    }
    return 0;
}

// "Z", "+0100", "+01:00", "UTC". Distances of other names are not known. False: not a zone.
static bool zone_at(const char *at, const char *end, int64_t *ret_ms) {
    int hour, minute = 0;
    *ret_ms = 0;
    size_t n = (size_t) (end - at);
    if (n == 0 ||
            (n >= 3 && n <= 5 && isupper((unsigned char) at[0]) && isupper((unsigned char) at[1]) &&
                    isupper((unsigned char) at[n - 1])) ||
            (n == 1 && *at == 'Z'))
        return true;
    int sign = *at == '-' ? -1 : 1;
    if ((*at != '+' && *at != '-') || (++at, !digits(&at, end, 2, &hour)))
        return false;
    mark(&at, end, ':');
    digits(&at, end, 2, &minute);
    *ret_ms = sign * (hour * 60 + minute) * INT64_C(60000);
    return at == end;
}

static bool whole_number(const struct word *word, size_t n_max, int *ret) {
    const char *at = word->text, *end = at + word->length;
    if (!digits(&at, end, n_max, ret))
        return false;
    mark(&at, end, '.');
    mark(&at, end, ',');
    return at == end;
}

// "2026年 12月  1日 火曜日 02:28:33 CET", "2026年12月01日 星期二 02时28分33秒".
static size_t spelled_stamp(const struct word *words, size_t n, int64_t *ret_ms) {
    size_t parts = n >= 4 && words[0].length == strlen("2026年") ? 3 : 1;
    const char *at = words[0].text, *end = words[parts - 1].text + words[parts - 1].length;
    int64_t day, time, zone = 0;
    if (n <= parts || !date_at(&at, end, false, &day) || at < end)
        return 0;
    size_t i = parts;
    if (i + 1 < n && !isdigit((unsigned char) words[i].text[0])) // the weekday
        i++;
    at = words[i].text;
    end = at + words[i].length;
    i++;
    if (!time_of_day(&at, end, &time) || at < end)
        return 0;
    if (i < n && zone_at(words[i].text, words[i].text + words[i].length, &zone))
        i++;
    *ret_ms = day + time - zone;
    return i;
}

// "2026-11-30T21:34:15+01:00", or date and time as two words, with a zone behind them.
static size_t iso_stamp(const struct word *words, size_t n, int64_t *ret_ms) {
    const char *at = words[0].text, *end = at + words[0].length;
    int64_t day, time, zone = 0;
    if (!date_at(&at, end, false, &day))
        return 0;
    if (at < end && (*at == 'T' || *at == ' ' || *at == '_')) {
        at++;
        if (!time_of_day(&at, end, &time) || !zone_at(at, end, &zone))
            return 0;
        *ret_ms = day + time - zone;
        return 1;
    }
    if (at < end || n < 2)
        return 0;
    at = words[1].text;
    end = at + words[1].length;
    if (!time_of_day(&at, end, &time) || !zone_at(at, end, &zone))
        return 0;
    size_t taken = n > 2 && half_day(&words[2], &time) ? 3 : 2;
    if (n > taken && zone_at(words[taken].text, words[taken].text + words[taken].length, &zone))
        taken++;
    *ret_ms = day + time - zone;
    return taken;
}

// "mar." is a Tuesday where a month follows: "mar. 01 déc. 2026".
static bool is_weekday(const struct word *words, size_t n) {
    bool month = n > 2 && (clock_month(&words[1]) > 0 || clock_month(&words[2]) > 0);
    return !isdigit((unsigned char) words[0].text[0]) && words[0].length >= 2 &&
           words[0].length <= 12 && (month || clock_month(&words[0]) == 0);
}

// "Mon Nov 30 21:34:15 UTC 2026", "Mo 30. Nov 21:34:15 CET 2026", "lun. 30 nov. 2026 21:34:15 UTC",
// "Mon, 30 Nov 2026 21:34:15 +0000", "Mon 30 Nov 2026 09:34:15 PM UTC": the parts in any order.
static size_t spoken_stamp(const struct word *words, size_t n, int64_t *ret_ms) {
    int month = 0, day = 0, year = 0, number;
    int64_t date, time = -1, zone = 0;
    size_t i = 0;
    if (n > 0 && is_weekday(words, n))
        i++;
    for (; i < n && !(month && day && year && time >= 0); i++) {
        const char *at = words[i].text, *end = at + words[i].length;
        if (month == 0 && clock_month(&words[i]) > 0)
            month = clock_month(&words[i]);
        else if (time < 0 && time_of_day(&at, end, &time) && at == end)
            i += i + 1 < n && half_day(&words[i + 1], &time);
        else if (day == 0 && whole_number(&words[i], 2, &number))
            day = number;
        else if (year == 0 && whole_number(&words[i], 4, &number) && number > 1990)
            year = number;
        else if (time < 0 || !zone_at(words[i].text, end, &zone))
            return 0;
    }
    if (time < 0 || !to_ms(year ? year : 2000, month, day, &date))
        return 0;
    if (year == 0) // in the leap year that stands for one that is not known
        date -= (DAYS_BEFORE_2000 - LINE_YEARLESS_DAYS) * CLOCK_DAY_MS;
    if (i < n && zone_at(words[i].text, words[i].text + words[i].length, &zone))
        i++;
    *ret_ms = date + time - zone;
    return i;
}

size_t clock_stamp(const struct word *words, size_t n, int64_t *ret_ms) {
    size_t taken = n > 0 ? iso_stamp(words, n, ret_ms) : 0;
    if (taken == 0 && n > 0)
        taken = spelled_stamp(words, n, ret_ms);
    return taken > 0 ? taken : spoken_stamp(words, n, ret_ms);
}
