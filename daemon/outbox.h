// SPDX-License-Identifier: GPL-2.0-or-later
// Outgoing messages
//
// A thread of its own hands messages to the journal or to standard error: either may be blocked by
// the very disk that the message is about. Any thread may post; nobody ever waits.
#pragma once

#include <stdbool.h>

#include "daemon/messages.h"

struct outbox;

// Whether standard error is a stream of the journal, as systemd sets it up.
bool outbox_has_journal(void);
// Returns NULL: no memory or no thread.
struct outbox *outbox_new(bool journal);
// Sends what is left, for `seconds` at most. Returns NULL.
struct outbox *outbox_free(struct outbox *outbox, int seconds);

// A message in the making; NULL (out of memory) may be passed on to all of these.
struct letter;
struct letter *letter_new(enum message message, const char *format, ...)
        __attribute__((format(printf, 2, 3)));
void letter_priority(struct letter *letter, int priority);
// Adds a structured field, such as "UDPDIAG_LOST".
void letter_field(struct letter *letter, const char *name, const char *format, ...)
        __attribute__((format(printf, 3, 4)));
// Takes the letter.
void outbox_post(struct outbox *outbox, struct letter *letter);

#define outbox_say(outbox, message, ...) outbox_post(outbox, letter_new(message, __VA_ARGS__))
