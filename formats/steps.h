// SPDX-License-Identifier: GPL-2.0-or-later
// Steps of an intake
#pragma once

#include "core/window.h"
#include "formats/reading.h"

struct intake_steps {
    enum window_kind kind;
    int64_t start_ms, end_ms; // of the window, for window_open()
    size_t moments;
    bool timed; // how long the window was is known
    bool dated; // when it was is known
};

// Writes what was read into a store, as steps that end at now_ms where their time is not known. A
// step of which the length is not known is 0 long. 0, 1: nothing was read, or -errno.
int intake_store(struct intake *intake, struct store *store, int64_t now_ms,
        struct intake_steps *ret);
