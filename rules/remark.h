// SPDX-License-Identifier: GPL-2.0-or-later
// Remarks
#pragma once

#include "core/verdict.h"

// Appends a remark; id may be NULL. 0 or -ENOMEM.
int add_remark(struct remark **remarks, size_t *n, const char *id, const char *format, ...)
        __attribute__((format(printf, 4, 5)));
// "12,431". malloc()ed, or NULL: out of memory.
char *count_text(int64_t n);
