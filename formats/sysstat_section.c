// SPDX-License-Identifier: GPL-2.0-or-later
// Sections of sysstat
#include "formats/sysstat_section.h"

#include <string.h>

static enum sysstat_key key_of(const struct word *word) {
    return word_is(word, "CPU")     ? KEY_CPU
           : word_is(word, "IFACE") ? KEY_INTERFACE
           : word_is(word, "DEV") || word_is(word, "Device") || word_is(word, "Device:") ? KEY_DISK
                                                                                         : KEY_NONE;
}

// A column stands beside the key of its table: other headings only look like ours.
static bool fits(const struct section *section, const struct sysstat_field *field) {
    static const char *const tables[] = { [KEY_CPU] = "cpu softnet",
        [KEY_INTERFACE] = "link",
        [KEY_DISK] = "disk",
        [KEY_NONE] = "snmp memory sockstat" };
    return strstr(section->averaged ? "cpu" : tables[section->key], field->table) != NULL;
}

bool section_of(const struct word *words, size_t n, bool of_disks, struct section *ret) {
    size_t known = 0;
    *ret = (struct section){ .key_at = SIZE_MAX };
    if (n > 0 && word_is(&words[0], "avg-cpu:")) {
        ret->averaged = true;
        words++;
        n--;
    }
    for (size_t i = 0; i < n && i < SYSSTAT_COLUMNS_MAX; i++) {
        uint64_t number;
        ret->heading[i] = words[i];
        ret->field[i] = sysstat_field(&words[i]);
        if (word_count(&words[i], &number))
            return false;
        if (ret->key_at == SIZE_MAX && key_of(&words[i]) != KEY_NONE && (i == 0 || i + 1 == n)) {
            ret->key = key_of(&words[i]);
            ret->key_at = i;
        }
    }
    ret->n = n;
    for (size_t i = 0; i < n; i++) {
        if (ret->field[i] && !fits(ret, ret->field[i]))
            ret->field[i] = NULL;
        known += ret->field[i] != NULL;
    }
    if (of_disks && ret->key == KEY_DISK)
        return true;
    // One known name of a section without a key is enough: nothing else has such names.
    return n > 1 && known > 0;
}

// A value, also with the letters of iostat -h: "10.3M" under rkB/s.
static bool to_value(const struct word *word, double *ret) {
    struct word number = *word;
    double unit = 1;
    if (number.length > 1 && number.text[number.length - 1] == '%')
        number.length--;
    char last = number.length > 1 ? number.text[number.length - 1] : '\0';
    if (last == 'k' || last == 'M' || last == 'G') {
        unit = last == 'k' ? 1 : last == 'M' ? 1024 : 1024 * 1024;
        number.length--;
    }
    bool is = word_decimal(&number, ret);
    *ret *= is ? unit : 1;
    return is;
}

bool section_row(const struct section *section, const struct word *words, size_t n, double *ret) {
    if (section->n == 0 || n != section->n)
        return false;
    for (size_t i = 0; i < n; i++)
        if (i != section->key_at && !to_value(&words[i], &ret[i]))
            return false;
    return true;
}

double section_factor(const struct section *section, const double *values, size_t i) {
    const char *times = section->field[i]->times;
    for (size_t k = 0; times && k < section->n; k++)
        if (word_is(&section->heading[k], times))
            return values[k];
    return times ? 0 : section->field[i]->scale;
}

bool section_same(const struct section *a, const struct section *b) {
    return a->n == b->n && a->n > 0 && a->heading[0].length == b->heading[0].length &&
           memcmp(a->heading[a->n - 1].text, b->heading[b->n - 1].text,
                   b->heading[b->n - 1].length) == 0;
}
