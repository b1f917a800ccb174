// SPDX-License-Identifier: GPL-2.0-or-later
// Schema text
//
// SQL generated from table declarations. Names come from our own constant declarations only, and
// are quoted, since the kernel calls a column "drop". All return malloc()ed text, or NULL: out of
// memory.
#pragma once

#include <stdio.h>

#include "core/table.h"

// The resolutions in which growth is kept.
enum level { LEVEL_STEP, LEVEL_MINUTE, LEVEL_HOUR, N_LEVELS };
struct level_info {
    const char *suffix; // of table names
    int64_t ms;         // a rolled-up step is numbered by wall clock / ms
};
extern const struct level_info levels[N_LEVELS];
// The number of the step of a rolled-up level in which a moment of the wall clock lies.
int64_t level_step_at(enum level level, int64_t ms);

// Whether rollups have <name>_max for a column: gauges do, unless the table declares a column of
// that name itself (rx_ring and rx_ring_max of a NIC).
bool column_has_highest(const struct table *table, size_t column);

// Writes "a", "b", ... : the first n columns, each after `before` ("t." and the like).
void sql_columns(FILE *out, const struct table *table, size_t n, const char *before);

char *sql_create(const struct table *table, enum level level);
char *sql_create_last(const struct table *table);
// ALTER TABLE for one column; `highest`: its _max.
char *sql_add_column(const struct table *table, const char *suffix, size_t column, bool highest);

// Parameters of all three: step, the columns in order; of a rollup then the gauges' highest.
char *sql_insert(const struct table *table);
char *sql_rollup(const struct table *table, enum level level);
char *sql_last(const struct table *table);
