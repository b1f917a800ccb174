// SPDX-License-Identifier: GPL-2.0-or-later
// What is known of sockets
#pragma once

#include "cli/socket_list.h"
#include "core/verdict.h"

// Why sockets were not read, malloc()ed; *ret NULL: they were. 0 or -errno.
int narrow_find_blindness(struct store *store, char **ret);
// Writes sentences about the sockets, or that there are none, into `narrowing`. `complete`: no
// socket is missing. 0 or -ENOMEM.
int narrow_tell_known(const struct socket_filter *filter, const struct socket_list *sockets,
        const char *blind, bool complete, struct narrowing *narrowing);
// Adds what they are now, where the window did not have them.
int narrow_tell_now(const struct socket_list *sockets, struct narrowing *narrowing);
