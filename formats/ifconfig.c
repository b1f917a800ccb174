// SPDX-License-Identifier: GPL-2.0-or-later
// ifconfig
//
// net-tools up to 1.60 and BusyBox write "RX packets:1 errors:0 dropped:0 overruns:0 frame:0", some
// of it translated; net-tools 2 "RX packets 1  bytes 60 (60.0 B)" and "RX errors 0  dropped 0 ...".
// The numbers are those of /proc/net/dev.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"

#define WORDS_OF_LINE 32

// "eth0: flags=4163<UP,...>  mtu 1500": the name up to its last colon.
static bool parse_new_title(const struct line *line, char *name, size_t size) {
    const char *text = line->text + line->indent;
    const char *flags = strstr(text, ": flags=");
    if (!flags || flags == text || (size_t) (flags - text) >= size)
        return false;
    memcpy(name, text, (size_t) (flags - text));
    name[flags - text] = '\0';
    return !strpbrk(name, " \t");
}

// "eth0      Link encap:Ethernet  HWaddr ...". What stands before the colon is translated.
static bool parse_old_title(const struct line *line, char *name, size_t size) {
    static const char *const marks[] = { "encap:", "Protokoll:", "HWaddr", "Hardware Adresse",
        "Encapsulamento do Link" };
    struct word word;
    bool marked = false;
    for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
        marked |= strstr(line->text, marks[i]) != NULL;
    if (!marked || words_split(line->text, &word, 1) == 0 || word.length >= size ||
            memchr(word.text, '=', word.length))
        return false;
    memcpy(name, word.text, word.length);
    name[word.length] = '\0';
    return true;
}

static bool parse_title(const struct line *line, char *name, size_t size) {
    return parse_new_title(line, name, size) || parse_old_title(line, name, size);
}

static void take_title(struct intake *intake, const struct line *line, const char *name) {
    char plain[INTERFACE_SIZE];
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    snprintf(plain, sizeof(plain), "%s", name);
    char *colon = strchr(plain, ':'); // eth0:1 is a second address of eth0
    if (colon)
        *colon = '\0';
    interface_row(intake, line, plain, line->text);
    for (size_t i = 0; i + 1 < n; i++)
        if (word_is(&words[i], "mtu"))
            intake_put(intake, "mtu_bytes", &words[i + 1]);
}

enum value { PACKETS, ERRORS, DROPPED, OVERRUNS, LAST, N_VALUES };

static void put_rx(struct intake *intake, enum value value, const struct word *number) {
    static const char *const columns[N_VALUES] = { "rx_packets", "rx_errors", NULL,
        "rx_fifo_errors", NULL };
    if (value == DROPPED)
        interface_put_dropped(intake, number);
    else if (value == LAST)
        interface_put_frame(intake, number);
    else
        intake_put(intake, columns[value], number);
}

static void put_tx(struct intake *intake, enum value value, const struct word *number) {
    static const char *const columns[N_VALUES] = { "tx_packets", "tx_errors", "tx_dropped",
        "tx_fifo_errors", NULL };
    if (value == LAST)
        interface_put_carrier(intake, number);
    else
        intake_put(intake, columns[value], number);
}

// The numbers behind colons of a word, "errors:0" or ":0" where the translation is empty.
static bool value_of(const struct word *word, struct word *ret) {
    const char *colon = memrchr(word->text, ':', word->length);
    uint64_t value;
    if (!colon)
        return false;
    *ret = (struct word){ colon + 1, word->length - (size_t) (colon + 1 - word->text) };
    return word_count(ret, &value);
}

// The order is the same in all languages; overruns, frame and carrier are never translated.
static bool take_old_line(struct intake *intake, const struct line *line) {
    struct word words[WORDS_OF_LINE], numbers[N_VALUES];
    bool is_rx = strstr(line->text, "frame:"), is_tx = strstr(line->text, "carrier:");
    size_t n = words_split(line->text, words, WORDS_OF_LINE), found = 0;
    if (!is_rx && !is_tx)
        return false;
    for (size_t i = 0; i < n && found < N_VALUES; i++)
        found += value_of(&words[i], &numbers[found]);
    if (found < N_VALUES)
        return false;
    for (size_t i = 0; i < N_VALUES; i++)
        (is_rx ? put_rx : put_tx)(intake, (enum value) i, &numbers[i]);
    return true;
}

static const struct {
    const char *name, *column;
} old_pairs[] = {
    { "MTU:", "mtu_bytes" },
    { "txqueuelen:", "tx_queue_length" },
    { "collisions:", "collisions" },
};

static bool take_old_pairs(struct intake *intake, const struct line *line) {
    struct word words[WORDS_OF_LINE], number;
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    bool any = false;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < sizeof(old_pairs) / sizeof(old_pairs[0]); k++)
            if (word_begins(&words[i], old_pairs[k].name) && value_of(&words[i], &number))
                any |= intake_put(intake, old_pairs[k].column, &number);
    const char *bytes = strstr(line->text, "RX bytes:"), *sent = strstr(line->text, "TX bytes:");
    if (bytes && words_split(bytes + 9, &number, 1))
        any |= intake_put(intake, "rx_bytes", &number);
    if (sent && words_split(sent + 9, &number, 1))
        any |= intake_put(intake, "tx_bytes", &number);
    return any;
}

// net-tools 2 is translated in Czech only (po/cs.po).
static bool means(const struct word *word, const char *name) {
    static const struct {
        const char *name, *translated;
    } words[] = {
        { "packets", "packetů" },
        { "bytes", "bajtů" },
        { "errors", "chyb" },
        { "dropped", "zahozeno" },
        { "overruns", "přetečení" },
        { "frame", "rámců" },
        { "carrier", "přenos" },
        { "collisions", "kolizí" },
    };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
        if (strcmp(words[i].name, name) == 0 && word_is(word, words[i].translated))
            return true;
    return word_is(word, name);
}

// "RX packets 1  bytes 60 (60.0 B)", "TX errors 0  dropped 0 overruns 0  carrier 0  collisions 0"
static bool take_new_line(struct intake *intake, const struct line *line) {
    static const char *const names[N_VALUES] = { "packets", "errors", "dropped", "overruns", NULL };
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    bool is_rx = n > 2 && word_is(&words[0], "RX"), is_tx = n > 2 && word_is(&words[0], "TX");
    if ((!is_rx && !is_tx) || (!means(&words[1], "packets") && !means(&words[1], "errors")))
        return false;
    for (size_t i = 1; i + 1 < n; i++) {
        for (size_t k = 0; k < LAST; k++)
            if (means(&words[i], names[k]))
                (is_rx ? put_rx : put_tx)(intake, (enum value) k, &words[i + 1]);
        if (means(&words[i], "frame") || means(&words[i], "carrier"))
            (is_rx ? put_rx : put_tx)(intake, LAST, &words[i + 1]);
        else if (means(&words[i], "bytes"))
            intake_put(intake, is_rx ? "rx_bytes" : "tx_bytes", &words[i + 1]);
        else if (means(&words[i], "collisions"))
            intake_put(intake, "collisions", &words[i + 1]);
    }
    return true;
}

static void take_queue_length(struct intake *intake, const struct line *line) {
    struct word number;
    static const char *const names[] = { "txqueuelen ", "délka_odchozí_fronty " };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        const char *found = strstr(line->text, names[i]);
        if (found && words_split(found + strlen(names[i]), &number, 1))
            intake_put(intake, "tx_queue_length", &number);
    }
}

static bool is_statistics(const struct line *line) {
    const char *text = line->text + line->indent;
    return (strstr(text, "overruns:") && (strstr(text, "frame:") || strstr(text, "carrier:"))) ||
           (strncmp(text, "RX packets ", 11) == 0 && strstr(text, "bytes ")) ||
           (strncmp(text, "RX errors ", 10) == 0 && strstr(text, "overruns ")) ||
           (strncmp(text, "TX errors ", 10) == 0 && strstr(text, "carrier "));
}

static void take_line(struct intake *intake, const struct line *line) {
    if (take_old_line(intake, line) || take_new_line(intake, line) || take_old_pairs(intake, line))
        return;
    if (strstr(line->text, "errors"))
        intake_skip(intake, line);
    take_queue_length(intake, line);
}

// Lines of an interface may have lost their indent; the end is a line of another kind.
static bool belongs(const struct line *line) {
    static const char *const begins[] = { "inet", "UP ", "RX ", "TX ", "ether ", "loop ", "unspec ",
        "collisions", "Interrupt", "device ", "infiniband ", "ppp ", "tunnel", "BROADCAST",
        "Memory:", "Base address", "Kollisionen:", "DOWN", "POINTOPOINT", "LOOPBACK" };
    const char *text = line->text + line->indent;
    for (size_t i = 0; i < sizeof(begins) / sizeof(begins[0]); i++)
        if (strncmp(text, begins[i], strlen(begins[i])) == 0)
            return true;
    return line->indent > 0 || is_statistics(line);
}

// Lines that grep left name no interface.
static void open_unnamed(struct intake *intake, const struct lines *lines, size_t begin, size_t i) {
    char name[INTERFACE_SIZE];
    const struct line *line = &lines->line[i], *first = &lines->line[begin];
    bool again = i > begin && is_statistics(line) &&
                 strncmp(line->text + line->indent, first->text + first->indent, 10) == 0;
    if (i > begin && !again)
        return;
    if (again)
        intake_look(intake, line, line->at_ms);
    interface_of_block(lines, begin, name, sizeof(name));
    interface_row(intake, line, name, NULL);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE], first[INTERFACE_SIZE] = "";
    bool named = false;
    for (size_t begin = i; i < lines->n && lines->line[i].kind != LINE_COMMAND; i++) {
        const struct line *line = &lines->line[i];
        if (line->kind == LINE_BLANK) {
            if (i + 1 < lines->n && parse_title(&lines->line[i + 1], name, sizeof(name)))
                continue;
            break;
        }
        if (parse_title(line, name, sizeof(name))) {
            if (strcmp(first, name) == 0)
                break; // the next look
            if (!*first)
                strcpy(first, name);
            take_title(intake, line, name);
            named = true;
            continue;
        }
        if (!belongs(line))
            break;
        if (!named)
            open_unnamed(intake, lines, begin, i);
        take_line(intake, line);
    }
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    const struct line *line = &lines->line[i];
    if (parse_title(line, name, sizeof(name)))
        return FORMAT_CERTAIN;
    return is_statistics(line) ? FORMAT_LIKELY + 10 : FORMAT_NO;
}

const struct format format_ifconfig = {
    .name = "ifconfig",
    .help = "ifconfig, old and new",
    .begins = begins,
    .read = read_block,
};
