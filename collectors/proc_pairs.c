// SPDX-License-Identifier: GPL-2.0-or-later
// Named values
#include "collectors/proc_pairs.h"

#include <stdlib.h>

#include "collectors/scan.h"

// Open addressing; at least twice as many slots as columns keeps the chains short.
struct field_index {
    const struct table *table;
    size_t mask;
    struct slot {
        int column; // or -1
        uint32_t n; // length of its field
    } slots[];
};

// Of a prefix and a name together, wherever the one ends: how long they are, and how they end.
// Hundreds of names are looked up in each step, and most differ in this already.
struct ending {
    uint64_t bytes;
    size_t n;
};

static struct ending ending_more(struct ending ending, const char *text, size_t n) {
    size_t skip = n > sizeof(ending.bytes) ? n - sizeof(ending.bytes) : 0;
    for (size_t i = skip; i < n; i++)
        ending.bytes = ending.bytes << 8 | (unsigned char) text[i];
    ending.n += n;
    return ending;
}

static size_t ending_hash(struct ending ending) {
    return (size_t) (((ending.bytes + ending.n) * UINT64_C(0x9e3779b97f4a7c15)) >> 40);
}

struct field_index *field_index_new(const struct table *table) {
    size_t size = 16;
    while (size < table->n_columns * 2)
        size *= 2;
    struct field_index *index = malloc(sizeof(*index) + size * sizeof(index->slots[0]));
    if (!index)
        return NULL;
    *index = (struct field_index){ .table = table, .mask = size - 1 };
    for (size_t i = 0; i < size; i++)
        index->slots[i] = (struct slot){ .column = -1 };
    for (size_t i = 0; i < table->n_columns; i++) {
        const char *field = table->columns[i].field;
        if (!field)
            continue;
        struct ending ending = { 0 };
        for (const char *word = field; *word; word += strspn(word, " ")) {
            size_t n = strcspn(word, " ");
            ending = ending_more(ending, word, n);
            word += n;
        }
        size_t slot = ending_hash(ending) & index->mask;
        while (index->slots[slot].column >= 0)
            slot = (slot + 1) & index->mask;
        index->slots[slot] = (struct slot){ (int) i, (uint32_t) strlen(field) };
    }
    return index;
}

struct field_index *field_index_free(struct field_index *index) {
    free(index);
    return NULL;
}

static bool is_field(const char *field, size_t n, struct span prefix, struct span name) {
    if (n < prefix.n || memcmp(field, prefix.text, prefix.n) != 0)
        return false;
    size_t skip = prefix.n + (field[prefix.n] == ' ');
    return n - skip == name.n && memcmp(field + skip, name.text, name.n) == 0;
}

// `ending` is that of the prefix.
static int find(const struct field_index *index, struct ending ending, struct span prefix,
        struct span name) {
    size_t at = ending_hash(ending_more(ending, name.text, name.n)) & index->mask;
    for (const struct slot *slot; (slot = &index->slots[at])->column >= 0;
            at = (at + 1) & index->mask)
        if (is_field(index->table->columns[slot->column].field, slot->n, prefix, name))
            return slot->column;
    return -1;
}

static struct ending ending_of(struct span prefix) {
    return ending_more((struct ending){ 0 }, prefix.text, prefix.n);
}

int field_index_find(const struct field_index *index, const char *prefix, size_t n_prefix,
        const char *name, size_t n_name) {
    struct span first = { prefix, n_prefix };
    return find(index, ending_of(first), first, (struct span){ name, n_name });
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
static void forget_pair(struct ending ending, struct span prefix, struct span names,
        const struct field_index *index, cell *row) {
    for (struct span name; (name = next_word(&names)).n > 0;) {
        int column = find(index, ending, prefix, name);
        if (column >= 0)
            row[column] = CELL_NULL;
    }
}

static void take_pair(struct span prefix, struct span names, struct span values, size_t line,
        const struct field_index *index, cell *row, struct parse_problem *problem) {
    struct ending ending = ending_of(prefix);
    struct span left = names, name, value;
    do {
        name = next_word(&left);
        value = next_word(&values);
        int column = name.n > 0 && value.n > 0 ? find(index, ending, prefix, name) : -1;
        if (column >= 0)
            store(index, column, value, line, row, problem);
    } while (name.n > 0 && value.n > 0);
    if (name.n == 0 && value.n == 0)
        return;
    parse_problem_add(problem, line, "as many values as names were expected");
    forget_pair(ending, prefix, names, index, row);
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
