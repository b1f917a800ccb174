// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted sockets
#include "formats/sockets.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/owners.h"

// Beyond all inodes of the kernel's sockets, which are 32-bit numbers.
#define PASTED_INODE (UINT64_C(1) << 62)

void pasted_socket_init(struct pasted_socket *socket) {
    *socket = (struct pasted_socket){
        .connected = NOT_TOLD,
        .queue = NOT_TOLD,
        .rmem = NOT_TOLD,
        .rcvbuf = NOT_TOLD,
        .wmem = NOT_TOLD,
        .sndbuf = NOT_TOLD,
        .drops = NOT_TOLD,
        .uid = NOT_TOLD,
    };
}

// Numbers seen before, each with how often.
struct tally {
    struct tally_entry {
        uint64_t number; // 0: free
        unsigned n;
    } * entry;
    size_t n, capacity; // a power of two
};

static unsigned *tally_find(struct tally *tally, uint64_t number) {
    size_t i = (size_t) (number * UINT64_C(0x9e3779b97f4a7c15)) & (tally->capacity - 1);
    while (tally->entry[i].number != 0 && tally->entry[i].number != number)
        i = (i + 1) & (tally->capacity - 1);
    if (tally->entry[i].number == 0) {
        tally->entry[i].number = number;
        tally->n++;
    }
    return &tally->entry[i].n;
}

static bool tally_grow(struct tally *tally) {
    struct tally larger = { .capacity = tally->capacity ? tally->capacity * 4 : 64 };
    larger.entry = calloc(larger.capacity, sizeof(*larger.entry));
    if (!larger.entry)
        return false;
    for (size_t i = 0; i < tally->capacity; i++)
        if (tally->entry[i].number != 0)
            *tally_find(&larger, tally->entry[i].number) = tally->entry[i].n;
    free(tally->entry);
    *tally = larger;
    return true;
}

// How often this number was counted before; it is counted now. NULL: no memory.
static unsigned *tally_count(struct tally *tally, uint64_t number) {
    if (tally->n * 2 >= tally->capacity && !tally_grow(tally))
        return NULL;
    return tally_find(tally, number ? number : 1);
}

static void tally_clear(struct tally *tally) {
    if (tally->n > 0)
        memset(tally->entry, 0, tally->capacity * sizeof(*tally->entry));
    tally->n = 0;
}

struct listed {
    uint64_t group, inode; // group: of the same place and interface
    bool shares, empty;    // unconnected; nothing waits
};

struct listing {
    struct tally places, held, members, empty;
    struct listed *socket;
    size_t n, capacity;
};

struct listing *listing_new(void) {
    return calloc(1, sizeof(struct listing));
}

struct listing *listing_free(struct listing *listing) {
    if (!listing)
        return NULL;
    free(listing->places.entry);
    free(listing->held.entry);
    free(listing->members.entry);
    free(listing->empty.entry);
    free(listing->socket);
    free(listing);
    return NULL;
}

// FNV-1a
static uint64_t mix_bytes(uint64_t hash, const void *data, size_t n) {
    const unsigned char *at = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
    return hash;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
    return mix_bytes(hash, text, strlen(text) + 1);
}

static uint64_t mix_address(uint64_t hash, const struct pasted_address *address) {
    hash = mix_text(hash, address->host);
    uint64_t port = address->has_port ? address->port : UINT64_MAX;
    return mix_bytes(hash, &port, sizeof(port));
}

static bool is_any(const struct pasted_address *address) {
    return !*address->host || strcmp(address->host, "*") == 0 ||
           strcmp(address->host, "0.0.0.0") == 0 || strcmp(address->host, "::") == 0;
}

static bool is_connected(const struct pasted_socket *socket) {
    return socket->connected == NOT_TOLD ? !is_any(&socket->peer) : socket->connected > 0;
}

// Without the interface, which only ss tells.
static uint64_t place_hash(const struct pasted_socket *socket) {
    uint64_t hash = mix_text(UINT64_C(0xcbf29ce484222325), socket->protocol);
    hash = mix_address(hash, &socket->local);
    return is_connected(socket) ? mix_address(hash, &socket->peer) : hash;
}

static bool keep(struct listing *listing, const struct listed *socket) {
    if (listing->n == listing->capacity) {
        size_t capacity = listing->capacity ? listing->capacity * 2 : 64;
        struct listed *room = reallocarray(listing->socket, capacity, sizeof(*room));
        if (!room)
            return false;
        listing->socket = room;
        listing->capacity = capacity;
    }
    listing->socket[listing->n++] = *socket;
    return true;
}

// A descriptor is at one place only: seen again, this is another look at the same sockets.
static bool was_held(struct listing *listing, uint64_t place, const struct owner_name *owner) {
    uint64_t hash = mix_bytes(place, &owner->pid, sizeof(owner->pid));
    unsigned *n =
            owner->has_fd ? tally_count(&listing->held, mix_bytes(hash, &owner->fd, 8)) : NULL;
    return n && (*n)++ > 0;
}

static void put(struct intake *intake, const char *column, int64_t value) {
    if (value != NOT_TOLD)
        intake_set(intake, column, (uint64_t) value);
}

static void put_memory(struct intake *intake, const struct pasted_socket *socket) {
    put(intake, "queue_bytes", socket->queue);
    put(intake, "queue_peak_bytes", socket->queue);
    put(intake, "rmem_bytes", socket->rmem);
    put(intake, "rcvbuf_bytes", socket->rcvbuf);
    put(intake, "wmem_bytes", socket->wmem);
    put(intake, "sndbuf_bytes", socket->sndbuf);
    put(intake, "drops", socket->drops);
    put(intake, "uid", socket->uid);
}

static void put_names(struct intake *intake, const struct pasted_socket *socket) {
    bool connected = is_connected(socket);
    intake_set_text(intake, "protocol", socket->protocol);
    if (socket->family)
        intake_set(intake, "family", socket->family);
    intake_set_text(intake, "address", socket->local.host);
    if (socket->local.has_port)
        intake_set(intake, "port", socket->local.port);
    intake_set_text(intake, "interface", socket->local.interface);
    intake_set_text(intake, "peer_address", connected ? socket->peer.host : "");
    if (!connected || socket->peer.has_port)
        intake_set(intake, "peer_port", connected ? socket->peer.port : 0);
    intake_set(intake, "connected", connected);
    if (*socket->cgroup)
        intake_set_text(intake, "cgroup", socket->cgroup);
}

static unsigned count_owners(const struct pasted_socket *socket) {
    struct owner_name owner;
    uint64_t last = 0;
    unsigned n = socket->program != NULL;
    for (const char *at = socket->owners; at && (at = owner_next(at, &owner)); last = owner.pid)
        n += n == 0 || owner.pid != last;
    return n;
}

static void put_owners(struct intake *intake, const struct line *line,
        const struct pasted_socket *socket, uint64_t inode, unsigned n_owners) {
    struct owner_name owner;
    if (socket->program)
        owner_add(intake, line, inode, socket->program, "");
    for (const char *at = socket->owners; at && (at = owner_next(at, &owner));)
        owner_add(intake, line, inode, &owner, n_owners == 1 ? socket->cgroup : "");
}

// The listing's number of this socket, 0: no memory. Begins another look where it has been here.
static uint64_t name_socket(struct listing *listing, struct intake *intake, const struct line *line,
        const struct pasted_socket *socket) {
    struct owner_name owner;
    uint64_t place = place_hash(socket);
    if (socket->owners && owner_next(socket->owners, &owner) && was_held(listing, place, &owner)) {
        listing_end(listing, intake, line);
        intake_look(intake, line, line->at_ms);
        was_held(listing, place, &owner);
    }
    unsigned *n = tally_count(&listing->places, place);
    if (!n)
        return 0;
    uint64_t inode = (mix_bytes(place, n, sizeof(*n)) & (PASTED_INODE - 1)) | PASTED_INODE;
    (*n)++;
    struct listed listed = { mix_text(place, socket->local.interface), inode, !is_connected(socket),
        socket->queue == 0 };
    return keep(listing, &listed) ? inode : 0;
}

void listing_add(struct listing *listing, struct intake *intake, const struct line *line,
        const struct pasted_socket *socket) {
    char number[24];
    uint64_t inode = name_socket(listing, intake, line, socket);
    if (inode == 0)
        return;
    snprintf(number, sizeof(number), "%" PRIu64, inode);
    intake_row(intake, line, "socket", (const char *const[]){ NULL, "0", number });
    put_names(intake, socket);
    put_memory(intake, socket);
    unsigned n_owners = count_owners(socket);
    if (n_owners == 0)
        return;
    intake_set(intake, "owners", n_owners);
    intake_set_text(intake, "owner_state", "found");
    put_owners(intake, line, socket, inode, n_owners);
}

static void count_members(struct listing *listing) {
    for (size_t i = 0; i < listing->n; i++) {
        const struct listed *listed = &listing->socket[i];
        unsigned *n = tally_count(&listing->members, listed->group);
        unsigned *n_empty = tally_count(&listing->empty, listed->group);
        if (n && n_empty && listed->shares) {
            (*n)++;
            *n_empty += listed->empty;
        }
    }
}

void listing_end(struct listing *listing, struct intake *intake, const struct line *line) {
    char number[24];
    count_members(listing);
    for (size_t i = 0; i < listing->n; i++) {
        const struct listed *listed = &listing->socket[i];
        unsigned *n = tally_count(&listing->members, listed->group);
        unsigned *n_empty = tally_count(&listing->empty, listed->group);
        if (!listed->shares || !n || !n_empty)
            continue;
        snprintf(number, sizeof(number), "%" PRIu64, listed->inode);
        intake_row(intake, line, "socket", (const char *const[]){ NULL, "0", number });
        intake_set(intake, "reuseport_members", *n);
        intake_set(intake, "reuseport_empty", *n_empty);
    }
    listing->n = 0;
    tally_clear(&listing->places);
    tally_clear(&listing->held);
    tally_clear(&listing->members);
    tally_clear(&listing->empty);
}
