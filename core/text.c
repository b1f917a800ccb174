// SPDX-License-Identifier: GPL-2.0-or-later
// Safe text
#include "core/text.h"

#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

// Length of the UTF-8 sequence at p and its code point; 0 where it is invalid (overlong, surrogate, cut, too big).
static size_t utf8_next(const unsigned char *p, uint32_t *ret_code) {
    static const uint32_t smallest[] = { 0, 0, 0x80, 0x800, 0x10000 };
    size_t n = p[0] < 0x80 ? 1 : p[0] < 0xc2 ? 0 : p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : p[0] < 0xf5 ? 4 : 0;
    if (n == 0)
        return 0;
    uint32_t code = n == 1 ? p[0] : p[0] & (0xffu >> (n + 1));
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3f);
    }
    if (code < smallest[n] || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff))
        return 0;
    *ret_code = code;
    return n;
}

// Code points that steer a terminal or reorder what is read: C0, DEL, C1, bidirectional marks, embeddings, overrides
// and isolates, line and paragraph separator, tags.
static bool is_unsafe(uint32_t code) {
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        { 0x00, 0x1f },     { 0x7f, 0x9f },     { 0x61c, 0x61c },     { 0x200e, 0x200f },
        { 0x2028, 0x202e }, { 0x2066, 0x2069 }, { 0xfff9, 0xfffb }, { 0xe0000, 0xe007f },
    };
    for (size_t i = 0; i < sizeof(ranges) / sizeof(ranges[0]); i++)
        if (code >= ranges[i].first && code <= ranges[i].last)
            return true;
    return false;
}

void text_put(FILE *out, const char *text) {
    for (const unsigned char *p = (const unsigned char *) text; *p;) {
        uint32_t code = 0;
        size_t n = utf8_next(p, &code);
        if (n > 0 && !is_unsafe(code)) {
            fwrite(p, 1, n, out);
            p += n;
            continue;
        }
        for (size_t i = 0; i < (n ? n : 1); i++)
            fprintf(out, "\\x%02x", p[i]);
        p += n ? n : 1;
    }
}

bool text_is_utf8(const char *text, size_t length) {
    for (const unsigned char *p = (const unsigned char *) text, *end = p + length; p < end;) {
        uint32_t code;
        size_t n = utf8_next(p, &code);
        if (n == 0)
            return false;
        p += n;
    }
    return true;
}

char *text_utf8(const char *text) {
    char *copy = malloc(3 * strlen(text) + 1); // U+FFFD is three bytes
    if (!copy)
        return NULL;
    char *to = copy;
    for (const unsigned char *p = (const unsigned char *) text; *p;) {
        uint32_t code;
        size_t n = utf8_next(p, &code);
        memcpy(to, n ? (const char *) p : "\xef\xbf\xbd", n ? n : 3);
        to += n ? n : 3;
        p += n ? n : 1;
    }
    *to = '\0';
    return copy;
}

bool text_to_number(const char *text, double *ret) {
    if (*text == '\0' || text[strspn(text, "0123456789+-.eE")] != '\0')
        return false;
    locale_t plain = newlocale(LC_NUMERIC_MASK, "C", (locale_t) 0);
    if (!plain)
        return false;
    char *end;
    double value = strtod_l(text, &end, plain);
    freelocale(plain);
    if (*end != '\0' || !isfinite(value))
        return false;
    *ret = value;
    return true;
}

// printf("%'d") and "%f" follow the locale; these digits do not.
static void put_grouped(FILE *out, uint64_t n) {
    if (n < 1000) {
        fprintf(out, "%u", (unsigned) n);
        return;
    }
    put_grouped(out, n / 1000);
    fprintf(out, ",%03u", (unsigned) (n % 1000));
}

void text_put_count(FILE *out, int64_t n) {
    if (n == INT64_MIN) { // CELL_NULL
        fputs("unknown", out);
        return;
    }
    if (n < 0)
        fputc('-', out);
    put_grouped(out, (uint64_t) (n < 0 ? -n : n));
}

static void put_fraction(FILE *out, uint64_t fraction, int digits) {
    for (; digits > 0 && fraction % 10 == 0; digits--)
        fraction /= 10;
    if (digits > 0)
        fprintf(out, ".%0*llu", digits, (unsigned long long) fraction);
}

// `digits` significant ones; no fewer than the whole number has.
static void put_significant(FILE *out, double value, int digits) {
    double size = fabs(value);
    if (!isfinite(value) || size >= 1e15) {
        if (isfinite(value))
            fprintf(out, "%.0f", value);
        else
            fputc('?', out);
        return;
    }
    int decimals = size > 0 ? digits - 1 - (int) floor(log10(size)) : 0;
    decimals = decimals < 0 ? 0 : decimals > 9 ? 9 : decimals;
    uint64_t scale = 1;
    for (int i = 0; i < decimals; i++)
        scale *= 10;
    uint64_t scaled = (uint64_t) llround(size * (double) scale);
    if (value < 0 && scaled > 0)
        fputc('-', out);
    put_grouped(out, scaled / scale);
    put_fraction(out, scaled % scale, decimals);
}

void text_put_number(FILE *out, double value) {
    put_significant(out, value, 3);
}

void text_put_rate(FILE *out, double per_second) {
    double size = fabs(per_second);
    if (size >= 1000 && size < 1e15) { // a rate is never that exact
        double unit = pow(10, floor(log10(size)) - 2);
        per_second = round(per_second / unit) * unit;
    }
    put_significant(out, per_second, 3);
    fputs("/s", out);
}

void text_put_bytes(FILE *out, int64_t bytes) {
    static const char *const units[] = { "B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB" };
    double value = (double) bytes;
    size_t i = 0;
    for (; fabs(value) >= 1024 && i + 1 < sizeof(units) / sizeof(units[0]); i++)
        value /= 1024;
    put_significant(out, value, 3);
    fprintf(out, " %s", units[i]);
}

void text_put_duration(FILE *out, double seconds) {
    static const struct {
        double from, unit;
        const char *name;
        int digits;
    } scale[] = {
        { 2 * 86400.0, 86400, "d", 2 }, { 2 * 3600.0, 3600, "h", 2 }, { 120, 60, "min", 2 },
        { 1, 1, "s", 2 },               { 1e-3, 1e-3, "ms", 2 },    { 0, 1e-6, "us", 2 },
    };
    size_t i = 0;
    while (fabs(seconds) < scale[i].from)
        i++;
    if (seconds == 0)
        fputs("0 s", out);
    else {
        put_significant(out, seconds / scale[i].unit, scale[i].digits);
        fprintf(out, " %s", scale[i].name);
    }
}

// 99.96 % is not 100 %: near the ends a digit more.
void text_put_share(FILE *out, double ratio) {
    double percent = ratio * 100;
    put_significant(out, percent, percent > 99 && percent < 100 ? 4 : 2);
    fputs(" %", out);
}

static void put_plain_bytes(FILE *out, double value) {
    text_put_bytes(out, fabs(value) < 9e18 ? (int64_t) value : value < 0 ? INT64_MIN : INT64_MAX);
}
static void put_byte_rate(FILE *out, double value) {
    put_plain_bytes(out, value);
    fputs("/s", out);
}
static void put_percent(FILE *out, double value) {
    text_put_share(out, value / 100);
}
static void put_ms(FILE *out, double value) {
    text_put_duration(out, value / 1e3);
}
static void put_us(FILE *out, double value) {
    text_put_duration(out, value / 1e6);
}
static void put_ns(FILE *out, double value) {
    text_put_duration(out, value / 1e9);
}

void text_put_unit(FILE *out, double value, const char *unit) {
    static const struct {
        const char *unit;
        void (*put)(FILE *out, double value);
    } units[] = {
        { "bytes", put_plain_bytes }, { "ratio", text_put_share }, { "percent", put_percent },
        { "s", text_put_duration },   { "ms", put_ms },            { "us", put_us },
        { "ns", put_ns },             { "", text_put_number },     { "bytes/s", put_byte_rate },
    };
    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
        if (strcmp(unit, units[i].unit) == 0) {
            units[i].put(out, value);
            return;
        }
    size_t length = strlen(unit);
    if (length >= 2 && strcmp(unit + length - 2, "/s") == 0)
        text_put_rate(out, value);
    else {
        text_put_number(out, value);
        fputc(' ', out);
        text_put(out, unit);
    }
}

static int columns_of(const char *word, size_t length) {
    int columns = 0;
    for (size_t i = 0; i < length; i++)
        columns += (word[i] & 0xc0) != 0x80;
    return columns;
}

// A word, and the " %" behind a number with it: they are not to be torn apart.
static size_t word_length(const char *word) {
    size_t length = strcspn(word, " ");
    bool has_share = strncmp(word + length, " %", 2) == 0;
    return has_share ? length + 2 + strcspn(word + length + 2, " ") : length;
}

void text_wrap(FILE *out, const char *text, int indent, int width) {
    _cleanup_free_ char *safe = NULL;
    size_t size;
    FILE *memory = open_memstream(&safe, &size);
    if (!memory)
        return;
    text_put(memory, text);
    if (fclose(memory) != 0)
        return;
    int at = indent;
    for (const char *word = safe; *word;) {
        size_t length = word_length(word);
        int columns = columns_of(word, length);
        if (at > indent && at + 1 + columns > width) {
            fprintf(out, "\n%*s", indent, "");
            at = indent;
        } else if (word != safe)
            at += fputc(' ', out) == ' ';
        fwrite(word, 1, length, out);
        at += columns;
        word += length + (word[length] == ' ');
    }
    fputc('\n', out);
}
