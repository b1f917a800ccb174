// SPDX-License-Identifier: GPL-2.0-or-later
// Key table
#include "collectors/key_table.h"

#include <stdlib.h>
#include <string.h>

// Linear probing. Between 17/24 and 17/20 full: steps of 6/5 instead of 2 keep the free slots few.
#define MIN_SLOTS 32
#define FULL(n_slots) ((n_slots) / 20 * 17)

void key_table_done(struct key_table *table) {
    free(table->slots);
    *table = KEY_TABLE_EMPTY;
}

void key_table_clear(struct key_table *table) {
    if (table->n > 0)
        memset(table->slots, 0, table->n_slots * sizeof(*table->slots));
    table->n = 0;
}

static size_t home_of(const struct key_table *table, uint64_t key) {
    return (size_t) ((key_mix(key) >> 32) * table->n_slots >> 32);
}

static size_t next(const struct key_table *table, size_t at) {
    return ++at < table->n_slots ? at : 0;
}

// The slot of that key, or the free one where it belongs.
static size_t seek(const struct key_table *table, uint64_t key) {
    size_t at = home_of(table, key);
    while (table->slots[at].key && table->slots[at].key != key)
        at = next(table, at);
    return at;
}

void key_table_prefetch(const struct key_table *table, uint64_t key) {
    if (table->n > 0)
        __builtin_prefetch(&table->slots[home_of(table, key)]);
}

struct key_entry *key_table_find(const struct key_table *table, uint64_t key) {
    if (table->n == 0)
        return NULL;
    struct key_entry *entry = &table->slots[seek(table, key)];
    return entry->key ? entry : NULL;
}

static bool resize(struct key_table *table, size_t n_slots) {
    struct key_table larger = { calloc(n_slots, sizeof(*larger.slots)), n_slots, table->n };
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < table->n_slots; i++)
        if (table->slots[i].key)
            larger.slots[seek(&larger, table->slots[i].key)] = table->slots[i];
    free(table->slots);
    *table = larger;
    return true;
}

struct key_entry *key_table_add(struct key_table *table, uint64_t key, bool *ret_added) {
    struct key_entry *entry = key_table_find(table, key);
    if (ret_added)
        *ret_added = !entry;
    if (entry)
        return entry;
    if (table->n >= FULL(table->n_slots) &&
            !resize(table, table->n_slots ? table->n_slots / 5 * 6 + 6 : MIN_SLOTS))
        return NULL;
    entry = &table->slots[seek(table, key)];
    *entry = (struct key_entry){ .key = key };
    table->n++;
    return entry;
}

// Closes the gap: entries behind it that were pushed on by others move up.
static void remove_at(struct key_table *table, size_t gap) {
    for (size_t at = next(table, gap); table->slots[at].key; at = next(table, at)) {
        size_t home = home_of(table, table->slots[at].key);
        bool stays = gap <= at ? gap < home && home <= at : gap < home || home <= at;
        if (stays)
            continue;
        table->slots[gap] = table->slots[at];
        gap = at;
    }
    table->slots[gap] = (struct key_entry){ 0 };
    table->n--;
}

void key_table_remove(struct key_table *table, uint64_t key) {
    struct key_entry *entry = key_table_find(table, key);
    if (entry)
        remove_at(table, (size_t) (entry - table->slots));
}

void key_table_remove_if(struct key_table *table,
        bool (*test)(const struct key_entry *entry, void *data), void *data) {
    for (size_t i = 0; i < table->n_slots; i++)
        while (table->slots[i].key && test(&table->slots[i], data))
            remove_at(table, i);
    if (table->n_slots > MIN_SLOTS && table->n < FULL(table->n_slots) / 4)
        resize(table, table->n_slots / 2); // it may also fail
}
