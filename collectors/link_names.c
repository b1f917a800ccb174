// SPDX-License-Identifier: GPL-2.0-or-later
// Interface names
#include "collectors/link_names.h"

#include <errno.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

struct link_name {
    int ifindex;
    char name[IFNAMSIZ];
};

void link_names_done(struct link_names *names) {
    if (names->socket >= 0)
        close(names->socket);
    free(names->items);
    *names = LINK_NAMES_EMPTY;
}

static int make_room(struct link_names *names) {
    if (names->n < names->capacity)
        return 0;
    size_t capacity = names->capacity ? names->capacity * 2 : 16;
    struct link_name *items = reallocarray(names->items, capacity, sizeof(*items));
    if (!items)
        return -ENOMEM;
    names->items = items;
    names->capacity = capacity;
    return 0;
}

static int visit(void *userdata, struct nlmsghdr *message) {
    struct link_names *names = userdata;
    if (!message || message->nlmsg_type != RTM_NEWLINK ||
            !nlmsg_valid_hdr(message, sizeof(struct ifinfomsg)))
        return 0;
    struct nlattr *name = nlmsg_find_attr(message, sizeof(struct ifinfomsg), IFLA_IFNAME);
    if (!name || nla_len(name) < 1 || nla_len(name) > IFNAMSIZ)
        return 0;
    int r = make_room(names);
    if (r < 0)
        return r;
    const struct ifinfomsg *info = nlmsg_data(message);
    struct link_name *item = &names->items[names->n++];
    *item = (struct link_name){ .ifindex = info->ifi_index };
    memcpy(item->name, nla_data(name), (size_t) nla_len(name));
    item->name[IFNAMSIZ - 1] = '\0';
    return 0;
}

static int compare(const void *a, const void *b) {
    const struct link_name *x = a, *y = b;
    return (x->ifindex > y->ifindex) - (x->ifindex < y->ifindex);
}

int link_names_begin(struct link_names *names, struct rtnl *rtnl, struct source *source) {
    names->last.ifr_ifindex = 0;
    names->filed = !source->live;
    names->n = 0;
    if (source->live)
        return 0;
    int r = rtnl_read_file(rtnl, source, "link", visit, names);
    if (names->n > 0)
        qsort(names->items, names->n, sizeof(*names->items), compare);
    return r;
}

const char *link_names_find(struct link_names *names, int ifindex) {
    if (names->filed) {
        struct link_name key = { .ifindex = ifindex };
        struct link_name *found =
                names->n > 0 ? bsearch(&key, names->items, names->n, sizeof(*names->items), compare)
                             : NULL;
        return found ? found->name : NULL;
    }
    if (names->last.ifr_ifindex == ifindex)
        return names->last.ifr_name;
    if (names->socket < 0)
        names->socket = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    struct ifreq ask = { .ifr_ifindex = ifindex };
    if (ioctl(names->socket, SIOCGIFNAME, &ask) < 0)
        return NULL;
    names->last = ask;
    return names->last.ifr_name;
}
