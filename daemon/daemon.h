// SPDX-License-Identifier: GPL-2.0-or-later
// Daemon
#pragma once

#include <stdbool.h>

#include "daemon/options.h"
#include "daemon/outbox.h"

struct daemon;

// Reads the settings and sets everything up; nothing is sampled yet. 0 or -errno, with a message
// posted. The options and the outbox must outlive it.
int daemon_new(
        const struct options *options, struct outbox *outbox, bool journal, struct daemon **ret);
// Runs until a signal ends it, or the given number of steps. 0 or -errno, with a message posted.
int daemon_run(struct daemon *daemon);
// Writes what is held back. True: a thread is stuck and the memory it uses stays, so the process
// should end without ado.
bool daemon_free(struct daemon *daemon);
