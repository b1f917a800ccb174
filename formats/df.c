// SPDX-License-Identifier: GPL-2.0-or-later
// df
//
// Headings are translated (coreutils: po/*.po of 9.1); the rows have their shape: a device, a type
// with -T, three numbers, a percentage, the mount point. Long devices have a line of their own.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "formats/command.h"
#include "formats/list.h"
#include "formats/sizes.h"

enum { WORDS = 24, NAME_SIZE = 256 };

struct row {
    struct word device, type; // type: none without -T
    struct word number[3], percent;
    const char *mount;
};

struct heading {
    bool told, inodes, typed; // told: of blocks or of inodes; typed: -T
    double unit;              // bytes of a number without a unit
};

static bool is_percent(const struct word *word) {
    uint64_t value;
    struct word number = { word->text, word->length - 1 };
    if (word_is(word, "-"))
        return true;
    return word->length > 1 && word->text[word->length - 1] == '%' && word_count(&number, &value) &&
           value <= 100;
}

static bool is_size(const struct word *word) {
    double bytes;
    return word_is(word, "-") || word_size(word, 1, &bytes);
}

// The numbers stand before the percentage, which stands before the path.
static bool to_row(const char *text, bool typed, struct row *ret) {
    struct word words[WORDS];
    if (!strchr(text, '%') && !strstr(text, " - "))
        return false;
    size_t n = words_split(text, words, WORDS), at = 4;
    while (at < n && !(is_percent(&words[at]) && at + 1 < n && words[at + 1].text[0] == '/'))
        at++;
    if (at + 1 >= n || at > 8)
        return false;
    *ret = (struct row){ .device = { words[0].text, words[0].length },
        .percent = words[at],
        .mount = words[at + 1].text };
    for (size_t i = 0; i < 3; i++) {
        ret->number[i] = words[at - 3 + i];
        if (!is_size(&ret->number[i]))
            return false;
    }
    if (typed && at >= 5)
        ret->type = words[at - 4];
    if (at > 4 + (size_t) typed) // blanks in the name of the device, as network shares have
        ret->device.length = (size_t) (words[at - 4 - typed].text + words[at - 4 - typed].length -
                                       words[0].text);
    return true;
}

// A line of its own for the device, with the rest in the next one.
static bool is_wrapped(const struct lines *lines, size_t i, bool typed, struct row *ret,
        char *joined, size_t size) {
    struct word words[3];
    const struct line *next = i + 1 < lines->n ? &lines->line[i + 1] : NULL;
    size_t n = words_split(lines->line[i].text, words, 3);
    if (!next || next->kind != LINE_TEXT || !strchr(next->text, '%') || n == 0 || n > 2 ||
            is_size(&words[0]))
        return false;
    if ((size_t) snprintf(joined, size, "%s %s", lines->line[i].text, next->text) >= size)
        return false;
    return to_row(joined, typed, ret) && is_size(&ret->number[0]);
}

static bool begins_with_any(const struct word *word, const char *const *begins, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (word_begins(word, begins[i]))
            return true;
    return false;
}

// "Use%", "Verw%", "IUse%", "%uż."; with -P a word: the column before the mount point.
static bool is_share(const struct word *word) {
    static const char *const capacity[] = { "Capa", "Kapa", "Cabuda", "pojem", "Vulgraad", "容量" };
    return (word->length > 2 && (word->text[word->length - 1] == '%' || word->text[0] == '%')) ||
           begins_with_any(word, capacity, sizeof(capacity) / sizeof(capacity[0]));
}

// The column of all inodes; "IUse%" where that was cut off. "Isi%" is of bytes in Indonesian.
static bool tells_inodes(const struct word *word) {
    static const char *const inodes[] = { "Inod", "I-", "Inó", "Inœuds", "Nodos-i", "Nodes-i",
        "iwęzły", "Iノード", "Iнод", "І-" };
    return begins_with_any(word, inodes, sizeof(inodes) / sizeof(inodes[0])) ||
           (word->length > 2 && word->text[0] == 'I' && isupper((unsigned char) word->text[1]) &&
                   word->text[word->length - 1] == '%');
}

static bool tells_type(const struct word *word) {
    static const char *const types[] = { "Typ", "Tip", "类型", "タイプ" };
    return begins_with_any(word, types, sizeof(types) / sizeof(types[0]));
}

// "1K-blocks", "1024-Blöcke", "blocs de 1K", "1K的块", "khối-1M"
static bool block_size(const struct word *word, double *ret) {
    const char *text = word->text, *end = text + word->length;
    const char *dash = memrchr(text, '-', word->length);
    if (!isdigit((unsigned char) *text) && dash)
        text = dash + 1;
    struct word size = { text, 0 };
    while (text + size.length < end && isalnum((unsigned char) text[size.length]))
        size.length++;
    double unit;
    if (size.length == 0 || !isdigit((unsigned char) *text) || !word_size(&size, 1, &unit) ||
            unit <= 0)
        return false;
    *ret = unit;
    return true;
}

static bool may_be_heading(const char *text) {
    return strchr(text, '%') || strstr(text, "容量") || strstr(text, "apa") ||
           strstr(text, "pojem") || strstr(text, "Cabuda") || strstr(text, "Vulgraad");
}

static bool is_heading(const struct line *line, struct heading *ret) {
    struct word words[WORDS];
    if (!may_be_heading(line->text))
        return false;
    size_t n = words_split(line->text, words, WORDS), numbers = 0;
    bool share = false;
    struct heading heading = { .unit = 1024 };
    if (line->kind != LINE_TEXT || n < 6 || n > 12)
        return false;
    for (size_t i = 1; i < n; i++) {
        numbers = is_size(&words[i]) ? numbers + 1 : 0;
        if (numbers > 1) // a row
            return false;
        share |= is_share(&words[i]);
        heading.inodes |= tells_inodes(&words[i]);
        heading.typed |= tells_type(&words[i]);
        heading.told |= block_size(&words[i], &heading.unit);
    }
    if (!share)
        return false;
    heading.told |= heading.inodes;
    *ret = heading;
    return true;
}

static bool is_rounded(const struct row *row) {
    bool units = false;
    for (size_t i = 0; i < 3; i++) {
        uint64_t count;
        units |= !word_count(&row->number[i], &count) && !word_is(&row->number[i], "-");
    }
    return units;
}

// Without a heading that is known: what the command says; a suffix is of bytes; blocks of which
// some are kept back for root are bytes too. Else it may be either.
static bool guess_heading(const char *command, const struct row *row, struct heading *ret) {
    double size[3];
    *ret = (struct heading){ .unit = 1024 };
    if (command_runs(command, "df")) {
        ret->inodes = command_has_option(command, "df", 'i');
        ret->unit = command_has_option(command, "df", 'm') ? 1048576 : 1024;
        return true;
    }
    for (size_t i = 0; i < 3; i++)
        if (!word_size(&row->number[i], 1, &size[i]))
            return false;
    return is_rounded(row) || size[1] + size[2] < size[0];
}

static int how_sure(const struct lines *lines, size_t i, bool rounded) {
    struct heading heading = { 0 };
    struct row row;
    char joined[2 * NAME_SIZE];
    size_t first = is_heading(&lines->line[i], &heading) ? i + 1 : i;
    if (first == lines->n ||
            (!to_row(lines->line[first].text, heading.typed, &row) &&
                    !is_wrapped(lines, first, heading.typed, &row, joined, sizeof(joined))))
        return FORMAT_NO;
    if (is_rounded(&row) != rounded)
        return FORMAT_NO;
    return first > i ? FORMAT_CERTAIN : FORMAT_LIKELY;
}

static int begins(const struct lines *lines, size_t i) {
    return how_sure(lines, i, false);
}

static int begins_rounded(const struct lines *lines, size_t i) {
    return how_sure(lines, i, true);
}

static void put_size(
        struct intake *intake, const char *column, const struct word *word, double unit) {
    double bytes;
    if (word_size(word, unit, &bytes) && bytes < 9e18)
        intake_set(intake, column, (uint64_t) bytes);
}

static void put_name(struct intake *intake, const char *column, const struct word *word) {
    char text[NAME_SIZE];
    size_t n = word->length < sizeof(text) - 1 ? word->length : sizeof(text) - 1;
    if (n == 0)
        return;
    memcpy(text, word->text, n);
    text[n] = '\0';
    intake_set_text(intake, column, text);
}

static void put_bytes(
        struct intake *intake, const struct line *line, const struct row *row, double unit) {
    double size, used, available;
    if (!word_size(&row->number[0], unit, &size) || !word_size(&row->number[1], unit, &used) ||
            !word_size(&row->number[2], unit, &available))
        return;
    if (used > size * 1.06 + unit || available > size * 1.06 + unit) {
        intake_note(intake, line, "more in use or free than the file system holds; not used");
        return;
    }
    put_size(intake, "size_bytes", &row->number[0], unit);
    put_size(intake, "used_bytes", &row->number[1], unit);
    put_size(intake, "available_bytes", &row->number[2], unit);
}

static void put_row(struct intake *intake, const struct line *line, const struct heading *heading,
        const struct row *row) {
    double size;
    // /proc, /sys and automounts have none.
    if (!word_size(&row->number[0], 1, &size) || size == 0)
        return;
    intake_row(intake, line, "mount", (const char *const[]){ row->mount });
    put_name(intake, "device", &row->device);
    put_name(intake, "fstype", &row->type);
    if (!heading->inodes) {
        put_bytes(intake, line, row, heading->unit);
        return;
    }
    put_size(intake, "inodes", &row->number[0], 1);
    put_size(intake, "inodes_used", &row->number[1], 1);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    struct heading heading = { 0 };
    struct row row;
    char joined[2 * NAME_SIZE];
    const char *command = command_above(lines, i, "df");
    size_t begin = i;
    if (is_heading(&lines->line[i], &heading))
        i++;
    intake_listed(intake, "mount");
    for (; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const struct line *line = &lines->line[i];
        struct heading guessed = heading;
        bool whole = to_row(line->text, heading.typed, &row);
        bool wrapped = !whole && is_wrapped(lines, i, heading.typed, &row, joined, sizeof(joined));
        if (!wrapped && !whole)
            break;
        if (!heading.told && !guess_heading(command, &row, &guessed))
            intake_note(
                    intake, line, "whether these are blocks or inodes is not told here; not used");
        else
            put_row(intake, line, &guessed, &row);
        i += wrapped;
    }
    return i > begin ? i : begin + 1;
}

const struct format format_df = {
    .name = "df",
    .help = "df, also with -i, -T, -P",
    .begins = begins,
    .read = read_block,
};

// Its numbers are rounded: beside those of df they are no second look.
const struct format format_df_h = {
    .name = "df-h",
    .help = "df -h",
    .begins = begins_rounded,
    .read = read_block,
};
