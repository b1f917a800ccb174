// SPDX-License-Identifier: GPL-2.0-or-later
// Address aliases
#include "cli/aliases.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 24

struct alias {
    char *address;
    char name[NAME_SIZE];
};

struct aliases {
    void *tree;
    unsigned n;
};

// Columns that hold one.
static const struct {
    const char *table, *column;
} held[] = {
    { "socket", "address" },
    { "socket", "peer_address" },
};

static bool holds_address(const struct table *table, const struct column *column) {
    for (size_t i = 0; i < sizeof(held) / sizeof(held[0]); i++)
        if (strcmp(held[i].table, table->name) == 0 && strcmp(held[i].column, column->name) == 0)
            return true;
    return false;
}

static bool tells_nothing(const char *text) {
    struct in_addr v4;
    struct in6_addr v6;
    if (inet_pton(AF_INET, text, &v4) == 1) {
        in_addr_t address = ntohl(v4.s_addr);
        return address == INADDR_ANY || address >> 24 == IN_LOOPBACKNET || IN_MULTICAST(address) ||
               address == INADDR_BROADCAST;
    }
    return inet_pton(AF_INET6, text, &v6) == 1 &&
           (IN6_IS_ADDR_UNSPECIFIED(&v6) || IN6_IS_ADDR_LOOPBACK(&v6) ||
                   IN6_IS_ADDR_MULTICAST(&v6));
}

static int by_address(const void *a, const void *b) {
    const struct alias *x = a, *y = b;
    return strcmp(x->address, y->address);
}

static void free_alias(void *node) {
    struct alias *alias = node;
    free(alias->address);
    free(alias);
}

struct aliases *aliases_new(void) {
    return calloc(1, sizeof(struct aliases));
}

struct aliases *aliases_free(struct aliases *aliases) {
    if (aliases)
        tdestroy(aliases->tree, free_alias);
    free(aliases);
    return NULL;
}

static struct alias *add(struct aliases *aliases, const char *address) {
    struct alias *alias = calloc(1, sizeof(*alias));
    if (!alias || !(alias->address = strdup(address)) ||
            !tsearch(alias, &aliases->tree, by_address)) {
        if (alias)
            free_alias(alias);
        return NULL;
    }
    snprintf(alias->name, sizeof(alias->name), "v%c-%u", strchr(address, ':') ? '6' : '4',
            ++aliases->n);
    return alias;
}

const char *aliases_replace(
        void *data, const struct table *table, const struct column *column, const char *text) {
    struct aliases *aliases = data;
    struct alias key = { .address = (char *) text };
    if (!*text || !holds_address(table, column) || tells_nothing(text))
        return text;
    struct alias *const *found = tfind(&key, &aliases->tree, by_address);
    const struct alias *alias = found ? *found : add(aliases, text);
    return alias ? alias->name : NULL;
}
