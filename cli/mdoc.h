// SPDX-License-Identifier: GPL-2.0-or-later
// Manual page text
#pragma once

#include <stdio.h>

// A line of running text for mdoc(7), where a backslash escapes and a full stop at the start is a request.
void mdoc_put_line(FILE *out, const char *text);
