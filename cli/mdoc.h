// SPDX-License-Identifier: GPL-2.0-or-later
// Manual page text
#pragma once

#include <stdio.h>

// Running text for mdoc(7), where a backslash escapes, a full stop at the start of a line is a
// request, and every sentence begins a line. Ends it with a full stop where there is none.
void mdoc_put_line(FILE *out, const char *text);
