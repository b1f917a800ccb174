// SPDX-License-Identifier: GPL-2.0-or-later
// Intake
//
// Takes what the formats read, look by look, and makes steps of it. Tables are known by name, columns
// by their name or by the kernel's name for them (struct column.field). An error stays in the intake
// until intake_error() is asked.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "core/table.h"
#include "formats/lines.h"

struct intake;
struct word;

// What a row is: its table and keys, in the order of the table. NULL is the usual one: "host" for the
// network namespace, else an empty text or 0. Integers are decimal texts. Until the next
// intake_row(), values go there. The same keys in the same look are the same row. `line` is where
// the values stand.
void intake_row(struct intake *intake, const struct line *line, const char *table,
        const char *const *keys);

// All below: false where the table has no such column, which is told as unused. A column that was
// set in this row before is set anew, unless it says something else: then the first value stays and
// the contradiction is told.
//
// An absolute value (counter, gauge, identity).
bool intake_set(struct intake *intake, const char *column, uint64_t value);
bool intake_set_text(struct intake *intake, const char *column, const char *text);
// The same of a number as it was pasted (words.h). One that cannot be right, such as a negative
// count, is told and not set.
bool intake_put(struct intake *intake, const char *column, const struct word *number);
// Growth of a counter that the paste itself gives: increments of nstat, lists of deltas. Adds to what
// this row has so far.
bool intake_grow(struct intake *intake, const char *column, uint64_t growth);
// The same as a mean rate over the look's span.
bool intake_rate(struct intake *intake, const char *column, double per_second);
// Whether the row of the last intake_row() has a value there, absolute or growth.
bool intake_has(const struct intake *intake, const char *column);

// A table was asked for and had nothing to show: an empty list of sockets. intake_row() says so too.
void intake_listed(struct intake *intake, const char *table);

// A new look inside a block: the values that follow are of another moment. The recogniser begins one
// with every block. at_ms: wall clock, 0: not known.
void intake_look(struct intake *intake, const struct line *line, int64_t at_ms);
// What this look takes as growth may be the counters themselves: decided when all is read.
void intake_doubt(struct intake *intake, const struct line *line);
// How long the time was in which the growth of this look happened: from the look before to this one.
void intake_span(struct intake *intake, int64_t ms);
// All blocks from here on were taken at this time ("zzz ***Mon ...", the output of date), until the
// next such line or the end of the file.
void intake_time(struct intake *intake, const struct line *line, int64_t at_ms);

// What is known of the host. 0 or NULL: nothing.
void intake_host(struct intake *intake, const char *name);
void intake_kernel(struct intake *intake, const char *release);
void intake_uptime(struct intake *intake, int64_t ms);

// A line inside the block that was not understood; one that was, but no table has room for it; and a
// remark for the reader of the verdict: what is missing or cannot be right.
void intake_skip(struct intake *intake, const struct line *line);
void intake_unused(struct intake *intake, const struct line *line);
void intake_note(struct intake *intake, const struct line *line, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
