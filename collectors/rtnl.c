// SPDX-License-Identifier: GPL-2.0-or-later
// Netlink dumps
#include "collectors/rtnl.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>

#include "collectors/netns.h"
#include "collectors/outcome.h"

// The kernel makes a datagram of a dump as large as the largest buffer it saw, up to this.
#define BUFFER_BYTES ((size_t) 32 << 10)
#define BUFFER_MAX_BYTES ((size_t) 16 << 20)
// A list that changes faster than it can be read so often is left for the next step.
#define MAX_TRIES 4

void rtnl_close(struct rtnl *rtnl) {
    nl_socket_free(rtnl->socket);
    free(rtnl->buffer);
    *rtnl = (struct rtnl){ .protocol = rtnl->protocol, .tap = rtnl->tap, .dump = rtnl->dump };
}

static int connect_socket(struct rtnl *rtnl) {
    // The answer is there as soon as the request was sent; this is for a kernel that owes it.
    static const struct timeval patience = { .tv_sec = 1 };
    int r = nl_connect(rtnl->socket, rtnl->protocol);
    if (r < 0)
        return errno ? -errno : -EPROTONOSUPPORT;
    setsockopt(
            nl_socket_get_fd(rtnl->socket), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
    return 0;
}

static int make_room(struct rtnl *rtnl, size_t size) {
    if (size <= rtnl->size)
        return 0;
    if (size > BUFFER_MAX_BYTES)
        return -EMSGSIZE;
    char *buffer = realloc(rtnl->buffer, size);
    if (!buffer)
        return -ENOMEM;
    rtnl->buffer = buffer;
    rtnl->size = size;
    return 0;
}

static int open_socket(struct rtnl *rtnl) {
    if (rtnl->socket)
        return 0;
    errno = 0;
    rtnl->socket = nl_socket_alloc();
    int r = rtnl->socket ? connect_socket(rtnl) : -ENOMEM;
    if (r == 0)
        r = make_room(rtnl, BUFFER_BYTES);
    if (r < 0)
        rtnl_close(rtnl);
    return r;
}

// DONE carries an error where the dump broke off.
static int end_of(struct nlmsghdr *message) {
    int error = 0;
    if (nlmsg_datalen(message) >= (int) sizeof(error))
        memcpy(&error, nlmsg_data(message), sizeof(error));
    if (message->nlmsg_type == NLMSG_ERROR && error == 0)
        return -EPROTO;
    return error < 0 ? error : 0;
}

int rtnl_feed(
        struct rtnl_answer *answer, char *datagram, size_t n, rtnl_visit *visit, void *userdata) {
    struct nlmsghdr *message = (struct nlmsghdr *) datagram;
    int left = (int) n;
    for (; nlmsg_ok(message, left); message = nlmsg_next(message, &left)) {
        int r = 0;
        if (message->nlmsg_seq != answer->sequence)
            continue; // an answer to an earlier request
        answer->changed |= message->nlmsg_flags & NLM_F_DUMP_INTR;
        if (message->nlmsg_type == NLMSG_DONE || message->nlmsg_type == NLMSG_ERROR) {
            r = end_of(message);
            return r < 0 ? r : answer->changed ? RTNL_CHANGED : RTNL_DONE;
        }
        if (message->nlmsg_type >= NLMSG_MIN_TYPE)
            r = visit(userdata, message);
        if (r < 0)
            return r;
    }
    return RTNL_MORE;
}

// MSG_TRUNC makes recv() tell the length of the datagram, also when it is longer than the buffer.
static ssize_t receive(struct rtnl *rtnl) {
    ssize_t n;
    do
        n = recv(nl_socket_get_fd(rtnl->socket), rtnl->buffer, rtnl->size, MSG_TRUNC);
    while (n < 0 && errno == EINTR);
    if (n < 0)
        return errno == EAGAIN ? -ETIMEDOUT : -errno;
    return n > 0 ? n : -EPROTO;
}

// A part of the list is lost, perhaps its end: the next try has the room, and a socket without the
// rest.
static int start_over(struct rtnl *rtnl, size_t size) {
    nl_socket_free(rtnl->socket);
    rtnl->socket = NULL;
    int r = make_room(rtnl, size);
    return r < 0 ? r : RTNL_CHANGED;
}

static int read_answer(struct rtnl *rtnl, rtnl_visit *visit, void *userdata) {
    struct rtnl_answer answer = { .sequence = rtnl->sequence };
    int r;
    do {
        ssize_t n = receive(rtnl);
        if (n < 0)
            return (int) n;
        if ((size_t) n > rtnl->size)
            return start_over(rtnl, (size_t) n);
        if (rtnl->tap)
            rtnl->tap->take(rtnl->tap->data, rtnl->dump, rtnl->buffer, (size_t) n);
        r = rtnl_feed(&answer, rtnl->buffer, (size_t) n, visit, userdata);
    } while (r == RTNL_MORE);
    return r;
}

static int send_request(struct rtnl *rtnl, struct nlmsghdr *request, int flags) {
    int r = open_socket(rtnl);
    if (r < 0)
        return r;
    request->nlmsg_flags = (unsigned short) (NLM_F_REQUEST | flags);
    request->nlmsg_seq = ++rtnl->sequence;
    return send(nl_socket_get_fd(rtnl->socket), request, request->nlmsg_len, 0) < 0 ? -errno : 0;
}

static int try_dump(
        struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata) {
    int r = visit(userdata, NULL);
    if (rtnl->tap)
        rtnl->tap->take(rtnl->tap->data, rtnl->dump, NULL, 0);
    if (r == 0)
        r = send_request(rtnl, request, NLM_F_DUMP);
    return r < 0 ? r : read_answer(rtnl, visit, userdata);
}

int rtnl_dump(struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata) {
    int r = RTNL_CHANGED;
    for (size_t i = 0; i < MAX_TRIES && (r == RTNL_CHANGED || r == -ENOBUFS); i++) {
        r = try_dump(rtnl, request, visit, userdata);
        if (r < 0)
            rtnl_close(rtnl); // with what the kernel still had to say
    }
    return r == RTNL_CHANGED ? -EAGAIN : r;
}

int rtnl_list(struct rtnl *rtnl, struct source *source, const char *dump, struct nlmsghdr *request,
        rtnl_visit *visit, void *userdata) {
    if (!source->live)
        return rtnl_read_file(rtnl, source, dump, visit, userdata);
    rtnl->tap = source->tap;
    rtnl->dump = dump;
    int r = rtnl_dump(rtnl, request, visit, userdata);
    rtnl->tap = NULL;
    return r;
}

int rtnl_ask(struct rtnl *rtnl, struct nlmsghdr *request, rtnl_visit *visit, void *userdata) {
    int r = send_request(rtnl, request, 0);
    if (r < 0)
        return r;
    struct rtnl_answer answer = { .sequence = rtnl->sequence };
    ssize_t n = receive(rtnl);
    if (n < 0 || (size_t) n > rtnl->size) {
        rtnl_close(rtnl); // with the answer that is still to come
        return n < 0 ? (int) n : -EMSGSIZE;
    }
    r = rtnl_feed(&answer, rtnl->buffer, (size_t) n, visit, userdata);
    return r < 0 ? r : 0;
}

static enum outcome_state state_of(int error) {
    if (error == -EOPNOTSUPP) // a kernel built without them
        return OUTCOME_ABSENT;
    return error == -EPERM || error == -EACCES ? OUTCOME_DENIED : OUTCOME_FAILED;
}

void rtnl_report(const struct rtnl *rtnl, struct outcome *outcome, const char *what, int error) {
    if (rtnl->problem[0])
        outcome_set(outcome, OUTCOME_FAILED, "%s", rtnl->problem);
    else if (error == -EAGAIN)
        outcome_set(outcome, OUTCOME_FAILED, "the list of %s changed while it was read", what);
    else
        outcome_set(outcome, state_of(error), "list of %s (rtnetlink): %s", what, strerror(-error));
}

const char *rtnl_netns_name(const struct collect_context *context) {
    const struct netns_list *list = context->netns;
    for (size_t i = 0; list->own_inode && i < list->n; i++)
        if (list->items[i].inode == list->own_inode)
            return list->items[i].name;
    return "host";
}
