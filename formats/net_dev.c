// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/dev
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"
#include "formats/place.h"

// net/core/net-procfs.c, the same in all kernels. "": a sum of several.
static const struct {
    const char *column;
    void (*put)(struct intake *intake, const struct word *number);
} fields[] = {
    { "rx_bytes", NULL },
    { "rx_packets", NULL },
    { "rx_errors", NULL },
    { "", interface_put_dropped },
    { "rx_fifo_errors", NULL },
    { "", interface_put_frame },
    { "rx_compressed", NULL },
    { "multicast", NULL },
    { "tx_bytes", NULL },
    { "tx_packets", NULL },
    { "tx_errors", NULL },
    { "tx_dropped", NULL },
    { "tx_fifo_errors", NULL },
    { "collisions", NULL },
    { "", interface_put_carrier },
    { "tx_compressed", NULL },
};
#define N_FIELDS (sizeof(fields) / sizeof(fields[0]))

static bool is_header(const struct line *line) {
    return strstr(line->text, "Inter-|") || (strstr(line->text, "face |bytes") != NULL);
}

static const char *text_of(const struct line *line) {
    char path[PLACE_SIZE];
    const char *rest;
    return place_prefix(line->text, path, sizeof(path), &rest) ? rest : line->text;
}

// The name up to its colon (an alias has one more), and 16 numbers, the first of them perhaps right
// behind the colon. False: no such line, or a part of one.
static bool parse_row(const char *text, char *name, size_t size, struct word *numbers) {
    text += strspn(text, " \t");
    size_t n = strcspn(text, " \t");
    const char *colon = memrchr(text, ':', n);
    if (!colon || colon == text || (size_t) (colon - text) >= size)
        return false;
    memcpy(name, text, (size_t) (colon - text));
    name[colon - text] = '\0';
    uint64_t value;
    size_t n_numbers = words_split(colon + 1, numbers, N_FIELDS + 1);
    for (size_t i = 0; i < n_numbers; i++)
        if (!word_count(&numbers[i], &value))
            return false;
    return n_numbers == N_FIELDS;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE], first[INTERFACE_SIZE] = "";
    struct word numbers[N_FIELDS + 1];
    for (bool headed = false; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        if (is_header(line)) {
            if (headed && *first)
                break; // the next look
            headed = true;
            continue;
        }
        if (!parse_row(text_of(line), name, sizeof(name), numbers))
            break;
        if (strcmp(first, name) == 0)
            break;
        if (!*first)
            strcpy(first, name);
        interface_row(intake, line, name, NULL);
        for (size_t k = 0; k < N_FIELDS; k++) {
            if (fields[k].put)
                fields[k].put(intake, &numbers[k]);
            else
                intake_put(intake, fields[k].column, &numbers[k]);
        }
    }
    return i;
}

static int begins(const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    struct word numbers[N_FIELDS + 1];
    const struct line *line = &lines->line[i];
    return is_header(line) || parse_row(text_of(line), name, sizeof(name), numbers) ? FORMAT_CERTAIN
                                                                                    : FORMAT_NO;
}

const struct format format_net_dev = {
    .name = "net-dev",
    .help = "/proc/net/dev",
    .begins = begins,
    .read = read_block,
};
