// SPDX-License-Identifier: GPL-2.0-or-later
// Scope cleanup
#pragma once

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define _cleanup_(f) __attribute__((cleanup(f)))

static inline void cleanup_free(void *p) {
    free(*(void **) p);
}
static inline void cleanup_close(int *fd) {
    if (*fd >= 0)
        close(*fd);
}
static inline void cleanup_fclose(FILE **file) {
    if (*file)
        fclose(*file);
}

#define _cleanup_free_ _cleanup_(cleanup_free)
#define _cleanup_close_ _cleanup_(cleanup_close)
#define _cleanup_fclose_ _cleanup_(cleanup_fclose)
