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

// A name as it stands at the front of a line; n 0: not known.
struct line_name {
    unsigned char n;
    char text[35];
    int column;
};

struct line_names {
    struct line_name *items;
    size_t n;
};
#define MAX_FILES 2        // meminfo and vmstat have one table
#define MAX_LINE_NAMES 512 // twice what vmstat has

struct line_files {
    struct line_names items[MAX_FILES];
    size_t next; // to be used for another one
};

// Open addressing; at least twice as many slots as columns keeps the chains short.
struct field_index {
    const struct table *table;
    struct name_lines *lines;
    struct line_files *files;
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
    if (!index)
        return NULL;
    *index = (struct field_index){
        .table = table,
        .lines = calloc(1, sizeof(*index->lines)),
        .files = calloc(1, sizeof(*index->files)),
        .mask = size - 1,
    };
    if (!index->lines || !index->files)
        return field_index_free(index);
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
    for (size_t i = 0; index->lines && i < index->lines->n; i++) {
        free(index->lines->items[i].text);
        free(index->lines->items[i].columns);
    }
    for (size_t i = 0; index->files && i < MAX_FILES; i++)
        free(index->files->items[i].items);
    free(index->lines);
    free(index->files);
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

static bool is_at_front(const struct line_name *known, struct span line) {
    return known->n > 0 && known->n < line.n && memcmp(line.text, known->text, known->n) == 0 &&
           (line.text[known->n] == ' ' || line.text[known->n] == '\t');
}

struct line_names *field_index_file(const struct field_index *index, struct span first) {
    struct line_files *files = index->files;
    for (size_t i = 0; i < MAX_FILES; i++)
        if (files->items[i].n > 0 && is_at_front(&files->items[i].items[0], first))
            return &files->items[i];
    struct line_names *names = &files->items[files->next];
    files->next = (files->next + 1) % MAX_FILES;
    return names;
}

// Without memory or room a name is looked up each time.
static void remember(struct line_names *names, size_t number, struct span name, int column) {
    if (number >= MAX_LINE_NAMES || name.n > sizeof(names->items->text))
        return;
    if (number >= names->n) {
        size_t n = names->n ? names->n * 2 : 32;
        while (n <= number)
            n *= 2;
        struct line_name *items = reallocarray(names->items, n, sizeof(*items));
        if (!items)
            return;
        memset(items + names->n, 0, (n - names->n) * sizeof(*items));
        names->items = items;
        names->n = n;
    }
    struct line_name *known = &names->items[number];
    known->n = (unsigned char) name.n;
    memcpy(known->text, name.text, name.n);
    known->column = column;
}

int field_index_take(const struct field_index *index, struct line_names *names, size_t number,
        struct span *line, struct span *ret_name) {
    const struct line_name *known = number < names->n ? &names->items[number] : NULL;
    bool same = known && is_at_front(known, *line);
    struct span name = { line->text, same ? known->n : 0 };
    if (same)
        *line = (struct span){ line->text + name.n, line->n - name.n };
    else
        name = next_word(line);
    *ret_name = name;
    if (name.n > 0 && name.text[name.n - 1] == ':')
        ret_name->n--;
    if (same)
        return known->column;
    int column = find(index, (struct span){ "", 0 }, *ret_name);
    if (name.n > 0)
        remember(names, number, name, column);
    return column;
}
