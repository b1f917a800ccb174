// SPDX-License-Identifier: GPL-2.0-or-later
// Known sockets
//
// The 8 bytes that are kept of every socket between two looks, and what a look says against them.
#pragma once

#include <string.h>

#include "collectors/key_table.h"
#include "collectors/socket_view.h"

struct known_socket {
    uint32_t drops;
    uint16_t until_s; // listed until then (seconds of the monotonic clock, modulo 2^16); 0: not
                      // listed
    uint8_t look;     // number of the list that it was in last
    uint8_t share;    // percent of its buffer that was in use
};
_Static_assert(sizeof(struct known_socket) == sizeof(uint64_t), "it is the value of a key_entry");

static inline struct known_socket known_socket_get(const struct key_entry *entry) {
    struct known_socket known;
    memcpy(&known, &entry->value, sizeof(known));
    return known;
}
static inline void known_socket_put(struct key_entry *entry, struct known_socket known) {
    memcpy(&entry->value, &known, sizeof(known));
}

// A socket in which something happened is listed for so long.
#define SOCKET_LISTED_S 60

// Its key: never the same for two sockets, also where port, inode or (before 4.1) cookie are used
// again. Not 0.
uint64_t socket_key(const struct socket_view *view);

// Percent of the buffer, up to SOCKET_SHARE_MAX. `limit`: its size where the view does not tell it.
#define SOCKET_SHARE_MAX 250
uint8_t socket_share(const struct socket_view *view, uint32_t limit);
// Whether nothing, or next to nothing, fits into its buffer. `lost`: it dropped datagrams in the
// time before. Since 6.18 a datagram that would pass the limit is dropped, so that a large one is
// refused long before the limit is reached; earlier kernels let one pass it. So: 90 percent, or no
// room for the smallest datagram, or more than half and losing.
bool socket_is_full(const struct socket_view *view, uint32_t limit, bool lost);

// Lists it, as if something had happened to it.
void known_socket_list(struct known_socket *known, int64_t now_ms);

struct socket_news {
    bool listed;       // it is worth a row
    cell drops_before; // in the look before; CELL_NULL: not known
    int64_t lost;      // since then; 0 where that is not known
    uint8_t share;
};
// How the look before knew the socket.
enum socket_past {
    SOCKET_KNOWN,
    SOCKET_NEW,     // it was not there: all its drops are since then
    SOCKET_UNKNOWN, // there was no look before: drops are of the past
};
// Brings `known` up to date, but for its `look`.
struct socket_news socket_judge(const struct socket_view *view, enum socket_past past,
        uint32_t limit, int64_t now_ms, struct known_socket *known);
