// SPDX-License-Identifier: GPL-2.0-or-later
// ss
//
// Rows of sockets, each with what -m, -e and -p add: on the same line, on one that begins with blanks,
// or behind a break of the terminal. The columns Netid and State are left out where they would be the
// same for all. iproute2 before 4.16 writes * for 0.0.0.0 and :: for all of IPv6; later ones write *
// for a socket that takes both.
#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "formats/list.h"
#include "formats/owners.h"
#include "formats/sockets.h"
#include "formats/words.h"

enum protocol { PROTOCOL_NOT_TOLD, PROTOCOL_UDP, PROTOCOL_UDPLITE, PROTOCOL_OTHER };

static const struct {
    const char *name;
    enum protocol protocol;
} netids[] = {
    { "udp", PROTOCOL_UDP },
    { "udplite", PROTOCOL_UDPLITE },
    { "udpl", PROTOCOL_UDPLITE },
    { "tcp", PROTOCOL_OTHER },
    { "mptcp", PROTOCOL_OTHER },
    { "dccp", PROTOCOL_OTHER },
    { "sctp", PROTOCOL_OTHER },
    { "raw", PROTOCOL_OTHER },
    { "icmp6", PROTOCOL_OTHER },
    { "nl", PROTOCOL_OTHER },
    { "p_raw", PROTOCOL_OTHER },
    { "p_dgr", PROTOCOL_OTHER },
    { "u_str", PROTOCOL_OTHER },
    { "u_dgr", PROTOCOL_OTHER },
    { "u_seq", PROTOCOL_OTHER },
    { "v_str", PROTOCOL_OTHER },
    { "v_dgr", PROTOCOL_OTHER },
    { "tipc", PROTOCOL_OTHER },
    { "ti_st", PROTOCOL_OTHER },
    { "xdp", PROTOCOL_OTHER },
    { "???", PROTOCOL_OTHER },
};

// UDP knows two of the states; raw sockets are UNCONN too, but are not listed without a Netid.
static const struct {
    const char *name;
    enum protocol protocol;
    int connected;
} states[] = {
    { "UNCONN", PROTOCOL_UDP, 0 },
    { "ESTAB", PROTOCOL_NOT_TOLD, 1 },
    { "LISTEN", PROTOCOL_OTHER, 0 },
    { "SYN-SENT", PROTOCOL_OTHER, 0 },
    { "SYN-RECV", PROTOCOL_OTHER, 0 },
    { "FIN-WAIT-1", PROTOCOL_OTHER, 0 },
    { "FIN-WAIT-2", PROTOCOL_OTHER, 0 },
    { "TIME-WAIT", PROTOCOL_OTHER, 0 },
    { "CLOSE-WAIT", PROTOCOL_OTHER, 0 },
    { "LAST-ACK", PROTOCOL_OTHER, 0 },
    { "CLOSING", PROTOCOL_OTHER, 0 },
};

enum stage { STAGE_NETID, STAGE_RECV, STAGE_SEND, STAGE_LOCAL, STAGE_PEER, STAGE_REST };

struct row {
    const struct line *line;
    enum stage stage; // what comes next
    enum protocol netid, state; // what the columns say
    bool has_netid, has_state;
    bool has_inode;
    struct pasted_socket socket;
    unsigned peer_family;
};

static int netid_of(const struct word *word) {
    for (size_t i = 0; i < sizeof(netids) / sizeof(netids[0]); i++)
        if (word_is(word, netids[i].name))
            return (int) i;
    return -1;
}

static int state_of(const struct word *word) {
    for (size_t i = 0; i < sizeof(states) / sizeof(states[0]); i++)
        if (word_is(word, states[i].name))
            return (int) i;
    return -1;
}

// The terminal may have broken it: its lines, 1 or 2; 0: none.
static size_t header_lines(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    const char *text = line->text;
    if (line->kind != LINE_TEXT || !strstr(text, "Recv-Q") || !strstr(text, "Send-Q") ||
            strncmp(text + line->indent, "Proto", 5) == 0)
        return 0;
    if (strstr(text, "Address:Port"))
        return 1;
    return i + 1 < lines->n && lines->line[i + 1].kind == LINE_TEXT &&
                           strstr(lines->line[i + 1].text, "Address:Port")
                   ? 2
                   : 0;
}

static bool take_column(struct row *row, const struct word *word) {
    int i = -1;
    if (!row->has_netid && !row->has_state && (i = netid_of(word)) >= 0) {
        row->has_netid = true;
        row->netid = netids[i].protocol;
    } else if (!row->has_state && (i = state_of(word)) >= 0) {
        row->has_state = true;
        row->state = states[i].protocol;
        row->socket.connected = states[i].connected;
    }
    return i >= 0;
}

// Takes the word if it is what comes next.
static bool take_word(struct row *row, const struct word *word) {
    int64_t sent;
    switch (row->stage) {
    case STAGE_NETID:
        if (take_column(row, word))
            return true;
        row->stage = STAGE_RECV;
        return take_word(row, word);
    case STAGE_RECV:
        row->stage = STAGE_SEND;
        return parse_socket_memory(word, &row->socket.queue);
    case STAGE_SEND:
        row->stage = STAGE_LOCAL;
        return parse_socket_memory(word, &sent);
    case STAGE_LOCAL:
        row->stage = STAGE_PEER;
        return parse_socket_address(word, &row->socket.local, &row->socket.family);
    case STAGE_PEER:
        row->stage = STAGE_REST;
        return parse_socket_address(word, &row->socket.peer, &row->peer_family);
    case STAGE_REST:
        break;
    }
    return false;
}

// Takes the columns of a line, up to the peer's address. *ret_rest: what stands behind. False: it is
// no row, or no part of one.
static bool take_columns(struct row *row, const char *text, const char **ret_rest) {
    while (row->stage < STAGE_REST) {
        text += strspn(text, " \t");
        struct word word = { text, strcspn(text, " \t") };
        if (word.length == 0)
            break;
        if (!take_word(row, &word))
            return false;
        text += word.length;
    }
    *ret_rest = text;
    return true;
}

// Of other families addresses look differently.
static bool is_other(const struct line *line, struct row *row) {
    struct word words[4];
    int64_t number;
    size_t n = words_split(line->text, words, 4);
    int netid = n == 4 ? netid_of(&words[0]) : -1;
    if (netid < 0 || netids[netid].protocol != PROTOCOL_OTHER ||
            (state_of(&words[1]) < 0 && !parse_socket_memory(&words[1], &number)) ||
            !parse_socket_memory(&words[2], &number))
        return false;
    row->has_netid = row->has_state = true;
    row->netid = PROTOCOL_OTHER;
    row->stage = STAGE_REST;
    return true;
}

// Begins a row. False: the line is none.
static bool begin_row(const struct line *line, struct row *row, const char **ret_rest) {
    *row = (struct row){ .line = line, .stage = STAGE_NETID };
    pasted_socket_init(&row->socket);
    if (is_other(line, row)) {
        *ret_rest = line->text + line->length;
        return true;
    }
    if (!take_columns(row, line->text, ret_rest))
        return false;
    // Two numbers alone may be anything.
    return row->stage > STAGE_PEER || ((row->has_netid || row->has_state) && row->stage > STAGE_SEND);
}

static const struct {
    const char *name;
    size_t at;
} memory[] = {
    // sock_diag(7), INET_DIAG_SKMEMINFO; and -m before iproute2 3.x: r, w, f, t
    { "r", offsetof(struct pasted_socket, rmem) },
    { "rb", offsetof(struct pasted_socket, rcvbuf) },
    { "t", offsetof(struct pasted_socket, wmem) },
    { "tb", offsetof(struct pasted_socket, sndbuf) },
    { "d", offsetof(struct pasted_socket, drops) },
};

static void take_memory_item(struct pasted_socket *socket, const char *text, size_t n) {
    size_t letters = 0;
    while (letters < n && isalpha((unsigned char) text[letters]))
        letters++;
    struct word name = { text, letters }, number = { text + letters, n - letters };
    for (size_t i = 0; i < sizeof(memory) / sizeof(memory[0]); i++)
        if (word_is(&name, memory[i].name))
            parse_socket_memory(&number, (int64_t *) ((char *) socket + memory[i].at));
    if (word_is(&name, "d") && number.length > 0 && *number.text == '-')
        socket->drops = NOT_TOLD; // ss prints it without a sign
}

// A last item without what should follow it was cut.
static void take_memory(struct pasted_socket *socket, const char *text) {
    for (;;) {
        size_t n = strcspn(text, ",) \t");
        if (text[n] != ',' && text[n] != ')')
            return;
        take_memory_item(socket, text, n);
        if (text[n] == ')')
            return;
        text += n + 1;
    }
}

static void take_uid(struct row *row, const char *text) {
    struct word word = { text, strcspn(text, " \t") };
    uint64_t uid;
    if (word_count(&word, &uid) && uid <= UINT32_MAX)
        row->socket.uid = (int64_t) uid;
}

static void take_inode(struct row *row, const char *text) {
    row->has_inode = true;
}

static void take_cgroup(struct row *row, const char *text) {
    size_t n = strcspn(text, " \t");
    if (*text != '/' || n >= sizeof(row->socket.cgroup))
        return; // "unreachable:1a2b": deleted meanwhile
    memcpy(row->socket.cgroup, text, n);
    row->socket.cgroup[n] = '\0';
}

static void take_skmem(struct row *row, const char *text) {
    take_memory(&row->socket, text);
}

static const struct {
    const char *name;
    void (*take)(struct row *row, const char *text);
} attributes[] = {
    { "skmem:(", take_skmem },
    { "mem:(", take_skmem },
    { "uid:", take_uid },
    { "ino:", take_inode },
    { "cgroup:", take_cgroup },
};

static const char users[] = "users:(";

// Names of programs may contain anything, so what stands behind them begins at their end.
static const char *behind_users(const char *text) {
    struct owner_name owner;
    for (const char *next; (next = owner_next(text, &owner)); text = next)
        if (strncmp(next, "))", 2) == 0)
            return next + 2;
    return text + strlen(text);
}

static void take_attributes(struct row *row, const char *text) {
    while (*(text += strspn(text, " \t"))) {
        if (strncmp(text, users, sizeof(users) - 1) == 0) {
            if (!row->socket.owners)
                row->socket.owners = text + sizeof(users) - 1;
            text = behind_users(text);
            continue;
        }
        for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++) {
            size_t n = strlen(attributes[i].name);
            if (strncmp(text, attributes[i].name, n) == 0)
                attributes[i].take(row, text + n);
        }
        text += strcspn(text, " \t");
    }
}

static bool begins_attribute(const char *text) {
    static const char *const others[] = { "timer:", "sk:", "proc_ctx=", "fwmark:", "<->", "-->",
        "---", "v6only:", "bpf:" };
    if (strncmp(text, users, sizeof(users) - 1) == 0)
        return true;
    for (size_t i = 0; i < sizeof(attributes) / sizeof(attributes[0]); i++)
        if (strncmp(text, attributes[i].name, strlen(attributes[i].name)) == 0)
            return true;
    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        if (strncmp(text, others[i], strlen(others[i])) == 0)
            return true;
    return false;
}

struct block {
    struct intake *intake;
    const struct lines *lines;
    struct listing *listing;
    enum protocol protocol;      // of rows without a Netid
    unsigned star_family;        // what * stands for; 0: not told
    bool open;                   // a row was begun
    struct row row;
};

// What TCP alone prints with -i or -o.
static bool is_tcp_text(const char *text) {
    return strstr(text, "cwnd:") || strstr(text, "rto:") || strstr(text, "timer:(");
}

static enum protocol command_protocol(const char *command) {
    struct word words[16];
    size_t n = command ? words_split(command, words, 16) : 0;
    enum protocol protocol = PROTOCOL_NOT_TOLD;
    for (size_t i = 0; i < n && !word_is(&words[i], "|"); i++) {
        bool letters = words[i].length > 1 && words[i].text[0] == '-' && words[i].text[1] != '-';
        if ((letters && memchr(words[i].text, 'u', words[i].length)) || word_is(&words[i], "--udp"))
            return PROTOCOL_UDP;
        if ((letters && memchr(words[i].text, 't', words[i].length)) || word_is(&words[i], "--tcp"))
            protocol = PROTOCOL_OTHER;
    }
    return protocol;
}

static bool has_address(const char *text, const char *begin) {
    const char *found = strstr(text, begin);
    return found && (found == text || found[-1] == ' ' || found[-1] == '\t');
}

static bool ends_listing(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct row row;
    const char *rest;
    return line->indent == 0 && !begins_attribute(line->text) && !begin_row(line, &row, &rest);
}

// What the rows say together.
static void survey(struct block *block, size_t i) {
    const struct lines *lines = block->lines;
    block->protocol = command_protocol(lines_command(lines, i));
    bool given = block->protocol != PROTOCOL_NOT_TOLD, udp = false, other = false;
    bool newer = false, older = false;
    for (size_t begin = i; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const char *text = lines->line[i].text;
        if (i > begin && ends_listing(lines, i))
            break;
        struct word first;
        int state = words_split(text, &first, 1) == 1 ? state_of(&first) : -1;
        udp |= state >= 0 && states[state].protocol == PROTOCOL_UDP;
        other |= (state >= 0 && states[state].protocol == PROTOCOL_OTHER) ||
                 (!udp && !other && is_tcp_text(text));
        newer = newer || has_address(text, "0.0.0.0:") || has_address(text, "[");
        older = older || has_address(text, ":::");
    }
    if (!given)
        block->protocol = udp      ? PROTOCOL_UDP
                          : other ? PROTOCOL_OTHER
                                  : PROTOCOL_NOT_TOLD;
    block->star_family = newer ? 6 : older ? 4 : 0;
}

static void resolve_star(struct pasted_address *address, unsigned family) {
    if (strcmp(address->host, "*") == 0 && family)
        strcpy(address->host, family == 6 ? "::" : "0.0.0.0");
}

static enum protocol protocol_of(const struct block *block) {
    const struct row *row = &block->row;
    if (row->has_netid)
        return row->netid;
    return row->state == PROTOCOL_OTHER ? PROTOCOL_OTHER : block->protocol;
}

static void end_row(struct block *block) {
    struct row *row = &block->row;
    if (!block->open)
        return;
    block->open = false;
    if (row->stage < STAGE_PEER) {
        intake_skip(block->intake, row->line);
        return;
    }
    enum protocol protocol = protocol_of(block);
    if (protocol == PROTOCOL_OTHER) {
        intake_unused(block->intake, row->line);
        return;
    }
    struct pasted_socket *socket = &row->socket;
    socket->protocol = protocol == PROTOCOL_UDPLITE ? "udplite" : "udp";
    if (socket->family == 0 && strcmp(socket->local.host, "*") == 0)
        socket->family = block->star_family;
    resolve_star(&socket->local, block->star_family);
    resolve_star(&socket->peer, block->star_family);
    // -e leaves user 0 out.
    if (row->has_inode && socket->uid == NOT_TOLD)
        socket->uid = 0;
    listing_add(block->listing, block->intake, row->line, socket);
}

// Another output without an empty line before it, such as that of ps.
static bool is_other_output(const struct lines *lines, size_t i) {
    for (size_t f = 0; f < n_formats; f++)
        if (formats[f] != &format_ss && formats[f]->begins(lines, i) >= FORMAT_LIKELY)
            return true;
    return false;
}

// Whether the line belongs to the block.
static bool take_line(struct block *block, const struct line *line) {
    const char *text = line->text + line->indent, *rest;
    if (block->open && begins_attribute(text)) {
        take_attributes(&block->row, text);
        return true;
    }
    struct row row;
    if (begin_row(line, &row, &rest)) {
        end_row(block);
        block->row = row;
        block->open = true;
        take_attributes(&block->row, rest);
        return true;
    }
    if (!block->open || block->row.stage == STAGE_REST)
        return block->open && line->indent > 0 && // other details, such as those of -i
               !is_other_output(block->lines, (size_t) (line - block->lines->line));
    if (!take_columns(&block->row, line->text, &rest))
        return false;
    take_attributes(&block->row, rest);
    return true;
}

// A blank line between rows does not end the listing.
static bool goes_on(const struct lines *lines, size_t i) {
    struct row row;
    const char *rest;
    return i < lines->n && lines->line[i].kind == LINE_TEXT && header_lines(lines, i) == 0 &&
           begin_row(&lines->line[i], &row, &rest) && (row.has_netid || row.has_state);
}

static size_t read_rows(struct block *block, size_t i) {
    const struct lines *lines = block->lines;
    for (; i < lines->n; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK && goes_on(lines, i + 1))
            continue;
        if (line->kind != LINE_TEXT || header_lines(lines, i) > 0 || !take_line(block, line))
            break;
    }
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct block block = { .intake = intake, .lines = lines, .listing = listing_new() };
    const struct line *first = &lines->line[i];
    if (!block.listing)
        return i + 1;
    survey(&block, i);
    size_t header = header_lines(lines, i);
    size_t end = read_rows(&block, i + header);
    end_row(&block);
    listing_end(block.listing, intake, first);
    if (block.protocol != PROTOCOL_OTHER && header > 0)
        intake_listed(intake, "socket");
    listing_free(block.listing);
    return end;
}

static int begins(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct row row;
    const char *rest;
    if (header_lines(lines, i) > 0)
        return FORMAT_CERTAIN;
    if (!begin_row(line, &row, &rest) || row.stage < STAGE_PEER)
        return FORMAT_NO;
    if (row.has_state)
        return FORMAT_LIKELY + 10;
    bool details = begins_attribute(rest + strspn(rest, " \t")) ||
                   (i + 1 < lines->n && begins_attribute(lines->line[i + 1].text +
                                                         lines->line[i + 1].indent));
    return details ? FORMAT_LIKELY + 10 : FORMAT_NO;
}

const struct format format_ss = {
    .name = "ss",
    .help = "ss -u with any of -a -e -l -m -n -p",
    .begins = begins,
    .read = read_block,
};
