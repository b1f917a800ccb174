// SPDX-License-Identifier: GPL-2.0-or-later
// Safe text
#include "core/text.h"

#include <locale.h>
#include <math.h>
#include <string.h>

#include "core/cleanup.h"
#include "tests/suite.h"

static char *escaped(const char *text) {
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    text_put(out, text);
    fclose(out);
    return result;
}

static const struct {
    const char *text, *safe;
} texts[] = {
    { "rsyslogd", "rsyslogd" },
    { "", "" },
    { "a b\\c", "a b\\c" },
    { "\x1b[2J\x07", "\\x1b[2J\\x07" },
    { "a\nb\tc\r", "a\\x0ab\\x09c\\x0d" },
    { "\x7f", "\\x7f" },
    { "\xc2\x9b"
      "31m",
            "\\xc2\\x9b31m" }, // C1: CSI
    { "\x9b"
      "31m",
            "\\x9b31m" }, // the same byte alone
    { "Stra\xc3\x9f"
      "e \xe2\x82\xac \xf0\x9f\x90\xa7",
            "Stra\xc3\x9f"
            "e \xe2\x82\xac \xf0\x9f\x90\xa7" },
    { "\xe2\x80\xae"
      "cod",
            "\\xe2\\x80\\xaecod" },                                     // U+202E
    { "\xe2\x81\xa6x\xe2\x81\xa9", "\\xe2\\x81\\xa6x\\xe2\\x81\\xa9" }, // U+2066, U+2069
    { "\xe2\x80\xa8", "\\xe2\\x80\\xa8" },                              // U+2028
    { "\xe2\x80\x93", "\xe2\x80\x93" },                                 // U+2013 is harmless
    { "\xc0\xaf", "\\xc0\\xaf" },                                       // overlong
    { "\xe0\x80\xaf", "\\xe0\\x80\\xaf" },
    { "\xed\xa0\x80", "\\xed\\xa0\\x80" },          // surrogate
    { "\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80" }, // beyond U+10FFFF
    { "\xe2\x82", "\\xe2\\x82" },                   // cut
    { "caf\xe9!", "caf\\xe9!" },
};

START_TEST(lets_nothing_steer_the_terminal) {
    _cleanup_free_ char *safe = escaped(texts[_i].text);
    ck_assert_str_eq(safe, texts[_i].safe);
    _cleanup_free_ char *twice = escaped(safe);
    ck_assert_str_eq(twice, safe); // what is safe stays as it is
}
END_TEST

// Whatever bytes come in, what goes out is valid UTF-8 without control characters.
START_TEST(is_safe_for_all_bytes) {
    unsigned seed = 1;
    for (int i = 0; i < 20000; i++) {
        char text[9] = { 0 };
        for (int j = 0; j < 8; j++) {
            seed = seed * 1664525 + 1013904223;
            text[j] = (char) (seed >> 24);
        }
        _cleanup_free_ char *safe = escaped(text), *valid = text_utf8(text);
        ck_assert(text_is_utf8(safe, strlen(safe)));
        ck_assert(text_is_utf8(valid, strlen(valid)));
        for (const char *p = safe; *p; p++)
            ck_assert((unsigned char) *p >= 0x20 && *p != 0x7f);
    }
}
END_TEST

START_TEST(makes_valid_utf8) {
    _cleanup_free_ char *a = text_utf8("caf\xe9 \xf0\x9f"), *b = text_utf8("\xc3\x9f");
    ck_assert_str_eq(a, "caf\xef\xbf\xbd \xef\xbf\xbd\xef\xbf\xbd");
    ck_assert_str_eq(b, "\xc3\x9f");
}
END_TEST

static const struct {
    double value;
    const char *unit, *text;
} units[] = {
    { 212992, "bytes", "208 KiB" },
    { 0, "bytes", "0 B" },
    { 512, "bytes", "512 B" },
    { 1610612736, "bytes", "1.5 GiB" },
    { 4194304, "bytes", "4 MiB" },
    { 1e30, "bytes", "8 EiB" },
    { 0.41, "ratio", "41 %" },
    { 0.0141, "ratio", "1.4 %" },
    { 0, "ratio", "0 %" },
    { 1, "ratio", "100 %" },
    { 0.9996, "ratio", "99.96 %" },
    { 83.1, "percent", "83 %" },
    { 0.018, "s", "18 ms" },
    { 1.4, "s", "1.4 s" },
    { 90, "s", "90 s" },
    { 600, "s", "10 min" },
    { 10800, "s", "3 h" },
    { 259200, "s", "3 d" },
    { 0, "s", "0 s" },
    { 1500, "ms", "1.5 s" },
    { 250, "us", "250 us" },
    { 1234, "ns", "1.2 us" },
    { 9213.4, "datagrams/s", "9,210/s" },
    { 0.4, "/s", "0.4/s" },
    { 188743680, "bytes/s", "180 MiB/s" },
    { 12431, "datagrams", "12,431 datagrams" },
    { 12431, "", "12,431" },
    { 0.93, "", "0.93" },
    { 9.996, "", "10" },
    { -1234567, "", "-1,234,567" },
    { -0.0001, "", "-0.0001" },
    { 1e-12, "", "0" },
    { 999999999, "", "999,999,999" },
    { NAN, "", "?" },
    { INFINITY, "", "?" },
};

static char *in_unit(double value, const char *unit) {
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    text_put_unit(out, value, unit);
    fclose(out);
    return result;
}

START_TEST(writes_values_for_people) {
    _cleanup_free_ char *text = in_unit(units[_i].value, units[_i].unit);
    ck_assert_str_eq(text, units[_i].text);
    if (setlocale(LC_ALL, "de_DE.UTF-8") || setlocale(LC_ALL, "fr_FR.UTF-8")) {
        _cleanup_free_ char *abroad = in_unit(units[_i].value, units[_i].unit);
        ck_assert_str_eq(abroad, units[_i].text);
    }
}
END_TEST

START_TEST(writes_counts) {
    static const struct {
        int64_t n;
        const char *text;
    } counts[] = {
        { 0, "0" },
        { 999, "999" },
        { 1000, "1,000" },
        { 12431, "12,431" },
        { -5000, "-5,000" },
        { INT64_MAX, "9,223,372,036,854,775,807" },
        { INT64_MIN, "unknown" },
    };
    for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++) {
        char text[64] = "";
        FILE *out = fmemopen(text, sizeof(text), "w");
        text_put_count(out, counts[i].n);
        fclose(out);
        ck_assert_str_eq(text, counts[i].text);
    }
}
END_TEST

START_TEST(reads_numbers) {
    static const char *const wrong[] = { "", "x", "1x", "0x10", "inf", "nan", " 1", "1 ", "1,5",
        "--1", "1e999" };
    double value;
    ck_assert(text_to_number("0.93", &value) && value == 0.93);
    ck_assert(text_to_number("-12", &value) && value == -12);
    ck_assert(text_to_number("1e6", &value) && value == 1e6);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_msg(!text_to_number(wrong[i], &value), "%s", wrong[i]);
}
END_TEST

static char *wrapped(const char *text, int indent, int width) {
    char *result = NULL;
    size_t size;
    FILE *out = open_memstream(&result, &size);
    text_wrap(out, text, indent, width);
    fclose(out);
    return result;
}

START_TEST(wraps_at_blanks) {
    _cleanup_free_ char *a = wrapped("one two three four", 2, 10);
    ck_assert_str_eq(a, "one two\n  three\n  four\n");
    _cleanup_free_ char *b = wrapped("unbreakably-long word", 2, 10);
    ck_assert_str_eq(b, "unbreakably-long\n  word\n");
    _cleanup_free_ char *c = wrapped("", 2, 10);
    ck_assert_str_eq(c, "\n");
    _cleanup_free_ char *d = wrapped("\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6\xc3\xb6", 0, 7);
    ck_assert_str_eq(
            d, "\xc3\xa4\xc3\xa4\xc3\xa4 \xc3\xb6\xc3\xb6\xc3\xb6\n"); // columns, not bytes
    _cleanup_free_ char *e = wrapped("a\x1b[2J b", 0, 80);
    ck_assert_str_eq(e, "a\\x1b[2J b\n");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("text");
    TCase *tcase = tcase_create("text");
    tcase_add_loop_test(
            tcase, lets_nothing_steer_the_terminal, 0, sizeof(texts) / sizeof(texts[0]));
    tcase_add_loop_test(tcase, writes_values_for_people, 0, sizeof(units) / sizeof(units[0]));
    tcase_add_test(tcase, is_safe_for_all_bytes);
    tcase_add_test(tcase, makes_valid_utf8);
    tcase_add_test(tcase, writes_counts);
    tcase_add_test(tcase, reads_numbers);
    tcase_add_test(tcase, wraps_at_blanks);
    suite_add_tcase(suite, tcase);
    return suite_main(suite);
}
