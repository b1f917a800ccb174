// SPDX-License-Identifier: GPL-2.0-or-later
// Socket files
//
// net/udp, udp6, udplite, udplite6. Their lines are the same from 3.10 to 7.2, but columns are
// found by the names in the first line all the same.
#include <string.h>
#include <sys/socket.h>

#include "collectors/proc_pairs.h"
#include "collectors/scan.h"
#include "collectors/socket_view.h"

enum field { LOCAL, REMOTE, STATE, QUEUES, UID, INODE, DROPS, N_FIELDS };
#define MAX_WORDS 32
#define STATE_ESTABLISHED 1

struct layout {
    int at[N_FIELDS]; // of its word in a line; -1: not there
    size_t n_words;   // needed
};

// Two values that stand together in one word of the lines have two names in the first line.
static const struct {
    const char *name;
    int field;
    bool joined; // with the word before
} names[] = {
    { "local_address", LOCAL, false },
    { "rem_address", REMOTE, false },
    { "remote_address", REMOTE, false },
    { "st", STATE, false },
    { "tx_queue", QUEUES, false },
    { "rx_queue", -1, true },
    { "tm->when", -1, true },
    { "uid", UID, false },
    { "inode", INODE, false },
    { "drops", DROPS, false },
};
#define N_NAMES (sizeof(names) / sizeof(names[0]))

static bool is_word(struct span word, const char *text) {
    return word.n == strlen(text) && memcmp(word.text, text, word.n) == 0;
}

static bool parse_names(struct span line, struct layout *ret) {
    int at = -1;
    for (size_t i = 0; i < N_FIELDS; i++)
        ret->at[i] = -1;
    ret->n_words = 0;
    for (struct span word; (word = next_word(&line)).n > 0;) {
        size_t i = 0;
        while (i < N_NAMES && !is_word(word, names[i].name))
            i++;
        at += i == N_NAMES || !names[i].joined;
        if (i == N_NAMES || names[i].field < 0)
            continue;
        ret->at[names[i].field] = at;
        ret->n_words = (size_t) at + 1;
    }
    for (size_t i = 0; i < N_FIELDS; i++)
        if (ret->at[i] < 0)
            return false;
    return ret->n_words <= MAX_WORDS;
}

static bool hex(const char *text, size_t n, uint32_t *ret) {
    uint32_t value = 0;
    for (size_t i = 0; i < n; i++) {
        char c = text[i];
        uint32_t digit = c >= '0' && c <= '9'   ? (uint32_t) (c - '0')
                         : c >= 'A' && c <= 'F' ? (uint32_t) (c - 'A' + 10)
                         : c >= 'a' && c <= 'f' ? (uint32_t) (c - 'a' + 10)
                                                : 16;
        if (digit > 15)
            return false;
        value = value << 4 | digit;
    }
    *ret = value;
    return n > 0 && n <= 8;
}

// "0100007F:0035": each 32-bit word of the address is printed as a number of the host's byte order.
static bool parse_address(struct span word, uint8_t family, uint32_t *address, uint16_t *port) {
    size_t n = family == AF_INET ? 1 : 4;
    uint32_t value;
    if (word.n != n * 8 + 5 || word.text[n * 8] != ':')
        return false;
    for (size_t i = 0; i < n; i++)
        if (!hex(word.text + i * 8, 8, &address[i]))
            return false;
    if (!hex(word.text + n * 8 + 1, 4, &value))
        return false;
    *port = (uint16_t) value;
    return true;
}

static bool parse_decimal(struct span word, enum column_kind kind, uint32_t *ret) {
    cell value;
    if (!parse_number(word.text, word.n, kind, &value) || value > UINT32_MAX)
        return false;
    *ret = (uint32_t) value;
    return true;
}

static bool parse_line(
        const struct span *words, const struct layout *layout, struct socket_view *view) {
    const struct span *queues = &words[layout->at[QUEUES]], *state = &words[layout->at[STATE]];
    uint32_t number;
    if (!parse_address(words[layout->at[LOCAL]], view->family, view->address, &view->port) ||
            !parse_address(words[layout->at[REMOTE]], view->family, view->peer, &view->peer_port) ||
            queues->n != 17 || queues->text[8] != ':' || !hex(queues->text + 9, 8, &view->queue) ||
            !hex(state->text, state->n, &number))
        return false;
    view->connected = number == STATE_ESTABLISHED;
    view->has_drops = true;
    // 3.10 prints drops signed.
    return parse_decimal(words[layout->at[UID]], COLUMN_GAUGE, &view->uid) &&
           parse_decimal(words[layout->at[INODE]], COLUMN_GAUGE, &view->inode) &&
           parse_decimal(words[layout->at[DROPS]], COLUMN_COUNTER, &view->drops);
}

static bool take_line(struct span line, const struct layout *layout, struct socket_view *view) {
    struct span words[MAX_WORDS];
    for (size_t i = 0; i < layout->n_words; i++)
        if ((words[i] = next_word(&line)).n == 0)
            return false;
    return parse_line(words, layout, view);
}

int parse_net_udp(const char *text, size_t length, uint8_t family, uint8_t protocol,
        socket_visit *visit, void *userdata, struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct layout layout;
    struct span line;
    if (!next_line(&scan, &line) || scan.cut || !parse_names(line, &layout)) {
        parse_problem_add(problem, length > 0, "the names of its columns were expected");
        return 0;
    }
    while (next_line(&scan, &line)) {
        struct socket_view view = { .protocol = protocol, .family = family };
        if (scan.cut || !take_line(line, &layout, &view)) {
            parse_problem_add(problem, scan.number, "a socket was expected");
            continue;
        }
        int r = visit(userdata, &view);
        if (r < 0)
            return r;
    }
    return 0;
}
