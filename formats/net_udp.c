// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/udp, udp6
//
// One line per socket: hash slot, addresses and queues in hexadecimal, the rest decimal. net/tcp
// looks the same up to the inode, and has more or other values behind it.
#include <arpa/inet.h>
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/place.h"
#include "formats/sockets.h"
#include "formats/words.h"

// net/ipv4/udp.c udp4_format_sock(), net/ipv6/datagram.c __ip6_dgram_sock_seq_show(); drops came
// with 2.6.27.
enum {
    SLOT,
    LOCAL,
    REMOTE,
    STATE,
    QUEUES,
    TIMER,
    RETRANSMITS,
    UID,
    TIMEOUT,
    INODE,
    REF,
    POINTER,
    DROPS,
    N_WORDS
};
#define STATE_ESTABLISHED 1

static bool is_header(const struct line *line) {
    struct word words[4];
    return words_split(line->text, words, 4) == 4 && word_is(&words[0], "sl") &&
           word_is(&words[1], "local_address");
}

// In the host's byte order; nearly all hosts are little endian.
static bool parse_host(const struct word *hex, struct pasted_address *ret, unsigned *ret_family) {
    unsigned char bytes[16];
    size_t n = hex->length / 8;
    for (size_t i = 0; i < n; i++) {
        struct word part = { hex->text + i * 8, 8 };
        uint64_t value;
        if (!word_hex(&part, &value))
            return false;
        for (size_t k = 0; k < 4; k++)
            bytes[i * 4 + k] = (unsigned char) (value >> (8 * k));
    }
    *ret_family = n == 1 ? 4 : 6;
    return inet_ntop(n == 1 ? AF_INET : AF_INET6, bytes, ret->host, sizeof(ret->host)) != NULL;
}

static bool parse_address(const struct word *word, struct pasted_address *ret, unsigned *family) {
    const char *colon = memchr(word->text, ':', word->length);
    size_t n = colon ? (size_t) (colon - word->text) : 0;
    if ((n != 8 && n != 32) || word->length != n + 5)
        return false;
    struct word host = { word->text, n }, port = { colon + 1, 4 };
    ret->has_port = true;
    *ret->interface = '\0';
    return parse_host(&host, ret, family) && word_hex(&port, &ret->port);
}

static bool parse_queues(const struct word *word, struct pasted_socket *socket) {
    struct word sent = { word->text, 8 }, received = { word->text + 9, 8 };
    uint64_t tx, rx;
    if (word->length != 17 || word->text[8] != ':' || !word_hex(&sent, &tx) ||
            !word_hex(&received, &rx))
        return false;
    socket->wmem = (int64_t) tx;
    socket->queue = (int64_t) rx;
    return true;
}

static bool is_slot(const struct word *word) {
    struct word number = { word->text, word->length ? word->length - 1 : 0 };
    uint64_t slot;
    return word->length > 1 && word->text[word->length - 1] == ':' && word_count(&number, &slot);
}

// False: the line is no socket, or was cut. A path that grep writes in front is taken off before.
static bool parse_row(const char *text, struct pasted_socket *socket) {
    struct word words[N_WORDS + 1];
    uint64_t state, uid;
    unsigned peer_family;
    size_t n = words_split(text, words, N_WORDS + 1);
    pasted_socket_init(socket);
    if ((n != N_WORDS && n != DROPS) || !is_slot(&words[SLOT]) ||
            !parse_address(&words[LOCAL], &socket->local, &socket->family) ||
            !parse_address(&words[REMOTE], &socket->peer, &peer_family) ||
            words[STATE].length != 2 || !word_hex(&words[STATE], &state) ||
            !parse_queues(&words[QUEUES], socket) || !word_count(&words[UID], &uid))
        return false;
    socket->connected = state == STATE_ESTABLISHED;
    socket->uid = (int64_t) uid;
    return n == DROPS || parse_socket_memory(&words[DROPS], &socket->drops);
}

static const char *row_text(const struct line *line, char *path) {
    const char *rest;
    return place_prefix(line->text, path, PLACE_SIZE, &rest) ? rest : line->text;
}

// "udp" where the path says nothing else; NULL: raw sockets and the like, which look the same.
static const char *protocol_of(const char *path) {
    static const char *const names[][2] = {
        { "net/udplite", "udplite" },
        { "net/udplite6", "udplite" },
        { "net/raw", NULL },
        { "net/raw6", NULL },
        { "net/icmp", NULL },
        { "net/icmp6", NULL },
    };
    size_t n = strlen(path);
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        size_t length = strlen(names[i][0]);
        if (n >= length && strcmp(path + n - length, names[i][0]) == 0)
            return names[i][1];
    }
    return "udp";
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct listing *listing = listing_new();
    const struct line *first = &lines->line[i];
    char path[PLACE_SIZE] = "", prefix[PLACE_SIZE];
    struct pasted_socket socket;
    if (!listing)
        return i + 1;
    place_of(lines, i, path, sizeof(path));
    bool header = is_header(first);
    const char *protocol = protocol_of(path);
    if (header && protocol)
        intake_listed(intake, "socket");
    for (i += header; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        *prefix = '\0';
        if (!parse_row(row_text(line, prefix), &socket))
            break;
        socket.protocol = *prefix ? protocol_of(prefix) : protocol;
        if (socket.protocol)
            listing_add(listing, intake, line, &socket);
        else
            intake_unused(intake, line);
    }
    listing_end(listing, intake, first);
    listing_free(listing);
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    struct pasted_socket socket;
    char path[PLACE_SIZE];
    const struct line *line = &lines->line[i];
    if (is_header(line))
        return strstr(line->text, "drops") ? FORMAT_CERTAIN : FORMAT_NO;
    return parse_row(row_text(line, path), &socket) ? FORMAT_LIKELY + 10 : FORMAT_NO;
}

const struct format format_net_udp = {
    .name = "net-udp",
    .help = "/proc/net/udp, udp6, udplite, udplite6",
    .begins = begins,
    .read = read_block,
};
