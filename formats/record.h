// SPDX-License-Identifier: GPL-2.0-or-later
// Reading record
//
// What was made of the lines: for people who want to see it, and for the gaps of a verdict.
#pragma once

#include "formats/format.h"

enum record_state {
    RECORD_READ,    // a block of a format
    RECORD_UNUSED,  // understood, but no table has room for it
    RECORD_SKIPPED, // not understood
};

struct record {
    enum record_state state;
    const char *file;
    unsigned first, last; // lines
    const struct format *format; // NULL: none
    const char *text; // of the first line; of RECORD_SKIPPED and RECORD_UNUSED. Belongs to the lines
};

struct remark_text {
    const char *file;
    unsigned line; // 0: none
    char *text;
};

// In the order of the files and lines. They belong to the intake.
size_t intake_records(const struct intake *intake, const struct record **ret);
// What formats told by intake_note(), and contradictions.
size_t intake_notes(const struct intake *intake, const struct remark_text **ret);
