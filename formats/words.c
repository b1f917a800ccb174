// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted words
#include "formats/words.h"

#include <string.h>

#define DIGITS_MAX 24 // of 2^64 there are 20

// These are asked of every line by every format: plain loops are faster than the library on words
// of a few letters.
static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

size_t words_split(const char *text, struct word *ret, size_t n) {
    size_t found = 0;
    while (found < n) {
        while (is_blank(*text))
            text++;
        const char *begin = text;
        while (*text && !is_blank(*text))
            text++;
        if (text == begin)
            break;
        ret[found++] = (struct word){ begin, (size_t) (text - begin) };
    }
    return found;
}

// How many letters of the word agree; all of `text` must.
static bool agrees(const struct word *word, const char *text, size_t *ret_length) {
    size_t i = 0;
    while (text[i] && i < word->length && word->text[i] == text[i])
        i++;
    *ret_length = i;
    return text[i] == '\0';
}

bool word_is(const struct word *word, const char *text) {
    size_t length;
    return agrees(word, text, &length) && length == word->length;
}

bool word_begins(const struct word *word, const char *text) {
    size_t length;
    return agrees(word, text, &length);
}

// Without the stars of bold print.
static struct word bare(const struct word *word) {
    struct word inner = *word;
    while (inner.length > 1 && inner.text[0] == '*' && inner.text[inner.length - 1] == '*') {
        inner.text++;
        inner.length -= inner.length > 2 ? 2 : 1;
    }
    return inner;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Every separator has three digits behind it, and at most three stand before the first.
static bool separators_fit(const struct word *word, char separator) {
    const char *end = word->text + word->length;
    const char *first = memchr(word->text, separator, word->length);
    if (!first || first == word->text || first - word->text > 3)
        return false;
    for (const char *at = first; at < end; at += 4)
        if (*at != separator || end - at < 4 || !is_digit(at[1]) || !is_digit(at[2]) ||
                !is_digit(at[3]))
            return false;
    return true;
}

// Copies the digits alone. How many; 0: this is no whole number.
static size_t digits_of(const struct word *word, char *digits) {
    static const char separators[] = { ',', '\'', '.' };
    struct word inner = bare(word);
    char separator = '\0';
    if (inner.length == 0) // a word that is not there
        return 0;
    for (size_t i = 0; i < sizeof(separators); i++)
        if (separators_fit(&inner, separators[i]))
            separator = separators[i];
    size_t n = 0, real = 0;
    for (size_t i = 0; i < inner.length; i++) {
        char c = inner.text[i];
        if (separator && c == separator)
            continue;
        bool letter = c == 'O' || c == 'o';
        if ((!is_digit(c) && !letter) || n == DIGITS_MAX)
            return 0;
        real += !letter;
        digits[n++] = letter ? '0' : c;
    }
    return real > 0 || (n == 1 && inner.length == 1) ? n : 0;
}

static bool add_digit(uint64_t *value, unsigned base, unsigned digit) {
    return !__builtin_mul_overflow(*value, base, value) &&
           !__builtin_add_overflow(*value, digit, value);
}

bool word_count(const struct word *word, uint64_t *ret) {
    char digits[DIGITS_MAX];
    size_t n = digits_of(word, digits);
    uint64_t value = 0;
    for (size_t i = 0; i < n; i++)
        if (!add_digit(&value, 10, (unsigned) (digits[i] - '0')))
            return false;
    if (n > 0)
        *ret = value;
    return n > 0;
}

bool text_count(const char *text, uint64_t *ret) {
    return word_count(&(struct word){ text, strlen(text) }, ret);
}

static int hex_digit(char c) {
    return is_digit(c)            ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

bool word_hex(const struct word *word, uint64_t *ret) {
    uint64_t value = 0;
    for (size_t i = 0; i < word->length; i++) {
        int digit = hex_digit(word->text[i]);
        if (digit < 0 || !add_digit(&value, 16, (unsigned) digit))
            return false;
    }
    if (word->length > 0)
        *ret = value;
    return word->length > 0;
}

bool word_decimal(const struct word *word, double *ret) {
    struct word inner = bare(word);
    size_t i = inner.length > 0 && (inner.text[0] == '-' || inner.text[0] == '+');
    double value = 0, unit = 1;
    bool fraction = false, any = false;
    for (; i < inner.length; i++) {
        char c = inner.text[i];
        if ((c == '.' || c == ',') && !fraction) {
            fraction = true;
            continue;
        }
        if (!is_digit(c))
            return false;
        any = true;
        value = value * 10 + (c - '0');
        unit *= fraction ? 10 : 1;
    }
    if (any)
        *ret = inner.text[0] == '-' ? -value / unit : value / unit;
    return any;
}
