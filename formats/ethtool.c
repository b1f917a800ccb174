// SPDX-License-Identifier: GPL-2.0-or-later
// ethtool -g, -l, -i, -k, -c
//
// "Ring parameters for eth0:" and the like, in two sections: largest and present sizes.
#include <stdio.h>
#include <string.h>

#include "formats/interface.h"
#include "formats/list.h"

enum kind { KIND_RING, KIND_CHANNELS, KIND_DRIVER, KIND_OTHER };

static const struct {
    const char *title; // followed by the interface and a colon
    enum kind kind;
} titles[] = {
    { "Ring parameters for ", KIND_RING },
    { "Channel parameters for ", KIND_CHANNELS },
    { "Features for ", KIND_OTHER },
    { "Offload parameters for ", KIND_OTHER },
    { "Coalesce parameters for ", KIND_OTHER },
    { "Pause parameters for ", KIND_OTHER },
    { "Settings for ", KIND_OTHER },
    { "Time stamping parameters for ", KIND_OTHER },
    { "Private flags for ", KIND_OTHER },
    { "FEC parameters for ", KIND_OTHER },
    { "EEE settings for ", KIND_OTHER },
    { "EEE Settings for ", KIND_OTHER },
    { "RX flow hash indirection table for ", KIND_OTHER },
    { "Permanent address", KIND_OTHER },
    { "Actual changes:", KIND_OTHER },
};
#define N_TITLES (sizeof(titles) / sizeof(titles[0]))

static size_t title_of(const struct line *line) {
    size_t i = 0;
    while (i < N_TITLES &&
            strncmp(line->text + line->indent, titles[i].title, strlen(titles[i].title)) != 0)
        i++;
    return i;
}

// "driver: virtio_net" above "version:": ethtool -i names no interface.
static bool is_driver(const struct lines *lines, size_t i) {
    const struct line *line = &lines->line[i];
    return strncmp(line->text + line->indent, "driver:", 7) == 0 && i + 1 < lines->n &&
           strncmp(lines->line[i + 1].text + lines->line[i + 1].indent, "version:", 8) == 0;
}

static void name_of(const struct lines *lines, size_t i, char *ret) {
    const struct line *line = &lines->line[i];
    size_t title = title_of(line);
    *ret = '\0';
    if (title < N_TITLES && strstr(titles[title].title, " for ")) {
        const char *text = line->text + line->indent + strlen(titles[title].title);
        size_t n = strcspn(text, " :");
        if (n > 0 && n < INTERFACE_SIZE)
            snprintf(ret, INTERFACE_SIZE, "%.*s", (int) n, text);
    }
    if (!*ret)
        interface_of_block(lines, i, ret, INTERFACE_SIZE);
}

static const struct {
    const char *name;
    enum kind kind;
    const char *now, *most; // columns; NULL: none
} values[] = {
    { "RX:", KIND_RING, "rx_ring", "rx_ring_max" },
    { "TX:", KIND_RING, "tx_ring", "tx_ring_max" },
    // receive-only ones are seldom, and then there are no combined ones
    { "Combined:", KIND_CHANNELS, "channels", "channels_max" },
    { "RX:", KIND_CHANNELS, "channels", "channels_max" },
};

// n/a and 0 say that there are none of the kind.
static void take_value(struct intake *intake, enum kind kind, bool most, const struct word *words) {
    uint64_t value;
    for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
        const char *column = most ? values[i].most : values[i].now;
        if (values[i].kind == kind && word_is(&words[0], values[i].name) &&
                word_count(&words[1], &value) && value > 0 && !intake_has(intake, column))
            intake_set(intake, column, value);
    }
}

static size_t read_sizes(
        struct intake *intake, const struct lines *lines, size_t i, enum kind kind) {
    bool most = true;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        struct word words[3];
        size_t n = words_split(line->text, words, 3);
        if (strstr(line->text, "maximums:") || strstr(line->text, "Current hardware")) {
            most = strstr(line->text, "maximums:") != NULL;
            continue;
        }
        if (title_of(line) < N_TITLES || !strchr(line->text, ':'))
            break;
        if (n == 2)
            take_value(intake, kind, most, words);
    }
    return i;
}

static size_t read_driver(struct intake *intake, const struct lines *lines, size_t i) {
    struct word words[2];
    char driver[64];
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const char *text = lines->line[i].text;
        size_t n = words_split(text, words, 2);
        if (n == 0 || words[0].text[words[0].length - 1] != ':')
            break;
        if (n == 2 && word_is(&words[0], "driver:")) {
            snprintf(driver, sizeof(driver), "%.*s", (int) words[1].length, words[1].text);
            intake_set_text(intake, "driver", driver);
        }
    }
    return i;
}

// Features, coalescing and the rest decide nothing here. Coalescing has blank lines inside.
static size_t skip_other(struct intake *intake, const struct lines *lines, size_t i) {
    const struct line *title = &lines->line[i];
    intake_unused(intake, title);
    for (i++; i < lines->n; i++) {
        const struct line *line = &lines->line[i];
        bool blank_inside = line->kind == LINE_BLANK && i + 1 < lines->n &&
                            lines->line[i + 1].kind == LINE_TEXT &&
                            title_of(&lines->line[i + 1]) == N_TITLES &&
                            strstr(title->text, "Coalesce") && strchr(lines->line[i + 1].text, ':');
        if (blank_inside)
            continue;
        if (line->kind != LINE_TEXT || title_of(line) < N_TITLES ||
                (!strchr(line->text, ':') && line->indent == 0))
            break;
        intake_unused(intake, line);
    }
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    char name[INTERFACE_SIZE];
    size_t title = title_of(&lines->line[i]);
    name_of(lines, i, name);
    if (*name || title == N_TITLES || titles[title].kind != KIND_OTHER)
        intake_row(intake, &lines->line[i], "nic", (const char *const[]){ NULL, name });
    if (title == N_TITLES)
        return read_driver(intake, lines, i);
    if (titles[title].kind == KIND_OTHER)
        return skip_other(intake, lines, i);
    return read_sizes(intake, lines, i + 1, titles[title].kind);
}

static int begins(const struct lines *lines, size_t i) {
    return title_of(&lines->line[i]) < N_TITLES || is_driver(lines, i) ? FORMAT_CERTAIN : FORMAT_NO;
}

const struct format format_ethtool = {
    .name = "ethtool",
    .help = "ethtool -g, -l, -i, -k, -c",
    .begins = begins,
    .read = read_block,
};
