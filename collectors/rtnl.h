// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink dumps
//
// Lists of the kernel's rtnetlink or another netlink protocol, parsed where they were received: one
// buffer, no object per entry.
#pragma once

#include <netlink/msg.h>
#include <netlink/socket.h>

#include "collectors/collector.h"

struct rtnl {
    struct nl_sock *socket; // NULL: not connected
    char *buffer;
    size_t size;
    uint32_t sequence;
    int protocol; // NETLINK_ROUTE unless it is set
};
#define RTNL_CLOSED ((struct rtnl){ NULL })

// Called for each entry, and with NULL when the list begins (also again): 0, or -errno to give up.
typedef int rtnl_visit(void *userdata, struct nlmsghdr *message);

// One datagram of the answer to a request. RTNL_MORE, RTNL_DONE, RTNL_CHANGED (done, and the list
// changed meanwhile, so that entries may be missing or doubled), or -errno: the kernel's or the
// visitor's.
enum { RTNL_DONE, RTNL_MORE, RTNL_CHANGED };
struct rtnl_answer {
    uint32_t sequence;
    bool changed;
};
int rtnl_feed(
        struct rtnl_answer *answer, char *datagram, size_t n, rtnl_visit *visit, void *userdata);

// Sends the request (its flags and sequence number are set) and visits the list. 0, or -errno;
// -EAGAIN: the list changed again and again while it was read. After an error what was visited does
// not count.
int rtnl_dump(struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata);
// Sends a request for one thing and visits the answer. 0 or -errno.
int rtnl_ask(struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata);
void rtnl_close(struct rtnl *rtnl);

// Says in the outcome why a dump of `what` failed.
void rtnl_report(struct outcome *outcome, const char *what, int error);
// What the network namespace of this process is called.
const char *rtnl_netns_name(const struct collect_context *context);
