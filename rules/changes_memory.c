// SPDX-License-Identifier: GPL-2.0-or-later
// Settings seen
#include "rules/changes_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/append.h"

#define FIRST_SLOTS 64

bool memory_is_name(const struct column *column) {
    return column->kind == COLUMN_KEY_TEXT || column->kind == COLUMN_KEY_INTEGER ||
           column->kind == COLUMN_IDENTITY;
}

bool memory_same_value(sqlite3_value *a, sqlite3_value *b) {
    bool x = a && sqlite3_value_type(a) != SQLITE_NULL,
         y = b && sqlite3_value_type(b) != SQLITE_NULL;
    if (!x || !y)
        return x == y;
    if (sqlite3_value_type(a) == SQLITE_INTEGER && sqlite3_value_type(b) == SQLITE_INTEGER)
        return sqlite3_value_int64(a) == sqlite3_value_int64(b);
    return strcmp((const char *) sqlite3_value_text(a), (const char *) sqlite3_value_text(b)) == 0;
}

static bool is_object(
        const struct memory *memory, const struct memory_object *object, sqlite3_stmt *row) {
    const struct table *table = memory->table;
    for (size_t i = 0; i < table->n_columns; i++)
        if (memory_is_name(&table->columns[i]) &&
                !memory_same_value(object->values[i], sqlite3_column_value(row, memory->at[i])))
            return false;
    return true;
}

// FNV-1a
static uint32_t hash_bytes(uint32_t hash, const void *bytes, size_t n) {
    const unsigned char *p = bytes;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * 16777619u;
    return hash;
}

static uint32_t hash_names(const struct memory *memory, sqlite3_stmt *row) {
    const struct table *table = memory->table;
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < table->n_columns; i++) {
        if (!memory_is_name(&table->columns[i]))
            continue;
        if (column_is_text(&table->columns[i])) {
            const char *text = (const char *) sqlite3_column_text(row, memory->at[i]);
            hash = hash_bytes(hash, text ? text : "", text ? strlen(text) + 1 : 0);
        } else {
            int64_t number = sqlite3_column_int64(row, memory->at[i]);
            hash = hash_bytes(hash, &number, sizeof(number));
        }
    }
    return hash;
}

static uint32_t *find_slot(const struct memory *memory, uint32_t hash, sqlite3_stmt *row) {
    for (size_t i = hash;; i++) {
        uint32_t *slot = &memory->slots[i & (memory->n_slots - 1)];
        const struct memory_object *object = *slot ? &memory->objects[*slot - 1] : NULL;
        if (!object || (object->hash == hash && is_object(memory, object, row)))
            return slot;
    }
}

static void put_slot(struct memory *memory, size_t object) {
    size_t i = memory->objects[object].hash;
    while (memory->slots[i & (memory->n_slots - 1)])
        i++;
    memory->slots[i & (memory->n_slots - 1)] = (uint32_t) object + 1;
}

static int make_room(struct memory *memory) {
    if (2 * (memory->n + 1) <= memory->n_slots)
        return 0;
    size_t n_slots = memory->n_slots ? 2 * memory->n_slots : FIRST_SLOTS;
    uint32_t *slots = calloc(n_slots, sizeof(*slots));
    if (!slots)
        return -ENOMEM;
    free(memory->slots);
    memory->slots = slots;
    memory->n_slots = n_slots;
    for (size_t i = 0; i < memory->n; i++)
        put_slot(memory, i);
    return 0;
}

static struct memory_object *add_object(struct memory *memory, uint32_t hash, sqlite3_stmt *row) {
    sqlite3_value **values = calloc(memory->table->n_columns, sizeof(*values));
    struct memory_object *object = values ? append(memory->objects, memory->n) : NULL;
    if (!object) {
        free(values);
        return NULL;
    }
    *object = (struct memory_object){ hash, values };
    put_slot(memory, memory->n - 1);
    for (size_t i = 0; i < memory->table->n_columns; i++)
        if (memory_is_name(&memory->table->columns[i]) && memory_keep(memory, object, row, i) < 0)
            return NULL;
    return object;
}

struct memory_object *memory_find(struct memory *memory, sqlite3_stmt *row) {
    size_t next = memory->hint + 1 < memory->n ? memory->hint + 1 : 0;
    if (memory->n > 0 && is_object(memory, &memory->objects[next], row)) {
        memory->hint = next;
        return &memory->objects[next];
    }
    if (make_room(memory) < 0)
        return NULL;
    uint32_t hash = hash_names(memory, row), slot = *find_slot(memory, hash, row);
    memory->hint = slot ? slot - 1 : memory->n;
    return slot ? &memory->objects[slot - 1] : add_object(memory, hash, row);
}

int memory_keep(const struct memory *memory, struct memory_object *object, sqlite3_stmt *row,
        size_t column) {
    sqlite3_value *copy = sqlite3_value_dup(sqlite3_column_value(row, memory->at[column]));
    if (!copy)
        return -ENOMEM;
    sqlite3_value_free(object->values[column]);
    object->values[column] = copy;
    return 0;
}

void memory_done(struct memory *memory) {
    for (size_t i = 0; i < memory->n; i++) {
        for (size_t column = 0; column < memory->table->n_columns; column++)
            sqlite3_value_free(memory->objects[i].values[column]);
        free(memory->objects[i].values);
    }
    free(memory->objects);
    free(memory->slots);
}
