// SPDX-License-Identifier: GPL-2.0-or-later
// Moments in time
#include "core/moment.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>

#include "core/calendar.h"

// Far enough from the limits of int64_t that sums of two cannot overflow: the end of the year 9999.
#define LATEST_MS INT64_C(253402300799999)

static int within_limits(int64_t ms, int64_t *ret_ms) {
    if (ms < 0 || ms > LATEST_MS)
        return -EINVAL;
    *ret_ms = ms;
    return 0;
}

// "@1764471123" or "@1764471123.25"
static int parse_epoch(const char *text, int64_t *ret_ms) {
    size_t n = strspn(text, "0123456789.");
    int64_t ms;
    if (n == 0 || text[n] != '\0' || moment_parse_span(text, &ms) < 0)
        return -EINVAL;
    return within_limits(ms, ret_ms);
}

static int parse_offset(const char *span, int sign, int64_t now_ms, int64_t *ret_ms) {
    int64_t ms;
    if (moment_parse_span(span, &ms) < 0 || ms > LATEST_MS)
        return -EINVAL;
    return within_limits(now_ms + sign * ms, ret_ms);
}

// "10min ago", "5 min left". 1: has no such ending.
static int parse_suffixed(const char *text, int64_t now_ms, int64_t *ret_ms) {
    static const struct {
        const char *word;
        int sign;
    } suffixes[] = { { " ago", -1 }, { " left", 1 } };
    size_t n = strlen(text);
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        size_t length = strlen(suffixes[i].word);
        char span[256];
        if (n <= length || n >= sizeof(span) ||
                strcasecmp(text + n - length, suffixes[i].word) != 0)
            continue;
        memcpy(span, text, n - length);
        span[n - length] = '\0';
        return parse_offset(span, suffixes[i].sign, now_ms, ret_ms);
    }
    return 1;
}

static int parse_trimmed(const char *text, int64_t now_ms, int64_t *ret_ms) {
    if (strcasecmp(text, "now") == 0)
        return within_limits(now_ms, ret_ms);
    if (*text == '@')
        return parse_epoch(text + 1, ret_ms);
    if (*text == '+' || *text == '-')
        return parse_offset(text + 1, *text == '+' ? 1 : -1, now_ms, ret_ms);
    int r = parse_suffixed(text, now_ms, ret_ms);
    if (r <= 0)
        return r;
    struct calendar calendar;
    int64_t ms;
    if (calendar_parse(text, &calendar) < 0 || calendar_resolve(&calendar, now_ms, &ms) < 0)
        return -EINVAL;
    return within_limits(ms, ret_ms);
}

int moment_parse(const char *text, int64_t now_ms, int64_t *ret_ms) {
    char trimmed[256];
    while (isspace((unsigned char) *text))
        text++;
    size_t n = strlen(text);
    while (n > 0 && isspace((unsigned char) text[n - 1]))
        n--;
    if (n == 0 || n >= sizeof(trimmed))
        return -EINVAL;
    memcpy(trimmed, text, n);
    trimmed[n] = '\0';
    return parse_trimmed(trimmed, now_ms, ret_ms);
}

static void break_down(int64_t ms, struct tm *tm, int *ret_ms) {
    time_t seconds = (time_t) (ms / 1000 - (ms % 1000 < 0));
    *ret_ms = (int) (ms - (int64_t) seconds * 1000);
    localtime_r(&seconds, tm);
}

char *moment_format(int64_t ms, char *buffer) {
    struct tm tm;
    int fraction;
    break_down(ms, &tm, &fraction);
    size_t n = strftime(buffer, MOMENT_SIZE, "%Y-%m-%dT%H:%M:%S", &tm);
    if (fraction)
        n += (size_t) snprintf(buffer + n, MOMENT_SIZE - n, ".%03d", fraction);
    long minutes = tm.tm_gmtoff / 60;
    snprintf(buffer + n, MOMENT_SIZE - n, "%c%02ld:%02ld", minutes < 0 ? '-' : '+',
            labs(minutes) / 60, labs(minutes) % 60);
    return buffer;
}

char *moment_format_short(int64_t ms, int64_t now_ms, char *buffer) {
    struct tm tm, today;
    int fraction;
    break_down(ms, &tm, &fraction);
    break_down(now_ms, &today, &fraction);
    bool same_day = tm.tm_year == today.tm_year && tm.tm_yday == today.tm_yday;
    strftime(buffer, MOMENT_SIZE, same_day ? "%H:%M:%S" : "%Y-%m-%d %H:%M:%S", &tm);
    return buffer;
}
