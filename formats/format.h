// SPDX-License-Identifier: GPL-2.0-or-later
// Format interface
//
// A format is one kind of output that people paste. It knows where a block of it begins and turns
// the block into rows of the collectors' tables, by way of the intake.
#pragma once

#include "formats/intake.h"
#include "formats/lines.h"

// How sure begins() is.
enum {
    FORMAT_NO = 0,
    FORMAT_MAYBE = 30,   // words that other outputs have too
    FORMAT_LIKELY = 60,  // a line of it, such as grep leaves
    FORMAT_CERTAIN = 90, // a header that nothing else has
};

struct format {
    const char *name; // "netstat-s"
    const char *help; // "netstat -s, -su"
    // Its values hold for all moments: a second, other value is a contradiction, not a second look.
    bool setting;
    // It also reads commands (LINE_COMMAND): begins() is asked at these lines too.
    bool commands;
    // Whether a block of it begins at line i, a LINE_TEXT unless `commands`: 0 to 100.
    int (*begins)(const struct lines *lines, size_t i);
    // Reads the block that begins at line i. Returns the first line behind it, beyond i. The intake
    // keeps errors (no memory). Lines of the block that were not understood are told to it
    // (intake_skip).
    size_t (*read)(struct intake *intake, const struct lines *lines, size_t i);
};
