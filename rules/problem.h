// SPDX-License-Identifier: GPL-2.0-or-later
// File problems
#pragma once

#include <stddef.h>
#include <stdio.h>

// Mistakes in one file, printed as they are found: "file:line: text".
struct problems {
    FILE *out; // NULL: only counted
    const char *file;
    size_t n;
};

// line 0: of the file as a whole.
void problem(struct problems *problems, int line, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
