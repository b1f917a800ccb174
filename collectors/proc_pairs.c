// SPDX-License-Identifier: GPL-2.0-or-later
// Named values
#include "collectors/proc_pairs.h"

#include <stdlib.h>

#include "collectors/scan.h"

// Open addressing; at least twice as many slots as columns keeps the chains short.
struct field_index {
    const struct table *table;
    size_t mask;
    int slots[]; // column, or -1
};

static uint32_t hash_more(uint32_t hash, const char *text, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (text[i] != ' ')
            hash = (hash ^ (unsigned char) text[i]) * UINT32_C(16777619); // FNV-1a
    return hash;
}
#define HASH_START UINT32_C(2166136261)

struct field_index *field_index_new(const struct table *table) {
    size_t size = 16;
    while (size < table->n_columns * 2)
        size *= 2;
    struct field_index *index = malloc(sizeof(*index) + size * sizeof(index->slots[0]));
    if (!index)
        return NULL;
    *index = (struct field_index){ .table = table, .mask = size - 1 };
    for (size_t i = 0; i < size; i++)
        index->slots[i] = -1;
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *field = table->columns[i].field;
        if (!field)
            continue;
        size_t slot = hash_more(HASH_START, field, strlen(field)) & index->mask;
        while (index->slots[slot] >= 0)
            slot = (slot + 1) & index->mask;
        index->slots[slot] = (int) i;
    }
    return index;
}

struct field_index *field_index_free(struct field_index *index) {
    free(index);
    return NULL;
}

static bool is_field(const char *field, struct span prefix, struct span name) {
    size_t n = strlen(field);
    if (n < prefix.n || memcmp(field, prefix.text, prefix.n) != 0)
        return false;
    size_t skip = prefix.n + (field[prefix.n] == ' ');
    return n - skip == name.n && memcmp(field + skip, name.text, name.n) == 0;
}

// `hash` is that of the prefix.
static int find(
        const struct field_index *index, uint32_t hash, struct span prefix, struct span name) {
    size_t slot = hash_more(hash, name.text, name.n) & index->mask;
    for (; index->slots[slot] >= 0; slot = (slot + 1) & index->mask)
        if (is_field(index->table->columns[index->slots[slot]].field, prefix, name))
            return index->slots[slot];
    return -1;
}

int field_index_find(const struct field_index *index, const char *prefix, size_t n_prefix,
        const char *name, size_t n_name) {
    return find(index, hash_more(HASH_START, prefix, n_prefix), (struct span){ prefix, n_prefix },
            (struct span){ name, n_name });
}

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
    if (!parse_number(value.text, value.n, index->table->columns[column].kind, &row[column]))
        parse_problem_add(problem, line, "not a number in range");
}

static size_t count_words(struct span line) {
    size_t n = 0;
    while (next_word(&line).n > 0)
        n++;
    return n;
}

// Takes what was stored by this pair away again.
static void forget_pair(uint32_t hash, struct span prefix, struct span names,
        const struct field_index *index, cell *row) {
    for (struct span name; (name = next_word(&names)).n > 0;) {
        int column = find(index, hash, prefix, name);
        if (column >= 0)
            row[column] = CELL_NULL;
    }
}

static void take_pair(struct span prefix, struct span names, struct span values, size_t line,
        const struct field_index *index, cell *row, struct parse_problem *problem) {
    uint32_t hash = hash_more(HASH_START, prefix.text, prefix.n);
    struct span left = names, name, value;
    do {
        name = next_word(&left);
        value = next_word(&values);
        int column = name.n > 0 && value.n > 0 ? find(index, hash, prefix, name) : -1;
        if (column >= 0)
            store(index, column, value, line, row, problem);
    } while (name.n > 0 && value.n > 0);
    if (name.n == 0 && value.n == 0)
        return;
    parse_problem_add(problem, line, "as many values as names were expected");
    forget_pair(hash, prefix, names, index, row);
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
        names = line;
        name_prefix = is_values ? (struct span){ 0 } : prefix;
    }
    if (name_prefix.n > 0)
        parse_problem_add(problem, scan.number, "the line of values is missing");
}

void parse_proc_lines(const char *text, size_t length, const struct field_index *index, cell *row,
        struct parse_problem *problem) {
    struct line_scan scan = { .at = text, .end = text + length };
    struct span line;
    while (next_line(&scan, &line)) {
        struct span name = next_word(&line), value = next_word(&line);
        if (name.n > 0 && name.text[name.n - 1] == ':')
            name.n--;
        int column = field_index_find(index, "", 0, name.text, name.n);
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
