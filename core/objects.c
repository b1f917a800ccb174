// SPDX-License-Identifier: GPL-2.0-or-later
// Known objects
#include "core/objects.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

void objects_init(struct objects *objects, const struct table *table) {
    *objects = (struct objects){ 0 };
    rows_init(&objects->rows, table);
}

void objects_done(struct objects *objects) {
    rows_done(&objects->rows);
    free(objects->object);
    free(objects->slots);
}

void objects_clear(struct objects *objects) {
    rows_clear(&objects->rows);
    objects->hint = 0;
    if (objects->n_slots)
        memset(objects->slots, 0xff, objects->n_slots * sizeof(*objects->slots));
}

// FNV-1a over the keys.
static uint32_t hash_bytes(uint32_t hash, const void *data, size_t n) {
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ ((const unsigned char *) data)[i]) * 16777619u;
    return hash;
}

static uint32_t hash_keys(const struct rows *rows, const cell *row) {
    uint32_t hash = 2166136261u;
    for (size_t i = 0; i < rows->table->n_keys; i++) {
        if (column_is_text(&rows->table->columns[i])) {
            const char *text = rows_text(rows, row[i]);
            hash = hash_bytes(hash, text, strlen(text) + 1);
        } else {
            hash = hash_bytes(hash, &row[i], sizeof(row[i]));
        }
    }
    return hash;
}

static void slot_insert(struct objects *objects, uint32_t object) {
    size_t at = objects->object[object].hash & (objects->n_slots - 1);
    while (objects->slots[at] != NO_OBJECT)
        at = (at + 1) & (objects->n_slots - 1);
    objects->slots[at] = object;
}

static int slots_rebuild(struct objects *objects, size_t n_slots) {
    if (n_slots > objects->n_slots) {
        uint32_t *slots = reallocarray(objects->slots, n_slots, sizeof(*slots));
        if (!slots)
            return -ENOMEM;
        objects->slots = slots;
        objects->n_slots = n_slots;
    }
    memset(objects->slots, 0xff, objects->n_slots * sizeof(*objects->slots));
    for (size_t i = 0; i < objects->rows.n; i++)
        slot_insert(objects, (uint32_t) i);
    return 0;
}

uint32_t objects_find(struct objects *objects, const struct rows *rows, const cell *row) {
    size_t hint = objects->hint++;
    if (hint < objects->rows.n &&
            rows_same_keys(rows, row, &objects->rows, rows_at(&objects->rows, hint)))
        return (uint32_t) hint;
    if (objects->n_slots == 0)
        return NO_OBJECT;
    uint32_t hash = hash_keys(rows, row);
    for (size_t at = hash & (objects->n_slots - 1);; at = (at + 1) & (objects->n_slots - 1)) {
        uint32_t object = objects->slots[at];
        if (object == NO_OBJECT)
            return NO_OBJECT;
        if (objects->object[object].hash == hash &&
                rows_same_keys(rows, row, &objects->rows, rows_at(&objects->rows, object))) {
            objects->hint = object + 1;
            return object;
        }
    }
}

uint32_t objects_add(struct objects *objects, const struct rows *rows, const cell *row) {
    if (objects->rows.n == objects->capacity) {
        size_t capacity = objects->capacity ? objects->capacity * 2 : 4;
        struct object *grown = reallocarray(objects->object, capacity, sizeof(*grown));
        if (!grown)
            return NO_OBJECT;
        objects->object = grown;
        objects->capacity = capacity;
    }
    cell *target = rows_add(&objects->rows);
    if (!target)
        return NO_OBJECT;
    uint32_t object = (uint32_t) objects->rows.n - 1;
    if (rows_copy(&objects->rows, target, rows, row) < 0) {
        rows_drop_last(&objects->rows);
        return NO_OBJECT;
    }
    for (size_t i = rows->table->n_keys; i < rows->table->n_columns; i++)
        target[i] = CELL_NULL;
    objects->object[object] = (struct object){ hash_keys(rows, row), 0, -1 };
    if (objects->rows.n * 2 > objects->n_slots) {
        if (slots_rebuild(objects, objects->n_slots ? objects->n_slots * 2 : 16) < 0) {
            rows_drop_last(&objects->rows);
            return NO_OBJECT;
        }
    } else {
        slot_insert(objects, object);
    }
    objects->hint = object + 1;
    return object;
}

int objects_forget(struct objects *objects, int64_t since_ms) {
    struct rows kept;
    rows_init(&kept, objects->rows.table);
    for (size_t i = 0; i < objects->rows.n; i++) {
        if (objects->object[i].seen_ms < since_ms)
            continue;
        cell *row = rows_add(&kept);
        if (!row || rows_copy(&kept, row, &objects->rows, rows_at(&objects->rows, i)) < 0) {
            rows_done(&kept);
            return -ENOMEM;
        }
        objects->object[kept.n - 1] = objects->object[i];
    }
    rows_done(&objects->rows);
    objects->rows = kept;
    return objects->n_slots ? slots_rebuild(objects, objects->n_slots) : 0;
}
