// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted sockets
//
// Rows of the socket table from listings. Listings do not agree on what names a socket: some have
// its inode, some its cookie, most neither. So a socket is known by its addresses and by how many
// of the same stand before it in the listing, which is in the kernel's order in all of them. In the
// table it has an inode above all that the kernel gives.
#pragma once

#include "formats/intake.h"
#include "formats/words.h"

#define SOCKET_TEXT_SIZE 80

struct owner_name; // owners.h

struct pasted_address {
    char host[SOCKET_TEXT_SIZE];      // without brackets; "*": all, of a family that is not told
    char interface[SOCKET_TEXT_SIZE]; // behind a %; empty: none
    uint64_t port;
    bool has_port; // false: a name that is not known
};

#define NOT_TOLD INT64_MIN

struct pasted_socket {
    const char *protocol; // "udp", "udplite"
    unsigned family;      // 4, 6; 0: not told
    struct pasted_address local, peer;
    // As in table socket; NOT_TOLD: not told.
    int64_t connected, queue, rmem, rcvbuf, wmem, sndbuf, drops, uid;
    const char
            *owners; // as ss prints them, to the end of its line: (("name",pid=1,fd=2)); NULL: none
    const struct owner_name *program; // the only one that netstat names; NULL: none
    char cgroup[256];
};

// Nothing is told.
void pasted_socket_init(struct pasted_socket *socket);

// "0.0.0.0:514", "[::]:514", ":::514", "*:mdns", "192.0.2.26%eth0:68", "IP:2055". The family is
// told by brackets, colons and dots; 0: not told. False: this is no address.
bool parse_socket_address(
        const struct word *word, struct pasted_address *ret, unsigned *ret_family);
// A number that may be printed with a sign, as a 32-bit one that wrapped around; *ret is then what
// the kernel counts. False: not a number.
bool parse_socket_memory(const struct word *word, int64_t *ret);

struct listing;
struct listing *listing_new(void);                     // NULL: no memory
struct listing *listing_free(struct listing *listing); // returns NULL
// Adds a socket's rows. The same socket (of the same address, and descriptor of the same process)
// again in one listing is another look.
void listing_add(struct listing *listing, struct intake *intake, const struct line *line,
        const struct pasted_socket *socket);
// Tells which sockets share their address. At the end of a listing, or between two of them.
void listing_end(struct listing *listing, struct intake *intake, const struct line *line);
