// SPDX-License-Identifier: GPL-2.0-or-later
// Key table
//
// Numbers by 64-bit keys, 16 bytes each in one array: at most 24 bytes an entry with the free
// slots. Nothing is allocated while the number of entries stays much the same, also when others
// come and go.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct key_entry {
    uint64_t key; // 0: free
    uint64_t value;
};

struct key_table {
    struct key_entry *slots;
    size_t n_slots, n;
};
#define KEY_TABLE_EMPTY ((struct key_table){ 0 })

void key_table_done(struct key_table *table);
void key_table_clear(struct key_table *table); // keeps the memory

// Keys are not 0. Entries stay where they are until the next key_table_add() or a removal.
struct key_entry *key_table_find(const struct key_table *table, uint64_t key); // NULL: not there
// The entry of that key, added with value 0 where it was not there. NULL: out of memory.
struct key_entry *key_table_add(struct key_table *table, uint64_t key, bool *ret_added);
// Fetches what a find or add of that key will soon look at: in a large table most of their time is
// waiting for memory.
void key_table_prefetch(const struct key_table *table, uint64_t key);
void key_table_remove(struct key_table *table, uint64_t key);
// Removes all entries for which it is true.
void key_table_remove_if(struct key_table *table,
        bool (*test)(const struct key_entry *entry, void *data), void *data);

// A well mixed key out of another.
static inline uint64_t key_mix(uint64_t key) {
    key ^= key >> 32;
    key *= UINT64_C(0x9e3779b97f4a7c15); // 2^64 / golden ratio
    return key ^ key >> 29;
}
