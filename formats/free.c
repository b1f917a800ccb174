// SPDX-License-Identifier: GPL-2.0-or-later
// free
//
// Headings and labels are translated; the shape is not. Since procps 3.3.10 the last column is what
// programs can get; before, a row "-/+ buffers/cache:" followed.
#include <string.h>

#include "formats/command.h"
#include "formats/host.h"
#include "formats/list.h"
#include "formats/sizes.h"

enum { SIZES_MAX = 8 };

// "Mem:", "内存：" in Chinese.
static bool ends_label(const struct word *word) {
    static const char wide_colon[] = "：";
    size_t n = sizeof(wide_colon) - 1;
    return word->text[word->length - 1] == ':' ||
           (word->length > n && memcmp(word->text + word->length - n, wide_colon, n) == 0);
}

// "Mem:  24684096  610532 ..." How many sizes; 0: not such a row.
static size_t to_row(const struct line *line, double plain, double *ret, bool *ret_units) {
    struct word words[SIZES_MAX + 2];
    size_t n = words_split(line->text, words, SIZES_MAX + 2), first = 1;
    if (line->kind != LINE_TEXT || n < 4 || n > SIZES_MAX + 1)
        return 0;
    if (!ends_label(&words[0])) {
        if (!word_is(&words[1], ":")) // French: "Mem :"
            return 0;
        first = 2;
    }
    *ret_units = false;
    for (size_t i = first; i < n; i++) {
        uint64_t number;
        if (!word_size(&words[i], plain, &ret[i - first]))
            return 0;
        *ret_units |= !word_count(&words[i], &number);
    }
    return n - first;
}

static bool is_heading(const struct line *line, size_t *ret_n, bool *ret_available) {
    struct word words[SIZES_MAX + 1];
    size_t n = words_split(line->text, words, SIZES_MAX + 1);
    uint64_t number;
    bool cache_of_two = n == 8 && strstr(line->text, " w cache "); // -w in Polish
    if (line->kind != LINE_TEXT || n < 5 || (n > 7 && !cache_of_two))
        return false;
    for (size_t i = 0; i < n; i++)
        if (word_count(&words[i], &number) || memchr(words[i].text, ':', words[i].length))
            return false;
    n -= cache_of_two;
    *ret_n = n;
    *ret_available = n == 7 || (n == 6 && memchr(words[4].text, '/', words[4].length));
    return true;
}

static int begins(const struct lines *lines, size_t i) {
    double sizes[SIZES_MAX];
    size_t n;
    bool available, units;
    if (is_heading(&lines->line[i], &n, &available) && i + 1 < lines->n &&
            to_row(&lines->line[i + 1], 1024, sizes, &units) >= 5)
        return FORMAT_CERTAIN;
    bool labelled = strncmp(lines->line[i].text + lines->line[i].indent, "Mem:", 4) == 0;
    return labelled && to_row(&lines->line[i], 1024, sizes, &units) >= 5 ? FORMAT_LIKELY
                                                                         : FORMAT_NO;
}

// What a number without a unit counts; 0: cannot be told. In KiB a host has millions; in MiB less
// than that.
static double plain_unit(const char *command, double total) {
    static const struct {
        char letter;
        double unit;
    } options[] = { { 'b', 1 }, { 'k', 1024 }, { 'm', 1048576 }, { 'g', 1073741824 } };
    if (!command_runs(command, "free"))
        return total >= 4e6 ? 1024 : 0;
    for (size_t i = 0; i < sizeof(options) / sizeof(options[0]); i++)
        if (command_has_option(command, "free", options[i].letter))
            return options[i].unit;
    return 1024;
}

static void put(struct intake *intake, const char *column, double bytes) {
    if (bytes < 9e18)
        intake_set(intake, column, (uint64_t) bytes);
}

static size_t read_block(struct intake *intake, const struct lines *lines, size_t i) {
    double sizes[SIZES_MAX];
    size_t n_headings = 0, begin = i;
    bool available = false, units;
    const char *command = command_above(lines, i, "free");
    if (is_heading(&lines->line[i], &n_headings, &available))
        i++;
    const struct line *line = &lines->line[i];
    size_t n = to_row(line, 1, sizes, &units);
    double plain = units ? 1 : plain_unit(command, sizes[0]);
    if (n < 5 || plain == 0) {
        intake_note(intake, line, "the unit of free is not told here; not used");
        plain = 0;
    }
    host_memory_row(intake, line);
    if (plain > 0) {
        put(intake, "total_bytes", sizes[0] * plain);
        put(intake, "free_bytes", sizes[2] * plain);
        if (available && n == n_headings)
            put(intake, "available_bytes", sizes[n - 1] * plain);
    }
    for (i++; i < lines->n && lines->line[i].kind == LINE_TEXT; i++) {
        const char *text = lines->line[i].text + lines->line[i].indent;
        if (strncmp(text, "-/+", 3) == 0)
            continue;
        if (to_row(&lines->line[i], 1, sizes, &units) != 3)
            break;
        if (plain > 0 && strncmp(text, "Total:", 6) != 0 &&
                !intake_has(intake, "swap_total_bytes")) {
            put(intake, "swap_total_bytes", sizes[0] * plain);
            put(intake, "swap_free_bytes", sizes[2] * plain);
        }
    }
    return i > begin ? i : begin + 1;
}

const struct format format_free = {
    .name = "free",
    .help = "free, also with -h, -m, -w",
    .begins = begins,
    .read = read_block,
};
