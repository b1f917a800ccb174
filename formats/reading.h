// SPDX-License-Identifier: GPL-2.0-or-later
// Intake life
//
// The side of the intake that those see who own it.
#pragma once

#include "core/store.h"
#include "formats/intake.h"
#include "formats/record.h"

// NULL: out of memory. Names of files and texts of lines must outlive it.
struct intake *intake_new(const struct table *const *tables, size_t n_tables);
struct intake *intake_free(struct intake *intake); // returns NULL

// Finds the blocks of a file and has them read. Of more than LOOKS_MAX looks the first ones are taken,
// and a remark says so. 0 or -ENOMEM.
int recognise(struct intake *intake, const struct lines *lines);
#define LOOKS_MAX ((size_t) 20000)

// What was read so far went wrong: 0 or -errno.
int intake_error(const struct intake *intake);
// "" where it is not known.
const char *intake_host_name(const struct intake *intake);
const char *intake_kernel_release(const struct intake *intake);
int64_t intake_uptime_ms(const struct intake *intake);

// For recognise() and tests of formats: from here on `format` reads lines of that file.
void intake_begin(struct intake *intake, const struct format *format, const struct lines *lines,
        const struct line *line);
void intake_end(struct intake *intake);
void intake_record(struct intake *intake, enum record_state state, const struct line *first,
        const struct line *last);
