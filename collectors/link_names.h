// SPDX-License-Identifier: GPL-2.0-or-later
// Interface names
//
// Of the network namespace of this process, or of a directory that keeps netlink's answers.
#pragma once

#include <net/if.h>

#include "collectors/rtnl.h"

struct link_name;
struct link_names {
    int socket;        // asks for them; -1: not open
    struct ifreq last; // the one asked for last
    bool filed;        // they are those of a directory
    struct link_name *items;
    size_t n, capacity;
};
#define LINK_NAMES_EMPTY ((struct link_names){ .socket = -1 })
void link_names_done(struct link_names *names);

// Before each look, as an interface may be renamed. 0 or, of a directory, -errno as rtnl_list().
int link_names_begin(struct link_names *names, struct rtnl *rtnl, struct source *source);
// Of IFNAMSIZ bytes, valid until the next call. NULL: there is no such interface.
const char *link_names_find(struct link_names *names, int ifindex);
