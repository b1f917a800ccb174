// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted sizes
#include "formats/sizes.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

// "K", "Ki", "KiB" are binary; "kB", "MB" decimal, but a small k alone is df's --si.
double size_unit(const struct word *word) {
    static const char prefixes[] = "KMGTPE";
    if (word->length == 0 || word->length > 3)
        return 0;
    if (word->length == 1 && word->text[0] == 'B')
        return 1;
    const char *prefix = strchr(prefixes, toupper((unsigned char) word->text[0]));
    if (!prefix || !*prefix)
        return 0;
    const char *rest = word->text + 1;
    size_t n = word->length - 1;
    bool binary = n == 0 || (rest[0] == 'i' && (n == 1 || rest[1] == 'B'));
    if (!binary && !(n == 1 && (rest[0] == 'B' || rest[0] == 'b')))
        return 0;
    double unit = 1;
    for (ptrdiff_t i = prefix - prefixes; i >= 0; i--)
        unit *= binary ? 1024 : 1000;
    return unit;
}

bool word_size(const struct word *word, double plain, double *ret_bytes) {
    struct word number = *word;
    while (number.length > 0 && isalpha((unsigned char) number.text[number.length - 1]) &&
            !strchr("Oo", number.text[number.length - 1]))
        number.length--;
    struct word rest = { number.text + number.length, word->length - number.length };
    double unit = rest.length > 0 ? size_unit(&rest) : plain;
    uint64_t count;
    double value;
    if (unit == 0)
        return false;
    if (rest.length == 0 && word_count(&number, &count)) // separators of thousands
        value = (double) count;
    else if (!word_decimal(&number, &value) || value < 0)
        return false;
    *ret_bytes = value * unit;
    return true;
}
