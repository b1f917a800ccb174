// SPDX-License-Identifier: GPL-2.0-or-later
// Named values
#include "collectors/proc_pairs.h"

#include "collectors/scan.h"

void parse_problem_add(struct parse_problem *problem, size_t line, const char *text) {
    if (!problem->text)
        *problem = (struct parse_problem){ line, text };
}

bool parse_number(const char *text, size_t n, enum column_kind kind, cell *ret) {
    bool negative = n > 0 && *text == '-';
    uint64_t value = 0;
    size_t i = negative;
    if (i == n)
        return false;
    for (; i < n; i++) {
        unsigned digit = (unsigned) (unsigned char) text[i] - '0';
        if (digit > 9 || __builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, digit, &value))
            return false;
    }
    if (value > (negative ? UINT64_C(1) << 31 : (uint64_t) INT64_MAX))
        return false;
    if (negative && kind != COLUMN_COUNTER)
        return false;
    *ret = negative ? (cell) ((UINT64_C(1) << 32) - value) : (cell) value;
    return true;
}

static void store(const struct field_index *index, int column, struct span value, size_t line,
        cell *row, struct parse_problem *problem) {
    if (!parse_number(
                value.text, value.n, field_index_table(index)->columns[column].kind, &row[column]))
        parse_problem_add(problem, line, "not a number in range");
}

static size_t count_words(struct span line) {
    size_t n = 0;
    while (next_word(&line).n > 0)
        n++;
    return n;
}

// `whole`: the line of names with its prefix.
static void take_pair(struct span prefix, struct span whole, struct span values, size_t number,
        const struct field_index *index, cell *row, struct parse_problem *problem) {
    const struct name_line *line = field_index_line(index, prefix, whole);
    if (!line) {
        parse_problem_add(problem, number, "out of memory");
        return;
    }
    size_t n = 0;
    for (struct span value; (value = next_word(&values)).n > 0; n++)
        if (n < line->n_columns && line->columns[n] >= 0)
            store(index, line->columns[n], value, number, row, problem);
    if (n == line->n_columns)
        return;
    parse_problem_add(problem, number, "as many values as names were expected");
    for (size_t i = 0; i < line->n_columns; i++)
        if (line->columns[i] >= 0)
            row[line->columns[i]] = CELL_NULL;
}

// Takes "Udp:" off the line and returns "Udp"; an empty span where it does not begin like this.
static struct span take_prefix(struct span *line) {
    struct span word = next_word(line);
    if (word.n == 0 || word.text[word.n - 1] != ':')
        return (struct span){ word.text, 0 };
    return (struct span){ word.text, word.n - 1 };
}

static const char no_prefix[] = "a name and a colon were expected at its beginning";

void parse_proc_pairs(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span names = { 0 }, name_prefix = { 0 }, line;
    while (next_line(&scan, &line)) {
        struct span prefix = take_prefix(&line);
        bool is_values = name_prefix.n > 0 && prefix.n == name_prefix.n &&
                         memcmp(prefix.text, name_prefix.text, prefix.n) == 0;
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (prefix.n == 0)
            parse_problem_add(problem, scan.number, no_prefix);
        else if (is_values)
            take_pair(prefix, names, line, scan.number, index, row, problem);
        else if (name_prefix.n > 0)
            parse_problem_add(problem, scan.number, "the line of values is missing");
        names = (struct span){ prefix.text, (size_t) (line.text + line.n - prefix.text) };
        name_prefix = is_values ? (struct span){ 0 } : prefix;
    }
    if (name_prefix.n > 0)
        parse_problem_add(problem, scan.number, "the line of values is missing");
}

void parse_proc_lines(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line = { text, length }, name;
    struct line_names *names = field_index_file(index, line);
    while (next_line(&scan, &line)) {
        int column = field_index_take(index, names, scan.number - 1, &line, &name);
        struct span value = next_word(&line);
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (name.n == 0 || value.n == 0)
            parse_problem_add(problem, scan.number, "a name and a value were expected");
        else if (column >= 0)
            store(index, column, value, scan.number, row, problem);
    }
}

static void take_group(struct span prefix, struct span line, size_t number,
        const struct field_index *index, cell *row, struct parse_problem *problem) {
    if (count_words(line) % 2 != 0) {
        parse_problem_add(problem, number, "pairs of a name and a value were expected");
        return;
    }
    for (;;) {
        struct span name = next_word(&line), value = next_word(&line);
        if (name.n == 0)
            return;
        int column = field_index_find(index, prefix.text, prefix.n, name.text, name.n);
        if (column >= 0)
            store(index, column, value, number, row, problem);
    }
}

void parse_proc_groups(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line;
    while (next_line(&scan, &line)) {
        struct span prefix = take_prefix(&line);
        if (scan.cut)
            parse_problem_add(problem, scan.number, "the line is cut");
        else if (prefix.n == 0)
            parse_problem_add(problem, scan.number, no_prefix);
        else
            take_group(prefix, line, scan.number, index, row, problem);
    }
}
