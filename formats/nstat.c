// SPDX-License-Identifier: GPL-2.0-or-later
// nstat
//
// Values are what was added since the same user's nstat before, unless it was called with -a. Rows
// of 0 are left out unless it was called with -z.
#include <stdio.h>
#include <string.h>

#include "formats/command.h"
#include "formats/list.h"
#include "formats/words.h"

#define FIELD_SIZE 64

static const char *const prefixes[] = { "UdpLite6", "UdpLite", "Udp6", "Udp", "Ip6", "IpExt", "Ip",
    "Icmp6", "IcmpMsg", "Icmp", "TcpExt", "Tcp", "MPTcpExt" };

// Counters of every kernel since 3.10: not in the output means 0.
static const char *const hidden[] = { "UdpInDatagrams", "UdpNoPorts", "UdpInErrors",
    "UdpOutDatagrams", "UdpRcvbufErrors", "UdpSndbufErrors", "UdpInCsumErrors", "Udp6InDatagrams",
    "Udp6NoPorts", "Udp6InErrors", "Udp6OutDatagrams", "Udp6RcvbufErrors", "Udp6SndbufErrors",
    "Udp6InCsumErrors", "IpInReceives", "IpInHdrErrors", "IpInAddrErrors", "IpInUnknownProtos",
    "IpInDiscards", "IpInDelivers", "IpOutRequests", "IpOutDiscards", "IpOutNoRoutes",
    "IpReasmTimeout", "IpReasmReqds", "IpReasmOKs", "IpReasmFails", "IpFragOKs", "IpFragFails",
    "IpFragCreates", "Ip6InReceives", "Ip6InHdrErrors", "Ip6InNoRoutes", "Ip6InAddrErrors",
    "Ip6InDiscards", "Ip6InDelivers", "Ip6OutRequests", "Ip6OutDiscards", "Ip6OutNoRoutes",
    "Ip6ReasmTimeout", "Ip6ReasmReqds", "Ip6ReasmOKs", "Ip6ReasmFails", "Ip6FragOKs",
    "Ip6FragFails", "Ip6FragCreates", "IcmpInDestUnreachs", "IcmpOutDestUnreachs",
    "TcpExtIPReversePathFilter" };
#define N_HIDDEN (sizeof(hidden) / sizeof(hidden[0]))

static bool is_name(const struct word *word) {
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        size_t length = strlen(prefixes[i]);
        if (word_begins(word, prefixes[i]) && word->length > length && word->length < FIELD_SIZE &&
                word->text[length] >= 'A' && word->text[length] <= 'Z')
            return true;
    }
    return false;
}

// "UdpInErrors: 7", "UdpInErrors = 7", "node_netstat_Udp_InErrors 7" (node_exporter): counters as
// they are, as scripts and exporters print them.
static bool is_plain_row(const struct line *line, char *field, struct word *ret_number) {
    static const char exporter[] = "node_netstat_";
    const char *text = line->text + line->indent;
    bool exported = strncmp(text, exporter, strlen(exporter)) == 0;
    text += exported ? strlen(exporter) : 0;
    size_t length = strcspn(text, " \t:="), n = 0;
    const char *value = text + length + strspn(text + length, " \t:=");
    if (length >= FIELD_SIZE || *text == '\0' ||
            (!exported &&
                    !memchr(text + length, ':', (size_t) (value - text - (ptrdiff_t) length)) &&
                    !memchr(text + length, '=', (size_t) (value - text - (ptrdiff_t) length))))
        return false;
    for (size_t i = 0; i < length; i++)
        if (!exported || text[i] != '_')
            field[n++] = text[i];
    field[n] = '\0';
    struct word name = { field, n };
    return is_name(&name) && words_split(value, ret_number, 1) == 1 &&
           strpbrk(value, "0123456789") != NULL &&
           ret_number->text + ret_number->length == line->text + line->length;
}

// Also one whose value cannot be right.
static bool is_row(const struct line *line, struct word *ret) {
    struct word words[4];
    double rate;
    size_t n = words_split(line->text, words, 4);
    if (n > 0 && words[0].text[words[0].length - 1] == ':')
        return false;
    if (n < 2 || n > 3 || !is_name(&words[0]) || !strpbrk(words[1].text, "0123456789Oo") ||
            (n == 3 && !word_decimal(&words[2], &rate)))
        return false;
    ret[0] = words[0];
    ret[1] = words[1];
    return true;
}

// A row that was cut: others are missing behind it.
static bool is_cut(const struct line *line) {
    struct word word;
    return words_split(line->text, &word, 1) == 1 && is_name(&word);
}

// "#kernel", or that of its daemon: "#1234.0 sampling_interval=..."
static bool is_header(const struct line *line) {
    const char *text = line->text + line->indent;
    return strcmp(text, "#kernel") == 0 ||
           (text[0] == '#' && strstr(text, " sampling_interval=") != NULL);
}

static bool is_json(const struct line *line) {
    const char *text = line->text + line->indent;
    return strncmp(text, "{\"kernel\":", 10) == 0 || strcmp(text, "{ \"kernel\": {") == 0 ||
           strcmp(text, "\"kernel\": {") == 0;
}

static int begins(const struct lines *lines, size_t i) {
    struct word words[2];
    char field[FIELD_SIZE];
    if (is_header(&lines->line[i]) || is_json(&lines->line[i]))
        return FORMAT_CERTAIN;
    if (is_plain_row(&lines->line[i], field, words))
        return FORMAT_LIKELY;
    // /proc/net/snmp6 has the same lines without a third column.
    return is_row(&lines->line[i], words) ? FORMAT_LIKELY : FORMAT_NO;
}

// How nstat was called, as far as the paste shows it.
struct call {
    bool seen;        // there is a command
    bool absolute;    // -a
    bool complete;    // nothing but rows of 0 can be missing
    const char *grep; // what its output was searched for; NULL: not searched
};

static bool has_option(const char *command, char option, const char *name) {
    const char *at = strstr(command, "nstat");
    for (; at; at = strstr(at + 1, "nstat"))
        for (const char *word = strchr(at, ' '); word; word = strchr(word + 1, ' ')) {
            if (word[1] == '|' || word[1] == ';' || word[1] == '&')
                break;
            size_t length = strcspn(word + 1, " |;");
            if (word[1] == '-' && word[2] != '-' && memchr(word + 1, option, length))
                return true;
            if (word[1] == '-' && word[2] == '-' && strncmp(word + 3, name, strlen(name)) == 0)
                return true;
        }
    return false;
}

// Patterns to print only some rows: "nstat -az UdpRcvbufErrors".
static bool has_pattern(const char *command) {
    const char *at = strstr(command, "nstat");
    for (const char *next; at && (next = strstr(at + 1, "nstat")); at = next)
        ;
    const char *word = at ? strchr(at, ' ') : NULL;
    for (; word; word = strchr(word + 1, ' ')) {
        if (strchr("|;&>", word[1]))
            return false;
        if (word[1] != '-' && word[1] != '\0')
            return true;
    }
    return false;
}

static struct call call_of(const struct lines *lines, size_t i, bool header) {
    const char *command = command_above(lines, i, "nstat");
    struct call call = { .complete = header };
    if (!command || !strstr(command, "nstat"))
        return call;
    const char *grep = strstr(command, "grep ");
    call.seen = true;
    call.absolute = has_option(command, 'a', "ignore");
    call.complete = !has_pattern(command) && !strstr(command, "head") && !strstr(command, "tail") &&
                    (!grep || !strstr(grep, " -v"));
    call.grep = grep ? grep + 5 : NULL;
    return call;
}

// One of the words that grep looks for is in the name.
static bool grep_shows(const char *pattern, const char *name) {
    static const char ends[] = "|\\ '\"";
    for (const char *at = pattern; *at;) {
        size_t length = strcspn(at, ends);
        if (length > 0 && *at != '-' && length < FIELD_SIZE &&
                memmem(name, strlen(name), at, length))
            return true;
        at += length + (at[length] != '\0');
    }
    return false;
}

static void put(struct intake *intake, const struct line *line, struct call *call,
        const char *field, const struct word *number) {
    uint64_t value;
    if (!word_count(number, &value)) {
        intake_note(intake, line, "%s cannot be %.*s", field,
                (int) (number->length < 40 ? number->length : 40), number->text);
        call->complete = false;
        return;
    }
    if (!(call->absolute ? intake_set(intake, field, value) : intake_grow(intake, field, value)))
        intake_unused(intake, line);
}

static void put_zeros(struct intake *intake, const struct call *call) {
    for (size_t i = 0; call->complete && i < N_HIDDEN; i++) {
        if (intake_has(intake, hidden[i]) || (call->grep && !grep_shows(call->grep, hidden[i])))
            continue;
        if (call->absolute)
            intake_set(intake, hidden[i], 0);
        else
            intake_grow(intake, hidden[i], 0);
    }
}

static void put_json(struct intake *intake, const struct line *line, struct call *call) {
    char field[FIELD_SIZE];
    for (const char *at = strchr(line->text, '"'); at; at = strchr(at, '"')) {
        size_t length = strcspn(++at, "\"");
        const char *colon = at + length + (at[length] != '\0');
        const char *digits = colon + strspn(colon, ": \t");
        struct word word = { at, length }, number = { digits, strspn(digits, "0123456789") };
        if (*colon == ':' && is_name(&word) && number.length > 0) {
            snprintf(field, sizeof(field), "%.*s", (int) length, at);
            put(intake, line, call, field, &number);
        }
        at = colon;
    }
}

static size_t read_plain(struct intake *intake, const struct lines *lines, size_t i) {
    char field[FIELD_SIZE];
    struct word number;
    intake_row(intake, &lines->line[i], "snmp", NULL);
    intake_note(
            intake, &lines->line[i], "names and values of a script: taken for counters since boot");
    for (; i < lines->n && is_plain_row(&lines->line[i], field, &number); i++) {
        if (intake_has(intake, field))
            break; // the next look
        intake_row(intake, &lines->line[i], "snmp", NULL);
        if (!intake_put(intake, field, &number))
            intake_unused(intake, &lines->line[i]);
    }
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[2];
    char field[FIELD_SIZE];
    const struct line *first = &lines->line[i];
    if (is_plain_row(first, field, words))
        return read_plain(intake, lines, i);
    bool json = is_json(first), header = json || is_header(first);
    struct call call = call_of(lines, i, header);
    intake_row(intake, first, "snmp", NULL);
    if (!call.seen)
        intake_doubt(intake, first);
    if (header && !json)
        i++;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (json && (strchr("{}\"", line->text[line->indent]))) {
            put_json(intake, line, &call);
            continue;
        }
        if (json || is_header(line) || !is_row(line, words))
            break;
        snprintf(field, sizeof(field), "%.*s", (int) words[0].length, words[0].text);
        if (intake_has(intake, field))
            break; // the next output
        put(intake, line, &call, field, &words[1]);
    }
    call.complete &= i == lines->n || lines->line[i].kind != LINE_TEXT || !is_cut(&lines->line[i]);
    put_zeros(intake, &call);
    return i;
}

const struct format format_nstat = {
    .name = "nstat",
    .help = "nstat, nstat --json",
    .begins = begins,
    .read = read_block,
};
