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
    // While rtnl_list() runs.
    const struct source_tap *tap;
    const char *dump;
    char problem[96]; // what is wrong with the file that rtnl_list() read; "": nothing
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
// The same of a list that captures keep, under the name of its dump. Where the source is a
// directory, it is visited as its file netlink/DUMP has it (rtnl_files.c), and source->buffer is in
// use meanwhile; -ENOENT: there is no such file, -EBADMSG and others: rtnl->problem says it.
int rtnl_list(struct rtnl *rtnl, struct source *source, const char *dump, struct nlmsghdr *request,
        rtnl_visit *visit, void *userdata);
// Sends a request for one thing and visits the answer. 0 or -errno.
int rtnl_ask(struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata);
void rtnl_close(struct rtnl *rtnl);

// Says in the outcome why a dump of `what` failed.
void rtnl_report(const struct rtnl *rtnl, struct outcome *outcome, const char *what, int error);
// What the network namespace of this process is called.
const char *rtnl_netns_name(const struct collect_context *context);

// Answers that were kept: one file for each dump, its datagrams one after the other, in the layout
// of the machine that RTNL_MACHINE_FILE names.
#define RTNL_FOLDER "netlink"
#define RTNL_MACHINE_FILE RTNL_FOLDER "/machine"
const char *rtnl_machine(void); // "little-endian, 64-bit": this one
bool rtnl_has_file(const struct source *source, const char *dump);
// A whole answer. As rtnl_feed(), or -EBADMSG: *ret_problem says what is wrong, and nothing was
// visited.
int rtnl_feed_whole(
        char *text, size_t n, rtnl_visit *visit, void *userdata, const char **ret_problem);
int rtnl_read_file(struct rtnl *rtnl, struct source *source, const char *dump, rtnl_visit *visit,
        void *userdata);
