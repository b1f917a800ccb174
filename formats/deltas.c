// SPDX-License-Identifier: GPL-2.0-or-later
// Lists of deltas
//
// Growth that somebody calculated: "DELTA RcvbufErrors=749", "UdpInErrors: +749", "RcvbufErrors 100
// -> 849 (+749)". A line such as "Higher quality, 60s:" above a list tells how long it was counted.
#include <ctype.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/interface.h"
#include "formats/list.h"
#include "formats/words.h"

enum { NAME_SIZE = 96 };

struct delta {
    char name[NAME_SIZE];
    uint64_t growth;
    char interface[64]; // "": none
};

// Names without the group they are of.
static const struct {
    const char *group, *name;
} bare_names[] = {
    { "Udp", "InDatagrams" },
    { "Udp", "NoPorts" },
    { "Udp", "InErrors" },
    { "Udp", "OutDatagrams" },
    { "Udp", "RcvbufErrors" },
    { "Udp", "SndbufErrors" },
    { "Udp", "InCsumErrors" },
    { "Udp", "IgnoredMulti" },
    { "Udp", "MemErrors" },
    { "Ip", "InReceives" },
    { "Ip", "InDelivers" },
    { "Ip", "InDiscards" },
    { "Ip", "OutDiscards" },
    { "Ip", "ReasmTimeout" },
    { "Ip", "ReasmReqds" },
    { "Ip", "ReasmOKs" },
    { "Ip", "ReasmFails" },
    { "Ip", "FragFails" },
    { "Ip", "FragCreates" },
    { "Ip", "FragOKs" },
};

static bool to_name(const struct word *word, char *ret) {
    static const char *const groups[] = { "Udp", "UdpLite", "Ip", "IpExt", "Udp6", "Ip6",
        "UdpLite6" };
    for (size_t i = 0; i < sizeof(bare_names) / sizeof(bare_names[0]); i++) {
        const char *name = bare_names[i].name;
        size_t n = strlen(name);
        if (word_is(word, name)) {
            snprintf(ret, NAME_SIZE, "%s%s", bare_names[i].group, name);
            return true;
        }
        if (word->length <= n || strncmp(word->text + word->length - n, name, n) != 0)
            continue;
        for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); g++) {
            size_t before = word->length - n; // "Udp", "Udp:", "Udp."
            size_t mark = !isalnum((unsigned char) word->text[before - 1]);
            if (strlen(groups[g]) == before - mark &&
                    strncasecmp(word->text, groups[g], before - mark) == 0) {
                snprintf(ret, NAME_SIZE, "%s%s", groups[g], name);
                return true;
            }
        }
    }
    return false;
}

// Words apart at blanks, bullets and the signs between a name and its number.
static size_t to_words(const char *text, char *copy, size_t size, struct word *words, size_t n) {
    size_t i = 0;
    for (; text[i] && i + 1 < size; i++)
        copy[i] = strchr("`*=:()[]|,;\t", text[i]) ? ' ' : text[i];
    copy[i] = '\0';
    return words_split(copy, words, n);
}

static bool is_delta_word(const struct word *word) {
    static const char *const names[] = { "delta", "diff", "growth", "increase", "increased", "grew",
        "rose", "\316\224" };
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
        if (word->length == strlen(names[i]) &&
                strncasecmp(word->text, names[i], word->length) == 0)
            return true;
    return false;
}

static bool signed_count(const struct word *word, uint64_t *ret) {
    struct word number = { word->text + 1, word->length - 1 };
    return word->length > 1 && word->text[0] == '+' && word_count(&number, ret);
}

// All names have a capital letter behind a small one.
static bool may_name(const char *text) {
    for (; text[0]; text++)
        if (islower((unsigned char) text[0]) && isupper((unsigned char) text[1]))
            return true;
    return false;
}

// A name with a growth: behind a word that says so, or with a plus.
static bool to_delta(const struct line *line, struct delta *ret) {
    char copy[256], name[NAME_SIZE];
    struct word words[16];
    bool marked = false, named = false, found = false;
    size_t n = line->kind == LINE_TEXT && may_name(line->text)
                       ? to_words(line->text, copy, sizeof(copy), words, 16)
                       : 0;
    *ret = (struct delta){ 0 };
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        struct word word = words[i];
        // "\u0394RcvbufErrors"
        if (word.length > 2 && memcmp(word.text, "\316\224", 2) == 0) {
            marked = true;
            word.text += 2;
            word.length -= 2;
        }
        marked |= is_delta_word(&word);
        if (!named && to_name(&word, name)) {
            named = true;
            snprintf(ret->name, sizeof(ret->name), "%s", name);
        } else if (named && signed_count(&word, &value)) {
            ret->growth = value;
            return true;
        } else if (named && !found && word_count(&word, &value)) {
            ret->growth = value;
            found = true;
        }
    }
    return marked && named && found && n <= 8;
}

// "eth0 dropped/errors=0" beside them: only that nothing was counted is clear.
static bool to_quiet_interface(const struct line *line, struct delta *ret) {
    char copy[256];
    struct word words[8];
    uint64_t value;
    size_t n = line->kind == LINE_TEXT ? to_words(line->text, copy, sizeof(copy), words, 8) : 0;
    size_t first = n > 0 && words[0].length == 1 ? 1 : 0; // a bullet
    if (n != first + 3 || !word_count(&words[n - 1], &value) || value != 0 ||
            words[first].length >= sizeof(ret->interface) ||
            !isalpha((unsigned char) words[first].text[0]))
        return false;
    struct word what = words[first + 1];
    *ret = (struct delta){ 0 };
    snprintf(ret->interface, sizeof(ret->interface), "%.*s", (int) words[first].length,
            words[first].text);
    return word_is(&what, "dropped/errors") || word_is(&what, "errors/dropped") ||
           word_is(&what, "drops/errors") || word_is(&what, "errors/drops");
}

static size_t next_text(const struct lines *lines, size_t i) {
    while (i < lines->n && lines->line[i].kind == LINE_BLANK)
        i++;
    return i;
}

// "..., 60s:", "In 60 seconds:", "after 1 min:" above a list. 0: no time in it.
static int64_t span_of(const char *text) {
    static const struct {
        const char *unit;
        int64_t ms;
    } units[] = { { "ms", 1 }, { "seconds", 1000 }, { "second", 1000 }, { "secs", 1000 },
        { "sec", 1000 }, { "s", 1000 }, { "minutes", 60000 }, { "minute", 60000 }, { "min", 60000 },
        { "m", 60000 }, { "hours", 3600000 }, { "hour", 3600000 }, { "h", 3600000 } };
    for (const char *at = text; *at; at++) {
        size_t digits = strspn(at, "0123456789");
        uint64_t value;
        struct word number = { at, digits };
        if (digits == 0 || (at > text && isalnum((unsigned char) at[-1])) ||
                !word_count(&number, &value))
            continue;
        const char *unit = at + digits + strspn(at + digits, " -");
        size_t n = 0;
        while (isalpha((unsigned char) unit[n]))
            n++;
        for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++)
            if (n == strlen(units[i].unit) && strncasecmp(unit, units[i].unit, n) == 0 &&
                    value < 1000000)
                return (int64_t) value * units[i].ms;
        at += digits - 1;
    }
    return 0;
}

static bool is_heading(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    struct delta delta;
    size_t next = next_text(lines, i + 1);
    return line->kind == LINE_TEXT && line->length > 0 && next < lines->n &&
           to_delta(&lines->line[next], &delta) && !to_delta(line, &delta) &&
           (line->text[line->length - 1] == ':' || span_of(line->text) > 0);
}

static int begins(const struct lines *lines, size_t i) {
    struct delta delta;
    if (to_delta(&lines->line[i], &delta))
        return FORMAT_CERTAIN;
    return is_heading(lines, i) ? FORMAT_LIKELY : FORMAT_NO;
}

static void put_quiet(struct intake *intake, const struct line *line, const char *interface) {
    static const char *const columns[] = { "rx_dropped_unsplit", "rx_dropped", "rx_missed_errors",
        "rx_errors", "tx_dropped", "tx_errors" };
    interface_row(intake, line, interface, NULL);
    for (size_t i = 0; i < sizeof(columns) / sizeof(columns[0]); i++)
        intake_grow(intake, columns[i], 0);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct delta delta;
    if (is_heading(lines, i)) {
        intake_span(intake, span_of(lines->line[i].text));
        i = next_text(lines, i + 1);
    }
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (to_delta(line, &delta)) {
            intake_row(intake, line, "snmp", NULL);
            if (!intake_grow(intake, delta.name, delta.growth))
                intake_unused(intake, line);
        } else if (to_quiet_interface(line, &delta))
            put_quiet(intake, line, delta.interface);
        else
            break;
    }
    return i;
}

const struct format format_deltas = {
    .name = "deltas",
    .help = "lists of differences: DELTA RcvbufErrors=749",
    .begins = begins,
    .read = read_block,
};
