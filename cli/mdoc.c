// SPDX-License-Identifier: GPL-2.0-or-later
// Manual page text
#include "cli/mdoc.h"

void mdoc_put_line(FILE *out, const char *text) {
    if (*text == '.' || *text == '\'')
        fputs("\\&", out);
    for (; *text; text++)
        if (*text == '\\')
            fputs("\\e", out);
        else
            fputc(*text, out);
    fputc('\n', out);
}
