// SPDX-License-Identifier: GPL-2.0-or-later
// Confinement
#pragma once

// Gives up for good what a reader of untrusted text does not need: root's identity, new privileges,
// other files, memory and time without end. What is open stays open. 0 or -errno.
int confine(void);
#define CONFINE_MEMORY_BYTES ((size_t) 3 << 30)
#define CONFINE_CPU_S 60
