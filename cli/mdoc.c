// SPDX-License-Identifier: GPL-2.0-or-later
// Manual page text
#include "cli/mdoc.h"

#include <stdbool.h>
#include <string.h>

void mdoc_put_line(FILE *out, const char *text) {
    bool begins = true; // a line
    size_t n = strlen(text);
    const char *stop = n > 0 && text[n - 1] == '.' ? "" : ".";
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\''))
            fputs("\\&", out);
        begins = strncmp(text, ". ", 2) == 0;
        if (begins)
            text++;
        fputs(begins ? ".\n" : *text == '\\' ? "\\e" : (char[]){ *text, '\0' }, out);
    }
    fprintf(out, "%s\n", stop);
}
