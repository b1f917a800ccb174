// SPDX-License-Identifier: GPL-2.0-or-later
// Owner search
//
// Which processes hold the watched sockets. All files of all processes are looked through, which is
// expensive: only when there is a socket that was not searched for yet, then seldom to find who
// else has come to hold it. In between, what was found is verified.
#pragma once

#include "collectors/watch.h"
#include "core/source.h"

struct owner_search;

int owner_search_new(struct source *source, struct owner_search **ret); // 0 or -ENOMEM
struct owner_search *owner_search_free(struct owner_search *search);    // returns NULL

// A search costs at most 1/SHARE of one CPU; who else holds a known socket is searched for every
// REFRESH_MS.
#define OWNER_SEARCH_SHARE 50
#define OWNER_SEARCH_REFRESH_MS 30000
// One look searches for so long, and the next one goes on. A single process is searched as a whole.
#define OWNER_SEARCH_LOOK_US 200000

// From the watch's sockets fills its owners and processes, and the sockets' states and numbers of
// owners. `now_ms`: monotonic clock. 0 or -ENOMEM.
int owner_search_run(struct owner_search *search, struct watch *watch, int64_t now_ms);
// Whether the search goes on in the next look.
bool owner_search_is_running(const struct owner_search *search);
// Whether a whole search for that socket was done and saw all processes, without finding an owner.
bool owner_search_was_vain(
        const struct owner_search *search, const struct watch *watch, uint32_t inode);
