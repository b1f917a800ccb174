// SPDX-License-Identifier: GPL-2.0-or-later
// ip -s link
//
// "4: eth0: <FLAGS> mtu 1500 ..." and, below, lines of headings each above a line of numbers. What
// is called overrun up to iproute2 5.8 is rx_over_errors; missed is there from then on, and with -s
// -s always.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"

#define WORDS_OF_LINE 32

struct heading {
    const char *name, *column; // NULL: none of ours
};

static const struct heading rx[] = {
    { "bytes", "rx_bytes" },
    { "packets", "rx_packets" },
    { "errors", "rx_errors" },
    { "dropped", "rx_dropped" },
    { "overrun", "rx_over_errors" },
    { "missed", "rx_missed_errors" },
    { "mcast", "multicast" },
    { "compressed", "rx_compressed" },
    { NULL, NULL },
};

static const struct heading rx_errors[] = {
    { "length", "rx_length_errors" },
    { "crc", "rx_crc_errors" },
    { "frame", "rx_frame_errors" },
    { "fifo", "rx_fifo_errors" },
    { "missed", "rx_missed_errors" },
    { "overrun", "rx_over_errors" },
    { "nohandler", "rx_nohandler" },
    { "otherhost_dropped", "rx_otherhost_dropped" },
    { NULL, NULL },
};

static const struct heading tx[] = {
    { "bytes", "tx_bytes" },
    { "packets", "tx_packets" },
    { "errors", "tx_errors" },
    { "dropped", "tx_dropped" },
    { "carrier", "tx_carrier_errors" },
    { "collsns", "collisions" },
    { "collisions", "collisions" },
    { "compressed", "tx_compressed" },
    { NULL, NULL },
};

static const struct heading tx_errors[] = {
    { "aborted", "tx_aborted_errors" },
    { "fifo", "tx_fifo_errors" },
    { "window", "tx_window_errors" },
    { "heartbeat", "tx_heartbeat_errors" },
    { "heartbt", "tx_heartbeat_errors" },
    { NULL, NULL },
};

static const struct {
    const char *begin;
    size_t n_words; // of begin
    const struct heading *headings;
} groups[] = {
    { "RX errors:", 2, rx_errors },
    { "TX errors:", 2, tx_errors },
    { "RX:", 1, rx },
    { "TX:", 1, tx },
};
#define N_GROUPS (sizeof(groups) / sizeof(groups[0]))

static size_t group_of(const struct line *line) {
    size_t i = 0;
    while (i < N_GROUPS &&
            strncmp(line->text + line->indent, groups[i].begin, strlen(groups[i].begin)) != 0)
        i++;
    return i;
}

static const char *column_of(const struct heading *headings, const struct word *word) {
    for (; headings->name; headings++)
        if (word_is(word, headings->name))
            return headings->column;
    return NULL;
}

// Headings with known names, above as many numbers.
static bool is_group(const struct lines *lines, size_t i) {
    struct word words[WORDS_OF_LINE], numbers[WORDS_OF_LINE];
    size_t group = group_of(&lines->line[i]);
    if (group == N_GROUPS || i + 1 >= lines->n || lines->line[i + 1].kind != LINE_TEXT)
        return false;
    size_t n = words_split(lines->line[i].text, words, WORDS_OF_LINE);
    size_t n_numbers = words_split(lines->line[i + 1].text, numbers, WORDS_OF_LINE);
    return n > groups[group].n_words && n_numbers > 0 &&
           isdigit((unsigned char) *numbers[0].text) &&
           column_of(groups[group].headings, &words[groups[group].n_words]);
}

// "4: eth0@if5: <UP>": the name, without what it hangs on.
static bool parse_title(const struct line *line, uint64_t *ret_index, char *name, size_t size) {
    struct word words[3];
    size_t n = words_split(line->text, words, 3);
    if (n < 3 || words[0].text[words[0].length - 1] != ':' ||
            words[1].text[words[1].length - 1] != ':' || words[2].text[0] != '<')
        return false;
    words[0].length--;
    words[1].length--;
    const char *at = memchr(words[1].text, '@', words[1].length);
    if (at)
        words[1].length = (size_t) (at - words[1].text);
    if (!word_count(&words[0], ret_index) || words[1].length == 0 || words[1].length >= size)
        return false;
    memcpy(name, words[1].text, words[1].length);
    name[words[1].length] = '\0';
    return true;
}

static void put_state(struct intake *intake, const struct word *word) {
    char state[24];
    size_t n = word->length < sizeof(state) ? word->length : sizeof(state) - 1;
    for (size_t i = 0; i < n; i++)
        state[i] = (char) tolower((unsigned char) word->text[i]);
    state[n] = '\0';
    intake_set_text(intake, "operstate", state);
}

// What -d tells of it, on a line of its own, and what link/ says of some tunnels.
static const char *const kinds[] = { "veth", "vxlan", "geneve", "bridge", "bond", "team", "tun",
    "wireguard", "vlan", "macvlan", "macvtap", "ipvlan", "gre", "gretap", "ip6gre", "ip6gretap",
    "erspan", "ipip", "sit", "ip6tnl", "vti", "bareudp", "gtp", "dummy", "ifb", "vrf", "ppp",
    "openvswitch", "nlmon" };

static const char *kind_told(const struct line *line) {
    struct word word;
    if (words_split(line->text, &word, 1) == 0)
        return NULL;
    if (word_begins(&word, "link/")) {
        word.text += 5;
        word.length -= 5;
    }
    for (size_t k = 0; k < sizeof(kinds) / sizeof(kinds[0]); k++)
        if (word_is(&word, kinds[k]))
            return kinds[k];
    return NULL;
}

static const char *kind_of(const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    uint64_t index;
    const char *kind = NULL;
    for (i++; !kind && i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        if (parse_title(&lines->line[i], &index, name, sizeof(name)))
            break;
        kind = kind_told(&lines->line[i]);
    }
    return kind;
}

static void take_title(struct intake *intake, const struct lines *lines, size_t at) {
    const struct line *line = &lines->line[at];
    const char *kind = kind_of(lines, at);
    struct word words[WORDS_OF_LINE];
    char name[INTERFACE_SIZE], flags[256];
    uint64_t index;
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    if (!parse_title(line, &index, name, sizeof(name)))
        return;
    snprintf(flags, sizeof(flags), "%.*s", (int) words[2].length, words[2].text);
    if (kind)
        interface_row_of_kind(intake, line, name, kind);
    else
        interface_row(intake, line, name, flags);
    intake_set(intake, "ifindex", index);
    for (size_t i = 3; i + 1 < n; i++) {
        if (word_is(&words[i], "mtu"))
            intake_put(intake, "mtu_bytes", &words[i + 1]);
        else if (word_is(&words[i], "qlen"))
            intake_put(intake, "tx_queue_length", &words[i + 1]);
        else if (word_is(&words[i], "state"))
            put_state(intake, &words[i + 1]);
    }
}

static void take_group(struct intake *intake, const struct line *heading, const struct line *line) {
    struct word words[WORDS_OF_LINE], numbers[WORDS_OF_LINE];
    size_t group = group_of(heading), first = groups[group].n_words;
    size_t n = words_split(heading->text, words, WORDS_OF_LINE);
    size_t n_numbers = words_split(line->text, numbers, WORDS_OF_LINE);
    uint64_t value;
    for (size_t i = first; i < n && i - first < n_numbers; i++) {
        const char *column = column_of(groups[group].headings, &words[i]);
        if (column && word_count(&numbers[i - first], &value))
            intake_set(intake, column, value);
        else if (column)
            intake_note(intake, line, "%.*s is no whole number: not used",
                    (int) numbers[i - first].length, numbers[i - first].text);
    }
}

// Numbers below no title.
static void open_unnamed(struct intake *intake, const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    interface_of_block(lines, i, name, sizeof(name));
    interface_row(intake, &lines->line[i], name, NULL);
}

// Addresses and details, which are indented unless that was lost.
static bool belongs(const struct line *line) {
    static const char *const begins[] = { "link/", "inet", "altname ", "alias ", "vf ",
        "valid_lft " };
    const char *text = line->text + line->indent;
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    return line->indent > 0 || group_of(line) < N_GROUPS || kind_told(line);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE], first[INTERFACE_SIZE] = "";
    uint64_t index;
    bool named = false, virtual = false; // virtual: these are counters of a virtual function
    for (size_t begin = i; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (parse_title(line, &index, name, sizeof(name))) {
            if (*first && strcmp(first, name) == 0)
                break; // the next look
            if (!*first)
                strcpy(first, name);
            take_title(intake, lines, i);
            named = true;
            virtual = false;
        } else if (line->kind == LINE_TEXT && is_group(lines, i)) {
            if (!named)
                open_unnamed(intake, lines, begin);
            named = true;
            i++;
            if (!virtual)
                take_group(intake, line, &lines->line[i]);
        } else if (line->kind == LINE_BLANK || !belongs(line)) {
            break;
        } else {
            virtual |= strncmp(line->text + line->indent, "vf ", 3) == 0;
        }
    }
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    uint64_t index;
    return parse_title(&lines->line[i], &index, name, sizeof(name)) || is_group(lines, i)
                   ? FORMAT_CERTAIN
                   : FORMAT_NO;
}

const struct format format_ip_link = {
    .name = "ip-link",
    .help = "ip -s link, ip -s -s link",
    .begins = begins,
    .read = read_block,
};
