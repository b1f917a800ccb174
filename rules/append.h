// SPDX-License-Identifier: GPL-2.0-or-later
// Growing arrays
#pragma once

#include <stdlib.h>
#include <string.h>

// Appends a zeroed element to `array` of `n` elements. Its address, or NULL: out of memory.
#define append(array, n)                                                                           \
    ({                                                                                             \
        __typeof__(array) grown_ = reallocarray((array), (n) + 1, sizeof(*(array)));               \
        if (grown_) {                                                                              \
            (array) = grown_;                                                                      \
            memset(&grown_[(n)++], 0, sizeof(*grown_));                                            \
        }                                                                                          \
        grown_ ? &(array)[(n) -1] : NULL;                                                          \
    })
