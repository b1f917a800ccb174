// SPDX-License-Identifier: GPL-2.0-or-later
// Alert programs
//
// Runs every executable of the alert.d folder for each event of an alert, without a shell: JSON on
// standard input, a minimal environment, a session of its own, the output to the journal, killed
// after PROGRAM_SECONDS. A thread of its own does it, since starting a program may wait for the
// disk.
#pragma once

#include "daemon/outbox.h"

#define PROGRAM_SECONDS 10

struct programs;

// Returns NULL: out of memory. Nothing is started before the first event.
struct programs *programs_new(struct outbox *outbox, bool journal);
// Kills what still runs. Returns NULL.
struct programs *programs_free(struct programs *programs);
// Never waits. Events beyond PROGRAM_EVENTS that wait are dropped, with a message.
#define PROGRAM_EVENTS 32
void programs_tell(
        struct programs *programs, const char *directory, const char *event, const char *document);
