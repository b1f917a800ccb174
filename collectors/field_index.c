// SPDX-License-Identifier: GPL-2.0-or-later
// Field names
#include "collectors/field_index.h"

#include <endian.h>
#include <stdlib.h>

// net/snmp has six prefixes, net/netstat three.
#define MAX_NAME_LINES 16

struct name_lines {
    struct name_line items[MAX_NAME_LINES];
    size_t n;
    size_t next; // the one that is likely to come
};

// Open addressing; at least twice as many slots as columns keeps the chains short.
struct field_index {
    const struct table *table;
    struct name_lines *lines;
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
    ending.n += n;
    if (n >= sizeof(ending.bytes)) {
        memcpy(&ending.bytes, text + n - sizeof(ending.bytes), sizeof(ending.bytes));
        ending.bytes = be64toh(ending.bytes);
        return ending;
    }
    for (size_t i = 0; i < n; i++)
        ending.bytes = ending.bytes << 8 | (unsigned char) text[i];
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
    struct name_lines *lines = calloc(1, sizeof(*lines));
    if (!index || !lines) {
        free(index);
        free(lines);
        return NULL;
    }
    *index = (struct field_index){ .table = table, .lines = lines, .mask = size - 1 };
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
    if (!index)
        return NULL;
    for (size_t i = 0; i < index->lines->n; i++) {
        free(index->lines->items[i].text);
        free(index->lines->items[i].columns);
    }
    free(index->lines);
    free(index);
    return NULL;
}

const struct table *field_index_table(const struct field_index *index) {
    return index->table;
}

static bool is_field(const char *field, size_t n, struct span prefix, struct span name) {
    if (n < prefix.n || memcmp(field, prefix.text, prefix.n) != 0)
        return false;
    size_t skip = prefix.n + (field[prefix.n] == ' ');
    return n - skip == name.n && memcmp(field + skip, name.text, name.n) == 0;
}

static int find(const struct field_index *index, struct span prefix, struct span name) {
    struct ending ending = ending_more((struct ending){ 0 }, prefix.text, prefix.n);
    size_t at = ending_hash(ending_more(ending, name.text, name.n)) & index->mask;
    for (const struct slot *slot; (slot = &index->slots[at])->column >= 0;
            at = (at + 1) & index->mask)
        if (is_field(index->table->columns[slot->column].field, slot->n, prefix, name))
            return slot->column;
    return -1;
}

int field_index_find(const struct field_index *index, const char *prefix, size_t n_prefix,
        const char *name, size_t n_name) {
    return find(index, (struct span){ prefix, n_prefix }, (struct span){ name, n_name });
}

static bool is_same_line(const struct name_line *line, struct span whole) {
    return line->n == whole.n && memcmp(line->text, whole.text, whole.n) == 0;
}

static bool make_room(struct name_line *line, size_t n) {
    if (n <= line->capacity)
        return true;
    char *text = realloc(line->text, n);
    if (text)
        line->text = text;
    // A name and the blank before it are two bytes or more.
    int *columns = text ? reallocarray(line->columns, n / 2 + 1, sizeof(*columns)) : NULL;
    if (!columns)
        return false;
    line->columns = columns;
    line->capacity = n;
    return true;
}

static bool learn_line(const struct field_index *index, struct name_line *line, struct span prefix,
        struct span whole) {
    line->n = line->n_columns = 0;
    if (!make_room(line, whole.n))
        return false;
    memcpy(line->text, whole.text, whole.n);
    line->n = whole.n;
    line->n_prefix = prefix.n;
    struct span names = { whole.text + prefix.n + 1, whole.n - prefix.n - 1 };
    for (struct span name; (name = next_word(&names)).n > 0;)
        line->columns[line->n_columns++] = find(index, prefix, name);
    return true;
}

// The line of this prefix; a new one, or the last of too many.
static struct name_line *line_of(struct name_lines *lines, struct span prefix) {
    size_t i = 0;
    while (i < lines->n && (lines->items[i].n_prefix != prefix.n || lines->items[i].n == 0 ||
                                   memcmp(lines->items[i].text, prefix.text, prefix.n) != 0))
        i++;
    if (i == lines->n && lines->n < MAX_NAME_LINES)
        lines->n++;
    return &lines->items[i < MAX_NAME_LINES ? i : MAX_NAME_LINES - 1];
}

const struct name_line *field_index_line(
        const struct field_index *index, struct span prefix, struct span whole) {
    struct name_lines *lines = index->lines;
    struct name_line *line = &lines->items[lines->next];
    if (!is_same_line(line, whole)) {
        line = line_of(lines, prefix);
        if (!is_same_line(line, whole) && !learn_line(index, line, prefix, whole))
            return NULL;
    }
    lines->next = (size_t) (line - lines->items + 1) % MAX_NAME_LINES;
    return line;
}
