// SPDX-License-Identifier: GPL-2.0-or-later
// Sections of sysstat
//
// A heading of sar, mpstat or iostat and the rows below it.
#pragma once

#include "formats/sysstat_fields.h"

enum sysstat_key { KEY_NONE, KEY_CPU, KEY_INTERFACE, KEY_DISK };
enum { SYSSTAT_COLUMNS_MAX = 40 };

// The columns under a heading.
struct section {
    const struct sysstat_field *field[SYSSTAT_COLUMNS_MAX]; // NULL: not used
    struct word heading[SYSSTAT_COLUMNS_MAX];
    size_t n; // 0: none yet
    enum sysstat_key key;
    size_t key_at; // where the key stands
    bool averaged; // the heading "avg-cpu:"
};

// The words behind the time: names, of which some are known. What has another key is of other
// tools. `of_disks`: it may be another part of iostat -h, of which none is.
bool section_of(const struct word *words, size_t n, bool of_disks, struct section *ret);
// Whether the words are a row of the section; the values in `ret`.
bool section_row(const struct section *section, const struct word *words, size_t n, double *ret);
// What the value of a column is multiplied with to be of its counter.
double section_factor(const struct section *section, const double *values, size_t i);
// Whether both have the same heading.
bool section_same(const struct section *a, const struct section *b);
