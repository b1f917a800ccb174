// SPDX-License-Identifier: GPL-2.0-or-later
// netstat -i
//
// Its numbers are those of /proc/net/dev. net-tools before 2.0 has a column Met (metric) more.
// Headings are not translated, the title is.
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"

static const struct {
    const char *name, *column;
    void (*put)(struct intake *intake, const struct word *number);
} headings[] = {
    { "MTU", "mtu_bytes", NULL },
    { "Met", NULL, NULL },
    { "RX-OK", "rx_packets", NULL },
    { "RX-ERR", "rx_errors", NULL },
    { "RX-DRP", "", interface_put_dropped },
    { "RX-OVR", "rx_fifo_errors", NULL },
    { "TX-OK", "tx_packets", NULL },
    { "TX-ERR", "tx_errors", NULL },
    { "TX-DRP", "tx_dropped", NULL },
    { "TX-OVR", "tx_fifo_errors", NULL },
};
#define N_HEADINGS (sizeof(headings) / sizeof(headings[0]))
#define WORDS_OF_LINE 16

struct layout {
    size_t heading[WORDS_OF_LINE]; // of each word behind the name; N_HEADINGS: none of ours
    size_t n;
};

static bool parse_header(const struct line *line, struct layout *ret) {
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    ret->n = 0;
    if (n < 6 || !word_is(&words[0], "Iface") || !word_is(&words[1], "MTU"))
        return false;
    for (size_t i = 1; i < n; i++) {
        size_t k = 0;
        while (k < N_HEADINGS && !word_is(&words[i], headings[k].name))
            k++;
        ret->heading[ret->n++] = k;
    }
    return true;
}

static bool is_title(const struct lines *lines, size_t i) {
    struct layout layout;
    return i + 1 < lines->n && lines->line[i + 1].kind == LINE_TEXT &&
           parse_header(&lines->line[i + 1], &layout) && !parse_header(&lines->line[i], &layout);
}

// The numbers stop where the flags begin.
static size_t count_numbers(const struct word *words, size_t n) {
    uint64_t value;
    size_t found = 0;
    while (found + 1 < n && word_count(&words[found + 1], &value))
        found++;
    return found;
}

static bool take_row(struct intake *intake, const struct line *line, const struct layout *layout) {
    struct word words[WORDS_OF_LINE];
    char name[INTERFACE_SIZE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    size_t n_numbers = count_numbers(words, n);
    if (strstr(line->text, "no statistics")) { // a second address
        intake_unused(intake, line);
        return true;
    }
    if (n_numbers == 0 || words[0].length >= sizeof(name))
        return false;
    memcpy(name, words[0].text, words[0].length);
    name[words[0].length] = '\0';
    // m: of a bond or team; s would be one of its ports
    bool master = n > n_numbers + 1 && memchr(words[n - 1].text, 'm', words[n - 1].length);
    interface_row(intake, line, name, master ? "MASTER" : NULL);
    for (size_t i = 0; i < n_numbers && i < layout->n; i++) {
        size_t k = layout->heading[i];
        if (k < N_HEADINGS && headings[k].put)
            headings[k].put(intake, &words[i + 1]);
        else if (k < N_HEADINGS && headings[k].column)
            intake_put(intake, headings[k].column, &words[i + 1]);
    }
    return true;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct layout layout, again;
    i += is_title(lines, i);
    if (!parse_header(&lines->line[i], &layout))
        return i;
    for (i++; i < lines->n && lines->line[i].kind == LINE_TEXT; i++)
        if (parse_header(&lines->line[i], &again) || is_title(lines, i) ||
                !take_row(intake, &lines->line[i], &layout))
            break;
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    struct layout layout;
    return parse_header(&lines->line[i], &layout) || is_title(lines, i) ? FORMAT_CERTAIN
                                                                        : FORMAT_NO;
}

const struct format format_netstat_i = {
    .name = "netstat-i",
    .help = "netstat -i",
    .begins = begins,
    .read = read_block,
};
