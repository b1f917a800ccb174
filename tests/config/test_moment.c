// SPDX-License-Identifier: GPL-2.0-or-later
// Moments in time
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "core/moment.h"
#include "tests/suite.h"

// 2026-11-30 03:12:45.678 UTC, a Monday; in Berlin 04:12:45.
#define NOW_MS INT64_C(1796008365678)

static void set_zone(const char *zone) {
    setenv("TZ", zone, 1);
    tzset();
}

// The moment in UTC, as "2026-11-30 03:12:45.678", or "-" where it is not understood.
static const char *parsed(const char *text, char *buffer, size_t size) {
    int64_t ms = INT64_MIN;
    int r = moment_parse(text, NOW_MS, &ms);
    if (r < 0) {
        ck_assert_msg(ms == INT64_MIN, "\"%s\" wrote a result although it failed", text);
        return r == -EINVAL ? "-" : "?";
    }
    time_t seconds = (time_t) (ms / 1000);
    struct tm tm;
    gmtime_r(&seconds, &tm);
    size_t n = strftime(buffer, size, "%Y-%m-%d %H:%M:%S", &tm);
    if (ms % 1000)
        snprintf(buffer + n, size - n, ".%03d", (int) (ms % 1000));
    return buffer;
}

struct stamp {
    const char *text, *utc;
};

static void check_stamps(const struct stamp *stamps, size_t n) {
    for (size_t i = 0; i < n; i++) {
        char buffer[64];
        const char *got = parsed(stamps[i].text, buffer, sizeof(buffer));
        ck_assert_msg(strcmp(got, stamps[i].utc) == 0, "\"%s\" gives %s, not %s", stamps[i].text,
                got, stamps[i].utc);
    }
}
#define CHECK_STAMPS(stamps) check_stamps(stamps, sizeof(stamps) / sizeof((stamps)[0]))

START_TEST(relative) {
    static const struct stamp stamps[] = {
        { "now", "2026-11-30 03:12:45.678" },
        { " Now ", "2026-11-30 03:12:45.678" },
        { "-5min", "2026-11-30 03:07:45.678" },
        { "+5min", "2026-11-30 03:17:45.678" },
        { "- 5 min", "2026-11-30 03:07:45.678" },
        { "-1h 30min", "2026-11-30 01:42:45.678" },
        { "10min ago", "2026-11-30 03:02:45.678" },
        { "1 day 2 hours ago", "2026-11-29 01:12:45.678" },
        { "2 weeks AGO", "2026-11-16 03:12:45.678" },
        { "1.5h ago", "2026-11-30 01:42:45.678" },
        { "10min left", "2026-11-30 03:22:45.678" },
        { "-45", "2026-11-30 03:12:00.678" },
        { "-500ms", "2026-11-30 03:12:45.178" },
        { "@1764471123", "2025-11-30 02:52:03" },
        { "@1764471123.25", "2025-11-30 02:52:03.250" },
        { "@0", "1970-01-01 00:00:00" },
    };
    CHECK_STAMPS(stamps);
}
END_TEST

START_TEST(calendar_utc) {
    static const struct stamp stamps[] = {
        { "2026-11-30 03:12:45", "2026-11-30 03:12:45" },
        { "2026-11-30 03:12:45.25", "2026-11-30 03:12:45.250" },
        { "2026-11-30 03:12:45.123456", "2026-11-30 03:12:45.123" },
        { "2026-11-30 03:12", "2026-11-30 03:12:00" },
        { "2026-11-30", "2026-11-30 00:00:00" },
        { "26-11-30 03:12", "2026-11-30 03:12:00" },
        { "70-01-02", "1970-01-02 00:00:00" },
        { "03:12:45", "2026-11-30 03:12:45" },
        { "3:12", "2026-11-30 03:12:00" },
        { "23:00", "2026-11-30 23:00:00" },
        { "today", "2026-11-30 00:00:00" },
        { "yesterday", "2026-11-29 00:00:00" },
        { "tomorrow", "2026-12-01 00:00:00" },
        { "yesterday 14:05", "2026-11-29 14:05:00" },
        { "Mon 2026-11-30 03:12", "2026-11-30 03:12:00" },
        { "monday, 2026-11-30", "2026-11-30 00:00:00" },
        { "Sun yesterday", "2026-11-29 00:00:00" },
        { "Mon 03:12", "2026-11-30 03:12:00" },
        { "2024-02-29", "2024-02-29 00:00:00" },
        { "2026-11-30T03:12:45Z", "2026-11-30 03:12:45" },
        { "2026-11-30T03:12:45", "2026-11-30 03:12:45" },
        { "2026-11-30T03:12Z", "2026-11-30 03:12:00" },
        { "2026-11-30T03:12:45.5+01:00", "2026-11-30 02:12:45.500" },
        { "2026-11-30T03:12:45-0130", "2026-11-30 04:42:45" },
        { "2026-11-30 03:12:45+02", "2026-11-30 01:12:45" },
        { "2026-11-30 03:12:45 UTC", "2026-11-30 03:12:45" },
        { "2026-11-30 03:12:45 +05:30", "2026-11-29 21:42:45" },
        { "2026-11-30 UTC", "2026-11-30 00:00:00" },
        { "23:30 -06:00", "2026-11-30 05:30:00" }, // there it is still the 29th
        { "today +14:00", "2026-11-29 10:00:00" },
    };
    set_zone("UTC");
    CHECK_STAMPS(stamps);
}
END_TEST

START_TEST(calendar_local) {
    static const struct stamp stamps[] = {
        { "2026-11-30 03:12:45", "2026-11-30 02:12:45" },
        { "2026-07-01 12:00", "2026-07-01 10:00:00" }, // summer time
        { "2026-07-01T12:00:00Z", "2026-07-01 12:00:00" },
        { "00:30", "2026-11-29 23:30:00" },
        { "today", "2026-11-29 23:00:00" },
        { "2026-10-25 02:30 CEST", "2026-10-25 00:30:00" }, // the hour that comes twice
        { "2026-10-25 02:30 CET", "2026-10-25 01:30:00" },
        { "yesterday UTC", "2026-11-29 00:00:00" },
        { "2026-11-30 03:12 America/New_York", "2026-11-30 08:12:00" },
        { "Mon 2026-11-30 23:12 America/New_York", "2026-12-01 04:12:00" },
        { "today Asia/Tokyo", "2026-11-29 15:00:00" },
    };
    set_zone("Europe/Berlin");
    CHECK_STAMPS(stamps);
}
END_TEST

START_TEST(refused) {
    static const char *const stamps[] = {
        "",
        " ",
        "soon",
        "ago",
        "5min",
        "5 parsecs ago",
        "-",
        "+",
        "@",
        "@12x",
        "@-5",
        "--5min",
        "2026-13-01",
        "2026-00-10",
        "2026-02-29",
        "2026-11-31",
        "2026-11-00",
        "2026-11",
        "2026-11-30T",
        "2026-11-30 25:00",
        "2026-11-30 03:60",
        "2026-11-30 03:12:61",
        "2026-11-30 3",
        "03",
        "03:1",
        "03:12:",
        "03:12:45.",
        "2026-11-3003:12",
        "Tue 2026-11-30",
        "Mon",
        "Mon tuesday",
        "2026-11-30 03:12 Mars/Olympus",
        "2026-11-30 03:12 ../../etc/passwd",
        "2026-11-30 03:12 /etc/passwd",
        "2026-11-30 03:12+1",
        "2026-11-30 03:12 +25:00",
        "2026-11-30T03:12:45Zulu",
        "today tomorrow",
        "now 03:12",
        "99999999999999999999 days ago",
        "-300000000y",
        "@99999999999999999999",
        "1960-01-01",
        "2026-11-30 03:12 UTC UTC",
        "2026-11-30 03:12:45,5",
    };
    set_zone("UTC");
    for (size_t i = 0; i < sizeof(stamps) / sizeof(stamps[0]); i++) {
        char buffer[64];
        const char *got = parsed(stamps[i], buffer, sizeof(buffer));
        ck_assert_msg(strcmp(got, "-") == 0, "\"%s\" gives %s", stamps[i], got);
    }
}
END_TEST

START_TEST(spans) {
    static const struct {
        const char *text;
        int64_t ms;
    } good[] = {
        { "45", 45000 },
        { "500ms", 500 },
        { "1s", 1000 },
        { "10min", 600000 },
        { "10 min", 600000 },
        { "1h 30min", 5400000 },
        { "1h30min", 5400000 },
        { "2 hours 3", 7203000 },
        { "1.5s", 1500 },
        { "0.25 min", 15000 },
        { "1d", 86400000 },
        { "1w", 604800000 },
        { "1M", 2629800000 },
        { "1m", 60000 },
        { "1y", 31557600000 },
        { "1.5y", 47336400000 },
        { "1500us", 2 },
        { "1400\xc2\xb5s", 1 },
        { " 5 ", 5000 },
        { "0", 0 },
        { "2usec", 0 },
    };
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        int64_t ms = -1;
        ck_assert_msg(moment_parse_span(good[i].text, &ms) == 0, "\"%s\"", good[i].text);
        ck_assert_msg(ms == good[i].ms, "\"%s\" gives %jd", good[i].text, (intmax_t) ms);
    }
    static const char *const bad[] = { "", " ", "ms", "-5s", "5q", "5 Min", "1.s", ".5s", "1,5s",
        "9999999999999999999", "9223372036854775807s", "5s;", "infinity" };
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        int64_t ms = -1;
        ck_assert_msg(moment_parse_span(bad[i], &ms) == -EINVAL && ms == -1, "\"%s\"", bad[i]);
    }
}
END_TEST

START_TEST(formats) {
    char buffer[MOMENT_SIZE];
    set_zone("UTC");
    ck_assert_str_eq(moment_format(NOW_MS, buffer), "2026-11-30T03:12:45.678+00:00");
    set_zone("Europe/Berlin");
    ck_assert_str_eq(moment_format(NOW_MS - 678, buffer), "2026-11-30T04:12:45+01:00");
    set_zone("America/St_Johns");
    ck_assert_str_eq(moment_format(NOW_MS - 678, buffer), "2026-11-29T23:42:45-03:30");
    set_zone("UTC");
    ck_assert_str_eq(moment_format_short(NOW_MS - 60000, NOW_MS, buffer), "03:11:45");
    ck_assert_str_eq(moment_format_short(NOW_MS - 86400000, NOW_MS, buffer), "2026-11-29 03:12:45");
}
END_TEST

// What is printed is understood again.
START_TEST(round_trip) {
    static const char *const zones[] = { "UTC", "Europe/Berlin", "America/St_Johns",
        "Asia/Kolkata" };
    for (size_t i = 0; i < 4; i++)
        for (int64_t ms = NOW_MS; ms < NOW_MS + INT64_C(31557600000); ms += 86400000 / 7 * 3 + 1) {
            char buffer[MOMENT_SIZE];
            int64_t again = 0;
            set_zone(zones[i]);
            ck_assert_int_eq(moment_parse(moment_format(ms, buffer), NOW_MS, &again), 0);
            ck_assert_int_eq(again, ms);
        }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("moment");
    TCase *plain = tcase_create("moment");
    tcase_add_test(plain, relative);
    tcase_add_test(plain, calendar_utc);
    tcase_add_test(plain, calendar_local);
    tcase_add_test(plain, refused);
    tcase_add_test(plain, spans);
    tcase_add_test(plain, formats);
    tcase_add_test(plain, round_trip);
    suite_add_tcase(suite, plain);
    return suite_main(suite);
}
