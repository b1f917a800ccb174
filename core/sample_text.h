// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as text
//
// How a capture keeps a sample: lines of words that are separated by TABs. `sample` with a version
// and the three clocks; for each table a line `table` with its name, its outcome and the reason of
// that, then, where it has rows, `columns` with their names and a line `row` each, which may be
// followed by `before` (what the counters were in the look before, see rows_before()); `end`. A
// value that is not known is \N; backslash, TAB and line ends are \\, \t, \n and \r.
#pragma once

#include <stdio.h>

#include "core/sample.h"

#define SAMPLE_TEXT_VERSION 1

// What stands for a text of that column, valid until the next call; NULL: out of memory.
typedef const char *sample_text_alias(
        void *data, const struct table *table, const struct column *column, const char *text);

// Tables that were not due are left out. `alias`: NULL, or it may replace texts. 0 or -errno.
int sample_text_write(const struct sample *sample, sample_text_alias *alias, void *data, FILE *out);

// Fills the sample anew from a text, which is changed. Tables that the text has not become "not
// due"; tables and columns that the sample has not are left out. 0, -ENOMEM, -EPROTONOSUPPORT
// (another version), or -EINVAL: *ret_line is the line that was not understood, or the last one of
// a text that was cut.
int sample_text_read(struct sample *sample, char *text, unsigned *ret_line);
