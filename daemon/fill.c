// SPDX-License-Identifier: GPL-2.0-or-later
// Fill classes
#include "daemon/fill.h"

// As df(1) shows it: of what unprivileged users can have, rounded up.
static int64_t percent(int64_t used, int64_t available) {
    return used + available > 0 ? (100 * used + used + available - 1) / (used + available) : 0;
}

static cell value_of(const struct rows *rows, const cell *row, const char *name) {
    int column = table_column(rows->table, name);
    return column < 0 ? CELL_NULL : row[column];
}

static int64_t row_percent(const struct rows *rows, const cell *row) {
    cell used = value_of(rows, row, "used_bytes"),
         available = value_of(rows, row, "available_bytes");
    cell inodes = value_of(rows, row, "inodes"), inodes_used = value_of(rows, row, "inodes_used");
    int64_t bytes_percent =
            used == CELL_NULL || available == CELL_NULL ? 0 : percent(used, available);
    int64_t inodes_percent = inodes == CELL_NULL || inodes_used == CELL_NULL
                                     ? 0
                                     : percent(inodes_used, inodes - inodes_used);
    return bytes_percent > inodes_percent ? bytes_percent : inodes_percent;
}

uint64_t fill_classes(const struct rows *mounts, int64_t warning, int64_t critical) {
    uint64_t sum = 0;
    for (size_t i = 0; i < mounts->n; i++) {
        const cell *row = rows_at(mounts, i);
        int64_t now = row_percent(mounts, row);
        unsigned class = (now >= warning) + (now >= critical);
        if (class == 0)
            continue;
        // FNV-1a of the mount point, its first key; the order of the rows does not matter.
        uint64_t hash = UINT64_C(14695981039346656037);
        for (const char *text = rows_text(mounts, row[0]); *text; text++)
            hash = (hash ^ (unsigned char) *text) * UINT64_C(1099511628211);
        sum += hash * class;
    }
    return sum;
}
