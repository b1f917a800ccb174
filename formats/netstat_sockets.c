// SPDX-License-Identifier: GPL-2.0-or-later
// netstat -anup
//
// net-tools and BusyBox: Proto, queues, addresses, a state that UDP mostly lacks, then what -e
// (user, inode) and -p (PID/program) add. Addresses are cut to their column unless -W was given.
#include <string.h>

#include "formats/list.h"
#include "formats/owners.h"
#include "formats/sockets.h"
#include "formats/words.h"

static const struct {
    const char *name, *protocol;
    unsigned family;
} protocols[] = {
    { "udp", "udp", 4 },
    { "udp6", "udp", 6 },
    { "udpl", "udplite", 4 },
    { "udpl6", "udplite", 6 },
    { "udplite", "udplite", 4 },
    { "udplite6", "udplite", 6 },
    { "tcp", NULL, 4 },
    { "tcp6", NULL, 6 },
    { "raw", NULL, 4 },
    { "raw6", NULL, 6 },
    { "icmp", NULL, 4 },
    { "icmp6", NULL, 6 },
    { "sctp", NULL, 4 },
};
#define N_PROTOCOLS (sizeof(protocols) / sizeof(protocols[0]))

// The queues are translated in Czech and Japanese (net-tools: po/*.po).
static bool is_header(const struct line *line) {
    static const char *const queues[][2] = { { "Recv-Q", "Send-Q" }, { "Přích-F", "Odch-F" },
        { "受信-Q", "送信-Q" } };
    const char *text = line->text + line->indent;
    bool has = false;
    for (size_t i = 0; i < sizeof(queues) / sizeof(queues[0]); i++)
        has |= strstr(text, queues[i][0]) && strstr(text, queues[i][1]);
    return has && strncmp(text, "Proto", 5) == 0;
}

// "Active Internet connections (only servers)" and its translations stand just above it.
static bool is_title(const struct lines *lines, size_t i) {
    return i + 1 < lines->n && lines->line[i + 1].kind == LINE_TEXT &&
           is_header(&lines->line[i + 1]) && !is_header(&lines->line[i]);
}

static size_t protocol_of(const struct word *word) {
    size_t i = 0;
    while (i < N_PROTOCOLS && !word_is(word, protocols[i].name))
        i++;
    return i;
}

enum { PROTO, RECV, SEND, LOCAL, PEER, REST, N_WORDS = 6 };

// -o adds a timer, "off (0.00/0/0)", behind the program's name.
static void cut_timer(char *name) {
    static const char *const timers[] = { " off (", " on (", " keepalive (", " timewait (",
        " probe (", " unkn-" };
    for (size_t i = 0; i < sizeof(timers) / sizeof(timers[0]); i++) {
        char *at = strstr(name, timers[i]);
        if (!at)
            continue;
        while (at > name && at[-1] == ' ')
            at--;
        *at = '\0';
    }
}

// The pid and program stand last; a program's name may contain blanks.
static const char *find_program(const char *rest, struct owner_name *owner) {
    for (;;) {
        rest += strspn(rest, " \t");
        if (!*rest)
            return NULL;
        if (owner_program(rest, owner)) {
            cut_timer(owner->comm);
            return rest;
        }
        rest += strcspn(rest, " \t");
    }
}

// A state stands alone; a number behind it or in its place is the user of -e.
static void take_rest(const char *rest, struct pasted_socket *socket) {
    static const char *const connected[] = { "ESTABLISHED", "VERBUNDEN", "SPOJENO",
        "ESTABELECIDA" };
    struct word words[3];
    uint64_t uid, inode;
    size_t n = words_split(rest, words, 3), i = 0;
    for (size_t k = 0; n > 0 && k < sizeof(connected) / sizeof(connected[0]); k++)
        if (word_is(&words[0], connected[k]))
            socket->connected = 1;
    if (n > 0 && !word_count(&words[0], &uid))
        i++;
    if (n >= i + 2 && word_count(&words[i], &uid) && word_count(&words[i + 1], &inode) &&
            uid <= UINT32_MAX)
        socket->uid = (int64_t) uid;
}

// False: no such line. socket->protocol is NULL for other protocols.
static bool parse_row(
        const struct line *line, struct pasted_socket *socket, const char **ret_rest) {
    struct word words[N_WORDS];
    unsigned family, peer_family;
    int64_t sent;
    size_t n = words_split(line->text, words, N_WORDS);
    size_t protocol = n > PEER ? protocol_of(&words[PROTO]) : N_PROTOCOLS;
    pasted_socket_init(socket);
    if (protocol == N_PROTOCOLS || !parse_socket_memory(&words[RECV], &socket->queue) ||
            !parse_socket_memory(&words[SEND], &sent) ||
            !parse_socket_address(&words[LOCAL], &socket->local, &family) ||
            !parse_socket_address(&words[PEER], &socket->peer, &peer_family))
        return false;
    socket->protocol = protocols[protocol].protocol;
    // net-tools before 2.0 has no udp6.
    socket->family = family ? family : protocols[protocol].family;
    *ret_rest = n > REST ? words[REST].text : line->text + line->length;
    take_rest(*ret_rest, socket);
    return true;
}

// As the kernel names it in the other listings.
static void complete(struct pasted_socket *socket) {
    if (strcmp(socket->local.host, "*") == 0)
        strcpy(socket->local.host, socket->family == 6 ? "::" : "0.0.0.0");
}

static void add_row(struct listing *listing, struct intake *intake, const struct line *line,
        struct pasted_socket *socket, const char *rest) {
    struct owner_name owner;
    if (!socket->protocol) {
        intake_unused(intake, line);
        return;
    }
    complete(socket);
    socket->program = find_program(rest, &owner) ? &owner : NULL;
    listing_add(listing, intake, line, socket);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct listing *listing = listing_new();
    const struct line *first = &lines->line[i];
    struct pasted_socket socket;
    const char *rest;
    if (!listing)
        return i + 1;
    i += is_title(lines, i);
    if (i < lines->n && is_header(&lines->line[i])) {
        intake_listed(intake, "socket");
        i++;
    }
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        if (!parse_row(&lines->line[i], &socket, &rest))
            break;
        add_row(listing, intake, &lines->line[i], &socket, rest);
    }
    listing_end(listing, intake, first);
    listing_free(listing);
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    struct pasted_socket socket;
    const char *rest;
    const struct line *line = &lines->line[i];
    if (is_header(line) || (is_title(lines, i) && line->indent == 0))
        return FORMAT_CERTAIN;
    return parse_row(line, &socket, &rest) ? FORMAT_LIKELY : FORMAT_NO;
}

const struct format format_netstat_sockets = {
    .name = "netstat-sockets",
    .help = "netstat -anup, -unlp",
    .begins = begins,
    .read = read_block,
};
