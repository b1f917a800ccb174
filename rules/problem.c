// SPDX-License-Identifier: GPL-2.0-or-later
// File problems
#include "rules/problem.h"

#include <stdarg.h>

#include "core/cleanup.h"
#include "core/text.h"

void problem(struct problems *problems, int line, const char *format, ...) {
    problems->n++;
    if (!problems->out)
        return;
    _cleanup_free_ char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    text_put(problems->out, problems->file);
    if (line > 0)
        fprintf(problems->out, ":%d", line);
    fputs(": ", problems->out);
    text_put(problems->out, text ? text : "out of memory");
    fputc('\n', problems->out);
}
