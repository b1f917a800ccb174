// SPDX-License-Identifier: GPL-2.0-or-later
// Kernel messages
//
// What dmesg and journals say of lost packets and memory. A log is one look, however long it is:
// its times are not those of the outputs beside it.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

enum { ADDRESS_SIZE = 64, MESSAGES_MAX = 64 };

struct message {
    const char *kind;
    char peer[ADDRESS_SIZE];
    uint64_t port;
};

static const struct {
    const char *words, *also; // also: NULL, nothing else
    const char *kind;
} kinds[] = {
    { "UDP: bad checksum", NULL, "udp-bad-checksum" },
    { "UDPv6: bad checksum", NULL, "udp-bad-checksum" },
    { "UDPLite: bad checksum", NULL, "udp-bad-checksum" },
    { "UDP: short packet", NULL, "udp-short" },
    { "UDPv6: short packet", NULL, "udp-short" },
    { "conntrack: table full", NULL, "conntrack-full" },
    { "page allocation failure", NULL, "page-allocation" },
    { "page allocation stalls", NULL, "page-allocation" },
    { "eighbour table overflow", NULL, "neighbour-full" },
    { "neighbor table overflow", NULL, "neighbour-full" },
    { "martian source", NULL, "martian-source" },
    { "Out of memory", "ill", "out-of-memory" },
    { "Memory cgroup out of memory", NULL, "out-of-memory" },
    { "invoked oom-killer", NULL, "out-of-memory" },
};

// "192.0.2.99:27503", "[2001:db8::1]:514": the address and the port.
static bool take_address(const char *text, char *ret_address, uint64_t *ret_port) {
    text += strspn(text, " \t");
    size_t n = strcspn(text, " \t,");
    const char *colon = memrchr(text, ':', n);
    if (!colon || colon == text)
        return false;
    struct word port = { colon + 1, (size_t) (text + n - colon - 1) };
    size_t length = (size_t) (colon - text);
    if (text[0] == '[' && length > 2) {
        text++;
        length -= 2;
    }
    snprintf(ret_address, ADDRESS_SIZE, "%.*s", (int) length, text);
    return word_count(&port, ret_port) && *ret_port < 65536;
}

static const char *behind(const char *text, const char *words) {
    const char *at = strcasestr(text, words);
    return at ? at + strlen(words) : NULL;
}

// "From A:p to B:q ulen 75"; "martian source B from A, on dev eth0".
static void take_peer(const char *text, struct message *ret) {
    char own[ADDRESS_SIZE];
    uint64_t port;
    const char *from = behind(text, "from "), *to = from ? behind(from, " to ") : NULL;
    if (strcmp(ret->kind, "martian-source") == 0 && from) {
        snprintf(ret->peer, sizeof(ret->peer), "%.*s", (int) strcspn(from, ", \t"), from);
        return;
    }
    if (!from || !to || !take_address(from, ret->peer, &port) ||
            !take_address(to, own, &ret->port)) {
        ret->peer[0] = '\0';
        ret->port = 0;
    }
}

static bool to_message(const struct line *line, struct message *ret) {
    if (line->kind != LINE_TEXT)
        return false;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const char *at = strstr(line->text, kinds[i].words);
        if (!at || (kinds[i].also && !strstr(at, kinds[i].also)))
            continue;
        *ret = (struct message){ .kind = kinds[i].kind };
        if (strncmp(ret->kind, "udp", 3) == 0 || strncmp(ret->kind, "martian", 7) == 0)
            take_peer(at, ret);
        return true;
    }
    return false;
}

// "net_ratelimit: 12 callbacks suppressed"
static bool is_suppressed(const struct line *line, uint64_t *ret) {
    const char *at = strstr(line->text, "ratelimit: ");
    struct word words[3];
    return line->kind == LINE_TEXT && at &&
           words_split(at + strlen("ratelimit: "), words, 3) == 3 &&
           word_is(&words[2], "suppressed") && word_count(&words[0], ret);
}

// "[ 1423.035722] ...", "[Mon Nov 30 21:34:15 2026] ...", or behind a prefix that was taken off.
static bool is_log(const struct line *line) {
    const char *text = line->text + line->indent;
    if (line->kind != LINE_TEXT)
        return false;
    if (line->at_ms != 0 || strncmp(text, "kernel: ", 8) == 0)
        return true;
    const char *end = text[0] == '[' ? strchr(text, ']') : NULL;
    return end && end[1] == ' ' && end - text < 40 && isdigit((unsigned char) end[-1]) &&
           (text[1] == ' ' || isalnum((unsigned char) text[1]));
}

static int begins(const struct lines *lines, size_t i) {
    struct message message;
    uint64_t suppressed;
    if (to_message(&lines->line[i], &message))
        return is_log(&lines->line[i]) ? FORMAT_CERTAIN : FORMAT_LIKELY;
    return is_suppressed(&lines->line[i], &suppressed) ? FORMAT_LIKELY : FORMAT_NO;
}

struct count {
    struct message message;
    const struct line *line; // the last one
    uint64_t messages, suppressed;
};

static struct count *count_of(struct count *counts, size_t *n, const struct message *message) {
    for (size_t i = 0; i < *n; i++)
        if (strcmp(counts[i].message.kind, message->kind) == 0 &&
                strcmp(counts[i].message.peer, message->peer) == 0 &&
                counts[i].message.port == message->port)
            return &counts[i];
    if (*n == MESSAGES_MAX)
        return NULL;
    counts[*n] = (struct count){ .message = *message };
    return &counts[(*n)++];
}

static void put(struct intake *intake, const struct count *count) {
    char port[24];
    snprintf(port, sizeof(port), "%" PRIu64, count->message.port);
    intake_row(intake, count->line, "kernel_log",
            (const char *const[]){ count->message.kind, count->message.peer, port });
    intake_set(intake, "messages", count->messages);
    if (count->suppressed > 0)
        intake_set(intake, "suppressed", count->suppressed);
    intake_set_text(intake, "text", count->line->text + count->line->indent);
}

// Lines between two messages are of the log too, unless another format knows them.
static bool is_between(const struct lines *lines, size_t i) {
    if (is_log(&lines->line[i]))
        return true;
    for (size_t f = 0; f < n_formats; f++)
        if (formats[f] != &format_kernel_log && formats[f]->begins(lines, i) > FORMAT_NO)
            return false;
    return true;
}

// What was suppressed is of the kind that was written next to it.
static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct count counts[MESSAGES_MAX], *last = NULL;
    struct message message;
    size_t n = 0, end = i;
    uint64_t suppressed, waiting = 0;
    intake_look(intake, &lines->line[i], 0);
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (to_message(line, &message)) {
            struct count *count = count_of(counts, &n, &message);
            if (count) {
                count->messages++;
                count->line = line;
                count->suppressed += waiting;
                last = count;
                waiting = 0;
            }
        } else if (is_suppressed(line, &suppressed))
            waiting += suppressed < UINT32_MAX ? suppressed : 0;
        else if (is_between(lines, i))
            continue;
        else
            break;
        while (++end <= i) // what stands between them
            intake_skip(intake, &lines->line[end - 1]);
    }
    if (last)
        last->suppressed += waiting;
    for (size_t k = 0; k < n; k++)
        put(intake, &counts[k]);
    return end;
}

const struct format format_kernel_log = {
    .name = "kernel-log",
    .help = "kernel messages: bad checksum, table full, page allocation failure, ...",
    .begins = begins,
    .read = read_block,
};
