// SPDX-License-Identifier: GPL-2.0-or-later
// Pasted commands
#include "formats/command.h"

#include <string.h>

#include "formats/words.h"

// Without the semicolon that ends a command.
static struct word bare(struct word word, bool *ret_last) {
    *ret_last = word.length > 0 && word.text[word.length - 1] == ';';
    word.length -= *ret_last;
    return word;
}

static bool is_program(const struct word *word, const char *program) {
    size_t n = strlen(program);
    return word->length >= n && memcmp(word->text + word->length - n, program, n) == 0 &&
           (word->length == n || word->text[word->length - n - 1] == '/');
}

static bool ends_command(const struct word *word) {
    return word_is(word, "|") || word_is(word, ";") || word_is(word, "&&") || word_is(word, "||") ||
           word_begins(word, ">");
}

// The words behind the program. How many; SIZE_MAX: it is not run.
static size_t arguments(
        const char *command, const char *program, struct word *words, struct word **ret) {
    size_t n = words_split(command, words, WORDS_MAX);
    bool last = false;
    for (size_t i = 0; i < n; i++) {
        struct word word = bare(words[i], &last);
        if (!is_program(&word, program))
            continue;
        size_t end = i + 1;
        while (end < n && !last && !ends_command(&words[end])) {
            words[end] = bare(words[end], &last);
            end++;
        }
        *ret = words + i + 1;
        return end - i - 1;
    }
    return SIZE_MAX;
}

// Other outputs of the same line of commands may stand between.
#define OUTPUT_LINES_MAX 1000

const char *command_above(const struct lines *lines, size_t i, const char *program) {
    for (size_t k = i; k > 0 && i - k < OUTPUT_LINES_MAX; k--)
        if (lines->line[k - 1].kind == LINE_COMMAND)
            return command_runs(lines->line[k - 1].text, program) ? lines->line[k - 1].text : NULL;
    return NULL;
}

bool command_runs(const char *command, const char *program) {
    struct word words[WORDS_MAX], *first;
    return command && arguments(command, program, words, &first) != SIZE_MAX;
}

int64_t command_interval_ms(const char *command, const char *program) {
    struct word words[WORDS_MAX], *first;
    size_t n = command ? arguments(command, program, words, &first) : SIZE_MAX;
    if (n == SIZE_MAX)
        return 0;
    for (size_t i = 0; i < n; i++) {
        double s;
        // -P 0, -p sda and -n UDP have values; of these only CPU numbers are numbers.
        bool option_value = i > 0 && word_is(&first[i - 1], "-P");
        if (!option_value && word_decimal(&first[i], &s) && s > 0 && s < 1e6)
            return (int64_t) (s * 1000);
    }
    return 0;
}

bool command_has_option(const char *command, const char *program, char letter) {
    struct word words[WORDS_MAX], *first;
    size_t n = command ? arguments(command, program, words, &first) : SIZE_MAX;
    for (size_t i = 0; n != SIZE_MAX && i < n; i++)
        if (first[i].length > 1 && first[i].text[0] == '-' && first[i].text[1] != '-' &&
                memchr(first[i].text, letter, first[i].length))
            return true;
    return false;
}

int64_t command_sleep_ms(const char *command) {
    const char *at = command ? strstr(command, "sleep ") : NULL;
    struct word word;
    double number;
    if (!at || words_split(at + 6, &word, 1) == 0)
        return 0;
    while (word.length > 0 && strchr(";&)", word.text[word.length - 1]))
        word.length--;
    char unit = word.length > 0 ? word.text[word.length - 1] : '\0';
    int64_t factor = unit == 'm' ? 60000 : unit == 'h' ? 3600000 : 1000;
    if (unit == 's' || factor > 1000)
        word.length--;
    return word_decimal(&word, &number) && number > 0 && number < 100000
                   ? (int64_t) (number * (double) factor)
                   : 0;
}
