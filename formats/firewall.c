// SPDX-License-Identifier: GPL-2.0-or-later
// iptables, nft
//
// Rules with counters: iptables -vnL (a table per chain), iptables-save -c ("[packets:bytes] -A
// ...") and nft list ruleset ("... counter packets N bytes N drop"). Only those that drop or reject
// count; iptables without -x rounds large numbers, which are of no use.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "formats/list.h"
#include "formats/words.h"

enum { CHAIN_SIZE = 128, TEXT_SIZE = 256 };

enum dialect { DIALECT_NONE, DIALECT_LIST, DIALECT_SAVE, DIALECT_NFT };

struct reading {
    struct intake *intake;
    enum dialect dialect;
    char table[CHAIN_SIZE];     // "inet filter", "filter"
    char chain[CHAIN_SIZE];     // "INPUT"
    char first[2 * CHAIN_SIZE]; // the first chain: again, it begins the next look
    unsigned rule;
    int depth;    // of braces
    bool rounded; // was told
};

// "Chain INPUT (policy DROP 12 packets, 345 bytes)", "Chain docker (2 references)"
static bool is_list_chain(const struct line *line) {
    const char *text = line->text + line->indent;
    return strncmp(text, "Chain ", 6) == 0 && strchr(text, '(') &&
           (strstr(text, "(policy ") || strstr(text, " references)"));
}

// "*filter" above ":INPUT ACCEPT [0:0]"
static bool is_save_table(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    return line->text[line->indent] == '*' && i + 1 < lines->n &&
           lines->line[i + 1].text[lines->line[i + 1].indent] == ':' &&
           strchr(lines->line[i + 1].text, '[');
}

// "[12:345] -A INPUT -p udp -j DROP"
static bool is_save_rule(const struct line *line) {
    const char *text = line->text + line->indent;
    return text[0] == '[' && isdigit((unsigned char) text[1]) && strstr(text, "] -A ");
}

// "table inet filter {"
static bool is_nft_table(const struct line *line) {
    struct word words[4];
    return words_split(line->text, words, 4) == 4 && word_is(&words[0], "table") &&
           word_is(&words[3], "{");
}

static void keep(const struct word *word, char *ret, size_t size) {
    snprintf(ret, size, "%.*s", (int) word->length, word->text);
}

static void begin_chain(struct reading *reading, const struct line *line, const char *chain) {
    char name[2 * CHAIN_SIZE];
    snprintf(reading->chain, sizeof(reading->chain), "%s", chain);
    reading->rule = 0;
    snprintf(name, sizeof(name), "%s %s", reading->table, chain);
    if (!*reading->first)
        memcpy(reading->first, name, sizeof(name));
    else if (strcmp(reading->first, name) == 0)
        intake_look(reading->intake, line, line->at_ms);
}

// With single blanks.
static void squeeze(const char *text, char *ret) {
    size_t n = 0;
    for (; *text && n < TEXT_SIZE - 1; text++)
        if ((*text != ' ' && *text != '\t') || (n > 0 && ret[n - 1] != ' '))
            ret[n++] = *text == '\t' ? ' ' : *text;
    ret[n] = '\0';
}

static void put(struct reading *reading, const struct line *line, const char *text,
        const char *action, const char *protocol, uint64_t packets) {
    char chain[2 * CHAIN_SIZE], number[16], plain[TEXT_SIZE];
    squeeze(text, plain);
    snprintf(chain, sizeof(chain), "%s%s%s", reading->table, *reading->table ? " " : "",
            reading->chain);
    snprintf(number, sizeof(number), "%u", reading->rule);
    intake_row(reading->intake, line, "firewall_rule", (const char *const[]){ chain, number });
    intake_set_text(reading->intake, "text", plain);
    intake_set_text(reading->intake, "action", action);
    intake_set_text(reading->intake, "protocol", protocol);
    intake_set(reading->intake, "packets", packets);
}

// "drop", "reject"; NULL: it does something else.
static const char *action_of(const struct word *word) {
    if (word_is(word, "DROP") || word_is(word, "drop"))
        return "drop";
    return word_begins(word, "REJECT") || word_begins(word, "reject") ? "reject" : NULL;
}

static const char *protocol_name(const struct word *word) {
    static const char *const names[][2] = {
        { "udp", "udp" },
        { "17", "udp" },
        { "udplite", "udplite" },
        { "136", "udplite" },
        { "tcp", "tcp" },
        { "6", "tcp" },
        { "icmp", "icmp" },
        { "1", "icmp" },
        { "ipv6-icmp", "icmp" },
        { "icmpv6", "icmp" },
        { "58", "icmp" },
        { "all", "all" },
        { "0", "all" },
    };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word_is(word, names[i][0]))
            return names[i][1];
    return "other";
}

static bool count_packets(
        struct reading *reading, const struct line *line, const struct word *word, uint64_t *ret) {
    if (word_count(word, ret))
        return true;
    if (!reading->rounded)
        intake_note(reading->intake, line,
                "counters of firewall rules are rounded: iptables -x tells them in full");
    reading->rounded = true;
    return false;
}

// The policy's counter stands in the title of the chain.
static void take_list_chain(struct reading *reading, const struct line *line) {
    struct word words[8];
    char chain[CHAIN_SIZE];
    uint64_t packets;
    size_t n = words_split(line->text, words, 8);
    keep(&words[1], chain, sizeof(chain));
    begin_chain(reading, line, chain);
    if (n < 6 || !word_is(&words[2], "(policy") || !action_of(&words[3]) ||
            !count_packets(reading, line, &words[4], &packets))
        return;
    put(reading, line, "policy", action_of(&words[3]), "all", packets);
}

// pkts bytes target prot opt in out source destination ...
static bool take_list_rule(struct reading *reading, const struct line *line) {
    struct word words[WORDS_MAX];
    size_t n = words_split(line->text, words, WORDS_MAX);
    uint64_t packets;
    if (n < 5 || !isdigit((unsigned char) *words[0].text) ||
            !isdigit((unsigned char) *words[1].text))
        return n > 2 && (word_is(&words[0], "pkts") || word_is(&words[0], "num"));
    bool numbered = n > 5 && isdigit((unsigned char) *words[2].text); // --line-numbers
    const struct word *first = words + numbered;
    reading->rule++;
    const char *action = action_of(&first[2]);
    if (action && count_packets(reading, line, &first[0], &packets))
        put(reading, line, first[2].text, action, protocol_name(&first[3]), packets);
    return true;
}

static bool take_save_line(struct reading *reading, const struct line *line) {
    struct word words[WORDS_MAX], packets_word;
    const char *text = line->text + line->indent, *action = NULL, *protocol = "all";
    size_t n = words_split(line->text, words, WORDS_MAX);
    uint64_t packets;
    char chain[CHAIN_SIZE];
    if (*text == '*') {
        snprintf(reading->table, sizeof(reading->table), "%.*s", (int) (words[0].length - 1),
                words[0].text + 1);
        return true;
    }
    if (n == 3 && *text == ':') { // ":INPUT DROP [12:345]"
        snprintf(chain, sizeof(chain), "%.*s", (int) (words[0].length - 1), words[0].text + 1);
        begin_chain(reading, line, chain);
        packets_word = (struct word){ words[2].text + 1, strcspn(words[2].text + 1, ":") };
        if (action_of(&words[1]) && word_count(&packets_word, &packets))
            put(reading, line, "policy", action_of(&words[1]), "all", packets);
        return true;
    }
    if (!is_save_rule(line) || n < 4)
        return *text == '#' || strncmp(text, "COMMIT", 6) == 0 || strncmp(text, "-A ", 3) == 0;
    keep(&words[2], chain, sizeof(chain));
    if (strcmp(chain, reading->chain) != 0) {
        snprintf(reading->chain, sizeof(reading->chain), "%s", chain);
        reading->rule = 0;
    }
    reading->rule++;
    for (size_t i = 3; i + 1 < n; i++) {
        if (word_is(&words[i], "-j"))
            action = action_of(&words[i + 1]);
        else if (word_is(&words[i], "-p"))
            protocol = protocol_name(&words[i + 1]);
    }
    packets_word = (struct word){ words[0].text + 1, strcspn(words[0].text + 1, ":") };
    if (action && word_count(&packets_word, &packets))
        put(reading, line, words[1].text, action, protocol, packets);
    return true;
}

static const char *nft_protocol(const struct word *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        if (word_is(&words[i], "udp") || word_is(&words[i], "udplite"))
            return "udp";
        if (word_is(&words[i], "tcp") || word_is(&words[i], "icmp") ||
                word_is(&words[i], "icmpv6") || word_is(&words[i], "ether") ||
                word_is(&words[i], "arp"))
            return word_is(&words[i], "tcp") ? "tcp" : "other";
    }
    return "all";
}

// The rule without "counter packets N bytes N".
static void nft_text(const struct word *words, size_t n, size_t counter, char *ret) {
    size_t used = 0;
    *ret = '\0';
    for (size_t i = 0; i < n && used < TEXT_SIZE - 1; i++) {
        if (i == counter)
            i += 5;
        if (i < n)
            used += (size_t) snprintf(ret + used, TEXT_SIZE - used, "%s%.*s", used ? " " : "",
                    (int) words[i].length, words[i].text);
    }
}

static void take_nft_rule(
        struct reading *reading, const struct line *line, const struct word *words, size_t n) {
    char text[TEXT_SIZE];
    uint64_t packets;
    const char *action = NULL;
    size_t counter = 0;
    reading->rule++;
    while (counter < n && !(word_is(&words[counter], "counter") && counter + 4 < n &&
                                  word_is(&words[counter + 1], "packets")))
        counter++;
    for (size_t i = 0; i < n && !action; i++)
        action = action_of(&words[i]);
    if (!action || counter == n || !word_count(&words[counter + 2], &packets))
        return;
    nft_text(words, n, counter, text);
    put(reading, line, text, action, nft_protocol(words, n), packets);
}

static bool take_nft_line(struct reading *reading, const struct line *line) {
    struct word words[WORDS_MAX];
    char chain[CHAIN_SIZE];
    for (const char *at = line->text; *at; at++)
        reading->depth += (*at == '{') - (*at == '}');
    size_t n = words_split(line->text, words, WORDS_MAX);
    if (is_nft_table(line)) {
        snprintf(reading->table, sizeof(reading->table), "%.*s %.*s", (int) words[1].length,
                words[1].text, (int) words[2].length, words[2].text);
        *reading->chain = '\0';
    } else if (n == 3 && word_is(&words[0], "chain") && word_is(&words[2], "{")) {
        keep(&words[1], chain, sizeof(chain));
        begin_chain(reading, line, chain);
    } else if (n > 0 && *reading->chain && !word_is(&words[0], "type") &&
               !word_is(&words[0], "}") && !word_is(&words[0], "policy")) {
        take_nft_rule(reading, line, words, n);
    }
    return true;
}

static enum dialect dialect_of(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    return is_list_chain(line)                             ? DIALECT_LIST
           : is_nft_table(line)                            ? DIALECT_NFT
           : is_save_table(lines, i) || is_save_rule(line) ? DIALECT_SAVE
                                                           : DIALECT_NONE;
}

static bool take_line(struct reading *reading, const struct line *line) {
    switch (reading->dialect) {
    case DIALECT_LIST:
        if (!is_list_chain(line))
            return take_list_rule(reading, line);
        take_list_chain(reading, line);
        return true;
    case DIALECT_SAVE:
        return take_save_line(reading, line);
    case DIALECT_NFT:
        return take_nft_line(reading, line);
    case DIALECT_NONE:
        break;
    }
    return false;
}

// Blank lines stand between chains and tables; those inside of nft belong to it.
static bool goes_on(const struct lines *lines, size_t i, const struct reading *reading) {
    return i < lines->n && lines->line[i].kind == LINE_TEXT &&
           (dialect_of(lines, i) == reading->dialect ||
                   (reading->dialect == DIALECT_NFT && lines->line[i].indent > 0));
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct reading reading = { .intake = intake, .dialect = dialect_of(lines, i) };
    intake_listed(intake, "firewall_rule");
    for (; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK && goes_on(lines, i + 1, &reading))
            continue;
        if (line->kind == LINE_BLANK || !take_line(&reading, line))
            break;
        if (reading.dialect == DIALECT_NFT && reading.depth <= 0 &&
                !goes_on(lines, i + 1, &reading))
            return i + 1;
    }
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    return dialect_of(lines, i) != DIALECT_NONE ? FORMAT_CERTAIN : FORMAT_NO;
}

const struct format format_firewall = {
    .name = "firewall",
    .help = "iptables -vnL, iptables-save -c, nft list ruleset",
    .begins = begins,
    .read = read_block,
};
