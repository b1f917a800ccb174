// SPDX-License-Identifier: GPL-2.0-or-later
// Table declarations
#include "core/table.h"

#include <string.h>

const char *column_kind_name(enum column_kind kind) {
    static const char *const names[] = {
        [COLUMN_KEY_TEXT] = "key",
        [COLUMN_KEY_INTEGER] = "key",
        [COLUMN_IDENTITY] = "identity",
        [COLUMN_COUNTER] = "counter",
        [COLUMN_GAUGE] = "gauge",
        [COLUMN_TEXT] = "text",
    };
    return names[kind];
}

int table_column(const struct table *table, const char *name) {
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return (int) i;
    return -1;
}

const struct table *table_find(
        const struct table *const *tables, size_t n_tables, const char *name) {
    for (size_t i = 0; i < n_tables; i++)
        if (strcmp(tables[i]->name, name) == 0)
            return tables[i];
    return NULL;
}
