// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel ports
#include "collectors/kernel_ports.h"

#include <errno.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

// Tunnels over UDP, and the attribute of IFLA_INFO_DATA that is their port, in network order; 0:
// they do not tell it.
static const struct {
    const char *kind;
    int attribute;
} tunnels[] = {
    { "vxlan", IFLA_VXLAN_PORT },
    { "geneve", IFLA_GENEVE_PORT },
    { "bareudp", IFLA_BAREUDP_PORT },
    { "wireguard", 0 },
    { "gtp", 0 },
    { "amt", 0 },
};
#define N_TUNNELS (sizeof(tunnels) / sizeof(tunnels[0]))

// Where the interfaces cannot be seen, and for those that need none.
static const struct kernel_port standard[] = {
    { 2049, "nfs" },
    { 2152, "gtp" },
    { 2268, "amt" },
    { 4789, "vxlan" },
    { 4791, "rdma" },
    { 6081, "geneve" },
    { 6118, "tipc" },
    { 6635, "bareudp" },
    { 7001, "rxrpc" },
    { 8472, "vxlan" }, // drivers/net/vxlan: the port before there was a standard
    { 8848, "ipvs" },
    { 9899, "sctp" },
    { 51820, "wireguard" },
};
#define N_STANDARD (sizeof(standard) / sizeof(standard[0]))

void kernel_ports_done(struct kernel_ports *ports) {
    rtnl_close(&ports->rtnl);
    free(ports->items);
    *ports = KERNEL_PORTS_EMPTY;
}

static int add(struct kernel_ports *ports, const char *user, uint16_t port) {
    if (ports->n == ports->capacity) {
        size_t capacity = ports->capacity ? ports->capacity * 2 : 8;
        struct kernel_port *items = reallocarray(ports->items, capacity, sizeof(*items));
        if (!items)
            return -ENOMEM;
        ports->items = items;
        ports->capacity = capacity;
    }
    struct kernel_port *item = &ports->items[ports->n++];
    item->port = port;
    strncpy(item->user, user, KERNEL_USER_SIZE - 1);
    item->user[KERNEL_USER_SIZE - 1] = '\0';
    return 0;
}

static uint16_t get_port(struct nlattr *data, int attribute) {
    struct nlattr *port =
            data && attribute ? nla_find(nla_data(data), nla_len(data), attribute) : NULL;
    return port && nla_len(port) >= 2 ? ntohs(nla_get_u16(port)) : 0;
}

int kernel_ports_add_message(struct kernel_ports *ports, struct nlmsghdr *message) {
    struct nlattr *a[IFLA_LINKINFO + 1], *info[IFLA_INFO_MAX + 1];
    if (message->nlmsg_type != RTM_NEWLINK ||
            nlmsg_parse(message, sizeof(struct ifinfomsg), a, IFLA_LINKINFO, NULL) < 0 ||
            !a[IFLA_LINKINFO] ||
            nla_parse_nested(info, IFLA_INFO_MAX, a[IFLA_LINKINFO], NULL) < 0 ||
            !info[IFLA_INFO_KIND])
        return 0;
    const char *kind = nla_data(info[IFLA_INFO_KIND]);
    size_t n = (size_t) nla_len(info[IFLA_INFO_KIND]);
    for (size_t i = 0; i < N_TUNNELS; i++)
        if (strlen(tunnels[i].kind) == strnlen(kind, n) &&
                memcmp(kind, tunnels[i].kind, strnlen(kind, n)) == 0)
            return add(
                    ports, tunnels[i].kind, get_port(info[IFLA_INFO_DATA], tunnels[i].attribute));
    return 0;
}

static int visit(void *userdata, struct nlmsghdr *message) {
    struct kernel_ports *ports = userdata;
    if (message)
        return kernel_ports_add_message(ports, message);
    ports->n = 0;
    return 0;
}

int kernel_ports_read(struct kernel_ports *ports, int64_t now_ms) {
    if (ports->read_ms && now_ms < ports->read_ms + KERNEL_PORTS_FRESH_MS)
        return 0;
    ports->read_ms = now_ms;
    struct {
        struct nlmsghdr header;
        struct ifinfomsg info;
    } request = { .header = { .nlmsg_len = sizeof(request), .nlmsg_type = RTM_GETLINK } };
    int r = rtnl_dump(&ports->rtnl, &request.header, visit, ports);
    rtnl_close(&ports->rtnl); // seldom needed
    return r;
}

const char *kernel_ports_user(const struct kernel_ports *ports, bool own, uint16_t port) {
    for (size_t i = 0; own && i < ports->n; i++)
        if (ports->items[i].port == port)
            return ports->items[i].user;
    for (size_t i = 0; i < N_STANDARD; i++)
        if (standard[i].port == port)
            return standard[i].user;
    for (size_t i = 0; own && i < ports->n; i++)
        if (ports->items[i].port == 0)
            return ports->items[i].user;
    return "";
}
