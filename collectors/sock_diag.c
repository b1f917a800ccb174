// SPDX-License-Identifier: GPL-2.0-or-later
// Socket diagnosis
#include "collectors/sock_diag.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/rtnetlink.h>
#include <linux/sock_diag.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>

struct request {
    struct nlmsghdr header;
    struct inet_diag_req_v2 inet;
};

static struct request request_of(uint8_t family, uint8_t protocol) {
    return (struct request){
        .header = { .nlmsg_len = sizeof(struct request), .nlmsg_type = SOCK_DIAG_BY_FAMILY },
        .inet = { .sdiag_family = family,
                .sdiag_protocol = protocol,
                .idiag_ext = 1 << (INET_DIAG_SKMEMINFO - 1),
                .idiag_states = ~0U },
    };
}

// SK_MEMINFO_DROPS came with 4.7, SK_MEMINFO_BACKLOG with 3.10.
static void get_memory(const struct rtattr *attribute, struct socket_view *view) {
    uint32_t memory[SK_MEMINFO_VARS];
    size_t n = RTA_PAYLOAD(attribute) / sizeof(memory[0]);
    if (n <= SK_MEMINFO_SNDBUF)
        return;
    n = n < SK_MEMINFO_VARS ? n : SK_MEMINFO_VARS;
    memcpy(memory, RTA_DATA(attribute), n * sizeof(memory[0]));
    view->has_memory = true;
    view->rmem = (int32_t) memory[SK_MEMINFO_RMEM_ALLOC];
    view->rcvbuf = memory[SK_MEMINFO_RCVBUF];
    view->wmem = memory[SK_MEMINFO_WMEM_ALLOC];
    view->sndbuf = memory[SK_MEMINFO_SNDBUF];
    view->has_drops = n > SK_MEMINFO_DROPS;
    view->drops = view->has_drops ? memory[SK_MEMINFO_DROPS] : 0;
}

static void get_attributes(const struct rtattr *attribute, int left, struct socket_view *view) {
    for (; RTA_OK(attribute, left); attribute = RTA_NEXT(attribute, left)) {
        if (attribute->rta_type == INET_DIAG_SKMEMINFO)
            get_memory(attribute, view);
        else if (attribute->rta_type == INET_DIAG_CGROUP_ID &&
                 RTA_PAYLOAD(attribute) >= sizeof(view->cgroup))
            memcpy(&view->cgroup, RTA_DATA(attribute), sizeof(view->cgroup));
    }
}

// What lies behind an IPv4 address is not told by all kernels; here it is 0.
static void get_address(uint32_t *to, const uint32_t *from, uint8_t family) {
    memset(to, 0, 4 * sizeof(*to));
    memcpy(to, from, family == AF_INET ? sizeof(*to) : 4 * sizeof(*to));
}

bool sock_diag_parse(const struct nlmsghdr *message, struct socket_view *ret) {
    const struct inet_diag_msg *inet = NLMSG_DATA(message);
    if (message->nlmsg_type != SOCK_DIAG_BY_FAMILY ||
            message->nlmsg_len < NLMSG_LENGTH(sizeof(*inet)) ||
            (inet->idiag_family != AF_INET && inet->idiag_family != AF_INET6))
        return false;
    *ret = (struct socket_view){
        .cookie = (uint64_t) inet->id.idiag_cookie[1] << 32 | inet->id.idiag_cookie[0],
        .inode = inet->idiag_inode,
        .family = inet->idiag_family,
        .connected = inet->idiag_state == TCP_ESTABLISHED,
        .port = ntohs(inet->id.idiag_sport),
        .peer_port = ntohs(inet->id.idiag_dport),
        .ifindex = inet->id.idiag_if,
        .uid = inet->idiag_uid,
        .queue = inet->idiag_rqueue,
    };
    get_address(ret->address, inet->id.idiag_src, ret->family);
    get_address(ret->peer, inet->id.idiag_dst, ret->family);
    const size_t skip = NLMSG_ALIGN(sizeof(*inet));
    get_attributes((const struct rtattr *) ((const char *) inet + skip),
            (int) (message->nlmsg_len - NLMSG_LENGTH(skip)), ret);
    return true;
}

struct listing {
    uint8_t protocol;
    socket_visit *visit;
    void *userdata;
};

static int visit_message(void *userdata, struct nlmsghdr *message) {
    struct listing *listing = userdata;
    struct socket_view view;
    if (!message)
        return listing->visit(listing->userdata, NULL);
    if (!sock_diag_parse(message, &view))
        return 0;
    if (!view.has_drops)
        return -ENODATA;
    view.protocol = listing->protocol;
    return listing->visit(listing->userdata, &view);
}

int sock_diag_list(struct rtnl *rtnl, struct source *source, const char *dump, uint8_t family,
        uint8_t protocol, socket_visit *visit, void *userdata) {
    struct request request = request_of(family, protocol);
    struct listing listing = { protocol, visit, userdata };
    return rtnl_list(rtnl, source, dump, &request.header, visit_message, &listing);
}

int sock_diag_list_port(struct rtnl *rtnl, uint8_t family, uint8_t protocol, uint16_t port,
        socket_visit *visit, void *userdata) {
    struct request request = request_of(family, protocol);
    request.inet.id.idiag_sport = htons(port);
    struct listing listing = { protocol, visit, userdata };
    return rtnl_dump(rtnl, &request.header, visit_message, &listing);
}

static int keep(void *userdata, struct nlmsghdr *message) {
    struct socket_view *view = userdata;
    if (!sock_diag_parse(message, view))
        view->family = 0;
    return 0;
}

// The kernel looks the socket up as it does for a datagram from the peer: source and destination
// are the datagram's.
int sock_diag_again(struct rtnl *rtnl, const struct socket_view *which, struct socket_view *ret) {
    struct request request = request_of(which->family, which->protocol);
    struct inet_diag_sockid *id = &request.inet.id;
    id->idiag_sport = htons(which->peer_port);
    id->idiag_dport = htons(which->port);
    memcpy(id->idiag_src, which->peer, sizeof(which->peer));
    memcpy(id->idiag_dst, which->address, sizeof(which->address));
    id->idiag_if = which->ifindex;
    id->idiag_cookie[0] = (uint32_t) which->cookie;
    id->idiag_cookie[1] = (uint32_t) (which->cookie >> 32);
    struct socket_view view = { .family = 0 };
    int r = rtnl_ask(rtnl, &request.header, keep, &view);
    if (r == -ENOENT || r == -ESTALE)
        return 1;
    if (r < 0)
        return r;
    if (view.family == 0 || view.cookie != which->cookie)
        return 1;
    view.protocol = which->protocol;
    *ret = view;
    return 0;
}
