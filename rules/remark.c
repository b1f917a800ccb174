// SPDX-License-Identifier: GPL-2.0-or-later
// Remarks
#include "rules/remark.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/text.h"
#include "rules/append.h"

int add_remark(struct remark **remarks, size_t *n, const char *id, const char *format, ...) {
    struct remark *remark = append(*remarks, *n);
    if (!remark)
        return -ENOMEM;
    va_list arguments;
    va_start(arguments, format);
    int r = vasprintf(&remark->text, format, arguments);
    va_end(arguments);
    remark->id = id ? strdup(id) : NULL;
    if (r >= 0 && (!id || remark->id))
        return 0;
    free(remark->id);
    if (r >= 0)
        free(remark->text);
    (*n)--;
    return -ENOMEM;
}

char *count_text(int64_t n) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    text_put_count(out, n);
    if (fclose(out) == 0)
        return text;
    free(text);
    return NULL;
}
