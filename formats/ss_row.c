// SPDX-License-Identifier: GPL-2.0-or-later
// Rows of ss
#include "formats/ss_row.h"

#include <ctype.h>
#include <stddef.h>
#include <string.h>

#include "formats/owners.h"

static const struct {
    const char *name;
    enum ss_protocol protocol;
} netids[] = {
    { "udp", SS_UDP },
    { "udplite", SS_UDPLITE },
    { "udpl", SS_UDPLITE },
    { "tcp", SS_OTHER },
    { "mptcp", SS_OTHER },
    { "dccp", SS_OTHER },
    { "sctp", SS_OTHER },
    { "raw", SS_OTHER },
    { "icmp6", SS_OTHER },
    { "nl", SS_OTHER },
    { "p_raw", SS_OTHER },
    { "p_dgr", SS_OTHER },
    { "u_str", SS_OTHER },
    { "u_dgr", SS_OTHER },
    { "u_seq", SS_OTHER },
    { "v_str", SS_OTHER },
    { "v_dgr", SS_OTHER },
    { "tipc", SS_OTHER },
    { "ti_st", SS_OTHER },
    { "xdp", SS_OTHER },
    { "???", SS_OTHER },
};

// UDP knows two of the states; raw sockets are UNCONN too, but are not listed without a Netid.
static const struct {
    const char *name;
    enum ss_protocol protocol;
    int connected;
} states[] = {
    { "UNCONN", SS_UDP, 0 },
    { "ESTAB", SS_NOT_TOLD, 1 },
    { "LISTEN", SS_OTHER, 0 },
    { "SYN-SENT", SS_OTHER, 0 },
    { "SYN-RECV", SS_OTHER, 0 },
    { "FIN-WAIT-1", SS_OTHER, 0 },
    { "FIN-WAIT-2", SS_OTHER, 0 },
    { "TIME-WAIT", SS_OTHER, 0 },
    { "CLOSE-WAIT", SS_OTHER, 0 },
    { "LAST-ACK", SS_OTHER, 0 },
    { "CLOSING", SS_OTHER, 0 },
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

static bool take_column(struct ss_row *row, const struct word *word) {
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
static bool take_word(struct ss_row *row, const struct word *word) {
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

// Takes the columns of a line, up to the peer's address. *ret_rest: what stands behind. False: it
// is no row, or no part of one.
bool ss_row_go_on(struct ss_row *row, const char *text, const char **ret_rest) {
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
static bool is_other(const struct line *line, struct ss_row *row) {
    struct word words[4];
    int64_t number;
    size_t n = words_split(line->text, words, 4);
    int netid = n == 4 ? netid_of(&words[0]) : -1;
    if (netid < 0 || netids[netid].protocol != SS_OTHER ||
            (state_of(&words[1]) < 0 && !parse_socket_memory(&words[1], &number)) ||
            !parse_socket_memory(&words[2], &number))
        return false;
    row->has_netid = row->has_state = true;
    row->netid = SS_OTHER;
    row->stage = STAGE_REST;
    return true;
}

// Begins a row. False: the line is none.
bool ss_row_begin(const struct line *line, struct ss_row *row, const char **ret_rest) {
    *row = (struct ss_row){ .line = line, .stage = STAGE_NETID };
    pasted_socket_init(&row->socket);
    if (is_other(line, row)) {
        *ret_rest = line->text + line->length;
        return true;
    }
    if (!ss_row_go_on(row, line->text, ret_rest))
        return false;
    // Two numbers alone may be anything.
    return row->stage > STAGE_PEER ||
           ((row->has_netid || row->has_state) && row->stage > STAGE_SEND);
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

static void take_uid(struct ss_row *row, const char *text) {
    struct word word = { text, strcspn(text, " \t") };
    uint64_t uid;
    if (word_count(&word, &uid) && uid <= UINT32_MAX)
        row->socket.uid = (int64_t) uid;
}

static void take_inode(struct ss_row *row, const char *text) {
    row->has_inode = true;
}

static void take_cgroup(struct ss_row *row, const char *text) {
    size_t n = strcspn(text, " \t");
    if (*text != '/' || n >= sizeof(row->socket.cgroup))
        return; // "unreachable:1a2b": deleted meanwhile
    memcpy(row->socket.cgroup, text, n);
    row->socket.cgroup[n] = '\0';
}

static void take_skmem(struct ss_row *row, const char *text) {
    take_memory(&row->socket, text);
}

static const struct {
    const char *name;
    void (*take)(struct ss_row *row, const char *text);
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

void ss_row_take_attributes(struct ss_row *row, const char *text) {
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

bool ss_begins_attribute(const char *text) {
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

enum ss_protocol ss_state_protocol(const struct word *word) {
    int state = state_of(word);
    return state < 0 ? SS_NOT_TOLD : states[state].protocol;
}
