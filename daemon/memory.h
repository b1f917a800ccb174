// SPDX-License-Identifier: GPL-2.0-or-later
// Memory thrift
#pragma once

// Keeps the heap in one piece that shrinks again. Call it before any thread runs.
void memory_set_up(void);
// After something that is not done again soon: gives back free heap, and unmaps program text, which
// comes back from the page cache, piece by piece, where it is executed.
void memory_give_back(void);
