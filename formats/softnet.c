// SPDX-License-Identifier: GPL-2.0-or-later
// /proc/net/softnet_stat
//
// One line of hexadecimal numbers per CPU, or the decimal table that a script made of them.
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "formats/list.h"
#include "formats/words.h"

// net/core/net-procfs.c: 9 columns before 2.6.35, 10 up to 3.10, 11 from 3.11, 13 from 5.10 (and
// in backports), 15 from 6.5. NULL: always 0, or the CPU itself.
static const char *const columns[] = {
    "processed",
    "dropped",
    "time_squeeze",
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    "cpu_collision",
    "received_rps",
    "flow_limit_count",
    "backlog_length",
    NULL,
    "input_queue_length",
    "process_queue_length",
};
#define N_COLUMNS (sizeof(columns) / sizeof(columns[0]))
#define CPU_COLUMN 12
#define WORDS_OF_LINE 24

static bool is_known_width(size_t n) {
    return n == 9 || n == 10 || n == 11 || n == 13 || n >= 15;
}

// Text read off a picture has the letter O in place of 0.
static bool is_hex32(const struct word *word, uint64_t *ret) {
    char digits[8];
    if (word->length != sizeof(digits))
        return false;
    for (size_t i = 0; i < sizeof(digits); i++)
        digits[i] = word->text[i] == 'O' || word->text[i] == 'o' ? '0' : word->text[i];
    return word_hex(&(struct word){ digits, sizeof(digits) }, ret);
}

// "CPU0:", "cpu 0", "0:", "1" (cat -n): what people put in front of a line. Returns how many words
// it takes; *ret_cpu stays where it names none.
static size_t skip_label(const struct word *words, size_t n, uint64_t *ret_cpu) {
    struct word label = n > 0 ? words[0] : (struct word){ "", 0 };
    uint64_t value;
    if (n == 0 || is_hex32(&label, &value))
        return 0;
    bool named = label.length >= 3 && strncasecmp(label.text, "cpu", 3) == 0;
    if (named) {
        label.text += 3;
        label.length -= 3;
    }
    bool colon = label.length > 0 && label.text[label.length - 1] == ':';
    label.length -= colon;
    if (label.length == 0)
        return named && n > 1 ? 1 + skip_label(words + 1, n - 1, ret_cpu) : 0;
    if (!word_count(&label, &value))
        return 0;
    if (named || colon) // the line number of cat -n says nothing
        *ret_cpu = value;
    return 1;
}

struct cpu_line {
    uint64_t value[WORDS_OF_LINE];
    size_t n;
    uint64_t cpu; // UINT64_MAX: not said
};

// False: not such a line. A last word that is shorter was cut.
static bool parse_hex_line(const struct line *line, struct cpu_line *ret) {
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    *ret = (struct cpu_line){ .cpu = UINT64_MAX };
    size_t first = skip_label(words, n, &ret->cpu);
    for (size_t i = first; i < n; i++)
        if (!is_hex32(&words[i], &ret->value[ret->n++]))
            return i + 1 == n && ret->n > 2;
    if (ret->n > CPU_COLUMN)
        ret->cpu = ret->value[CPU_COLUMN];
    return ret->n > 2;
}

static bool is_whole(const struct line *line) {
    struct word words[WORDS_OF_LINE];
    uint64_t value;
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    return n > 0 && is_hex32(&words[n - 1], &value);
}

// A line of the same width with a digit that is none: it stands for a CPU all the same.
static bool is_damaged(const struct line *line, size_t width) {
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE), n_hex = 0;
    uint64_t value;
    for (size_t i = 0; i < n; i++)
        n_hex += is_hex32(&words[i], &value);
    return width > 0 && n >= width && n_hex + 2 >= width;
}

static void begin_cpu(struct intake *intake, const struct line *line, uint64_t cpu) {
    char key[24];
    snprintf(key, sizeof(key), "%" PRIu64, cpu);
    intake_row(intake, line, "softnet", (const char *const[]){ key });
}

// A CPU that comes again begins the next look.
struct seen {
    uint64_t last;
    bool any;
};

static void next_cpu(
        struct intake *intake, const struct line *line, uint64_t cpu, struct seen *seen) {
    if (seen->any && cpu <= seen->last)
        intake_look(intake, line, line->at_ms);
    *seen = (struct seen){ cpu, true };
    begin_cpu(intake, line, cpu);
}

static size_t read_hex(struct intake *intake, const struct lines *lines, size_t i) {
    struct cpu_line cpu;
    struct seen seen = { 0 };
    size_t width = 0, row = 0;
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++, row++) {
        const struct line *line = &lines->line[i];
        bool is_bad = !parse_hex_line(line, &cpu);
        if (is_bad && !is_damaged(line, width))
            break;
        width = width ? width : cpu.n;
        if (is_bad || cpu.n != width || !is_known_width(width) || !is_whole(line)) {
            intake_skip(intake, line);
            continue;
        }
        // Without its number the CPU is the one of that line, unless some are offline.
        next_cpu(intake, line, cpu.cpu != UINT64_MAX ? cpu.cpu : row, &seen);
        for (size_t k = 0; k < width && k < N_COLUMNS; k++)
            if (columns[k])
                intake_set(intake, columns[k], cpu.value[k]);
    }
    return i;
}

// Headings of the tables that scripts print.
static const struct {
    const char *name, *column;
} headings[] = {
    { "cpu", "" },
    { "processed", "processed" },
    { "packet_process", "processed" },
    { "packets", "processed" },
    { "total", "processed" },
    { "dropped", "dropped" },
    { "drop", "dropped" },
    { "drops", "dropped" },
    { "packet_drop", "dropped" },
    { "squeezed", "time_squeeze" },
    { "squeeze", "time_squeeze" },
    { "squeezes", "time_squeeze" },
    { "time_squeeze", "time_squeeze" },
    { "time_squeezed", "time_squeeze" },
    { "timesqueeze", "time_squeeze" },
    { "collision", "cpu_collision" },
    { "cpu_collision", "cpu_collision" },
    { "cpu_collision", "cpu_collision" },
    { "rps", "received_rps" },
    { "received_rps", "received_rps" },
    { "receive_rps", "received_rps" },
    { "flow_limit", "flow_limit_count" },
    { "flow_limit_count", "flow_limit_count" },
    { "flow_limit_reached", "flow_limit_count" },
    { "backlog", "backlog_length" },
    { "backlog_len", "backlog_length" },
    { "backlog_length", "backlog_length" },
};

// What each word of a line is: "" the CPU, NULL nothing of ours.
struct layout {
    const char *column[WORDS_OF_LINE];
    size_t n;
    bool names_cpu;
};

static const char *heading_of(const struct word *word) {
    size_t n = word->length;
    while (n > 0 && !isalnum((unsigned char) word->text[n - 1]))
        n--;
    for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
        if (strlen(headings[i].name) == n && strncasecmp(word->text, headings[i].name, n) == 0)
            return headings[i].column;
    return NULL;
}

static void add_column(struct layout *layout, const char *column) {
    if (layout->n == WORDS_OF_LINE)
        return;
    layout->names_cpu |= column && !*column;
    layout->column[layout->n++] = column;
}

static bool has(const struct layout *layout, const char *column) {
    for (size_t i = 0; i < layout->n; i++)
        if (layout->column[i] && strcmp(layout->column[i], column) == 0)
            return true;
    return false;
}

// A line of headings is one if it has dropped and squeezed.
static bool parse_headings(const struct line *line, struct layout *ret) {
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE);
    *ret = (struct layout){ 0 };
    for (size_t i = 0; i < n; i++)
        add_column(ret, heading_of(&words[i]));
    return has(ret, "dropped") && has(ret, "time_squeeze");
}

// awk '{print strtonum("0x"$1), strtonum("0x"$2)}' /proc/net/softnet_stat: what it prints, in
// order.
static bool parse_command(const char *command, struct layout *ret) {
    *ret = (struct layout){ 0 };
    if (!command || !strstr(command, "softnet_stat") || !strstr(command, "0x"))
        return false;
    for (const char *at = command; (at = strstr(at, "0x")); at += 2) {
        const char *dollar = at + 2 + strspn(at + 2, "\" ,.");
        size_t digits = *dollar == '$' ? strspn(dollar + 1, "0123456789") : 0;
        struct word word = { dollar + 1, digits };
        uint64_t k;
        if (digits > 0 && word_count(&word, &k) && k >= 1)
            add_column(ret, k == CPU_COLUMN + 1 ? "" : k <= N_COLUMNS ? columns[k - 1] : NULL);
    }
    return ret->n > 0;
}

// The values of a line of such a table; a CPU may stand in front although no heading says so.
static bool parse_decimal_line(
        const struct line *line, const struct layout *layout, struct cpu_line *ret) {
    struct word words[WORDS_OF_LINE];
    size_t n = words_split(line->text, words, WORDS_OF_LINE), first = 0;
    *ret = (struct cpu_line){ .cpu = UINT64_MAX };
    if (!layout->names_cpu && n > layout->n)
        first = skip_label(words, n, &ret->cpu);
    for (size_t i = first; i < n; i++) {
        struct word word = words[i];
        if (i == first && layout->names_cpu && strncasecmp(word.text, "cpu", 3) == 0 &&
                word.length > 3) {
            word.text += 3;
            word.length -= 3;
        }
        while (word.length > 1 && strchr(":,;%", word.text[word.length - 1]))
            word.length--;
        if (!word_count(&word, &ret->value[ret->n++]))
            return false;
    }
    return ret->n >= 2 && ret->n <= layout->n;
}

static size_t read_decimal(
        struct intake *intake, const struct lines *lines, size_t i, const struct layout *layout) {
    struct cpu_line cpu;
    struct layout again;
    struct seen seen = { 0 };
    for (uint64_t row = 0; i < lines->n && lines->line[i].kind == LINE_TEXT; i++, row++) {
        const struct line *line = &lines->line[i];
        if (parse_headings(line, &again) || !parse_decimal_line(line, layout, &cpu))
            break;
        if (cpu.n < layout->n) {
            intake_skip(intake, line);
            continue;
        }
        for (size_t k = 0; k < cpu.n; k++)
            if (layout->column[k] && !*layout->column[k])
                cpu.cpu = cpu.value[k];
        next_cpu(intake, line, cpu.cpu != UINT64_MAX ? cpu.cpu : row, &seen);
        for (size_t k = 0; k < cpu.n; k++)
            if (layout->column[k] && *layout->column[k])
                intake_set(intake, layout->column[k], cpu.value[k]);
    }
    return i;
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct cpu_line cpu;
    struct layout layout;
    if (parse_headings(&lines->line[i], &layout))
        return read_decimal(intake, lines, i + 1, &layout);
    if (parse_hex_line(&lines->line[i], &cpu))
        return read_hex(intake, lines, i);
    if (parse_command(lines_command(lines, i), &layout))
        return read_decimal(intake, lines, i, &layout);
    return i + 1;
}

static int begins(const struct lines *lines, size_t i) {
    struct cpu_line cpu;
    struct layout layout;
    const struct line *line = &lines->line[i];
    if (parse_hex_line(line, &cpu))
        return cpu.n >= 9 ? FORMAT_CERTAIN : FORMAT_MAYBE;
    if (parse_headings(line, &layout))
        return layout.names_cpu ? FORMAT_CERTAIN : FORMAT_LIKELY;
    return parse_command(lines_command(lines, i), &layout) &&
                           parse_decimal_line(line, &layout, &cpu)
                   ? FORMAT_CERTAIN
                   : FORMAT_NO;
}

const struct format format_softnet = {
    .name = "softnet",
    .help = "/proc/net/softnet_stat",
    .begins = begins,
    .read = read_block,
};
