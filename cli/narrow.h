// SPDX-License-Identifier: GPL-2.0-or-later
// Narrowed answers
#pragma once

#include "cli/cli.h"
#include "cli/socket_list.h"
#include "core/verdict.h"

// Reads the arguments of --port, --process and --netns; NULL: not given. 0, or STATUS_USAGE after a
// line on the standard error.
int narrow_read(
        const char *port, const char *process, const char *netns, struct socket_filter *ret);

// Leaves in the verdict over the window that is open in `store` what is about these sockets or this
// namespace. `complete`: the window has every socket, not only those that something happened to. 0
// or -errno; 1: there is no such namespace, which was told on the standard error.
int narrow_verdict(struct store *store, const struct socket_filter *filter, bool complete,
        struct verdict *verdict);
// Looks at this host for the sockets that the window does not have. 0 or -errno.
int narrow_look_now(const struct socket_filter *filter, struct verdict *verdict);
