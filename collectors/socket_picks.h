// SPDX-License-Identifier: GPL-2.0-or-later
// Picked sockets
//
// The sockets that are worth a row, with what is known of them beyond one look.
#pragma once

#include "collectors/socket_known.h"
#include "collectors/watch.h"

struct socket_counts {
    uint32_t looks, full, empty;
};

struct socket_pick {
    uint64_t key;
    uint64_t place; // its network namespace: id of the socket_place
    char netns[NETNS_NAME_SIZE];
    bool own;  // it is in this process's namespace
    bool seen; // in this look; else its namespace had no turn
    struct socket_view view;
    cell drops_before; // in the look before
    int64_t lost;      // since then
    uint8_t share;
    cell members, members_empty; // of its reuseport group; CELL_NULL: not counted
    int64_t lost_ms; // when it lost something last; INT64_MIN: not as long as it was picked
    // Looks while it loses datagrams, between steps too.
    struct socket_counts counts, counts_before; // before: as of the last row
    uint32_t queue_peak;                        // since the last row
    uint32_t drops_looked;                      // in the last of them
    bool is_shared; // its address and port are: it cannot be looked at alone
    bool looked;    // in this dense look
    // What it was asked.
    int64_t asked_ms; // 0: never
    cell has_filter, rcvbuf_bytes, sndbuf_bytes;
    char *cgroup;       // path; NULL: not known
    uint64_t cgroup_id; // that path is of
    // Who has it, as of this look.
    enum owner_state owner_state;
    unsigned n_owners;
    const char *kernel_user;
};

// More are not worth a step's time and room: those that lose the most are kept.
#define SOCKET_PICKS_MAX 1024

struct socket_picks {
    struct socket_pick *items;
    int64_t *rank;   // of each: what it lost, SOCKET_RANK_WAITING where it was not seen yet
    uint16_t *order; // of the items in rows and in the watch
    size_t n, capacity;
    size_t most;            // that are kept; 0: SOCKET_PICKS_MAX
    struct key_table index; // key -> index + 1
    size_t n_left_out;      // in this look
    int64_t left_out_lost;
};
#define SOCKET_RANK_WAITING (-1)

void socket_picks_done(struct socket_picks *picks);
// Begins a look: all wait to be seen.
void socket_picks_begin(struct socket_picks *picks);
struct socket_pick *socket_picks_find(const struct socket_picks *picks, uint64_t key); // or NULL
// Adds a pick of that key, which is not there yet, all else 0 or unknown; where there is no room,
// in place of one of lower rank. 0, 1: there is none (it is counted as left out), or -ENOMEM.
int socket_picks_add(
        struct socket_picks *picks, uint64_t key, int64_t rank, struct socket_pick **ret);
void socket_picks_set_rank(
        struct socket_picks *picks, const struct socket_pick *pick, int64_t rank);
// Removes all for which it is true.
void socket_picks_remove_if(struct socket_picks *picks,
        bool (*test)(const struct socket_pick *pick, void *data), void *data);
// Fills `order`: those that lost the most first, then by share.
void socket_picks_sort(struct socket_picks *picks);
