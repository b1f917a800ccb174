// SPDX-License-Identifier: GPL-2.0-or-later
// Shell commands
#pragma once

#include <stdbool.h>
#include <stddef.h>

#define SHELL_LIMIT_MS 20000 // then it is killed

struct shell {
    int netns;             // file of a network namespace; -1: that of the caller
    void (*prepare)(void); // in the new process; NULL: nothing
    bool output_only;      // what it says on its standard error is not kept
};
// Runs a command by /bin/sh and waits for its end, and for that of whatever writes to its output.
// What it says, the last line feeds cut off, goes into `said` (`size` bytes; may be NULL). Its exit
// status, 128 for a signal or when it took too long, or -errno.
int shell_run(const struct shell *shell, const char *command, char *said, size_t size);
