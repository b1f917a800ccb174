// SPDX-License-Identifier: GPL-2.0-or-later
// Nearest word
#pragma once

#include <stddef.h>

// Letters to insert, delete, replace or swap with their neighbour to make one word of the other.
// Words longer than NEAREST_MAX differ by at least that much.
#define NEAREST_MAX 64
size_t edit_distance(const char *a, const char *b);

// Keeps the best of several candidates for a word that was mistyped.
struct nearest {
    const char *word, *best; // best: NULL where none is close enough to be meant
    size_t distance;
};
void nearest_init(struct nearest *nearest, const char *word);
void nearest_try(struct nearest *nearest, const char *candidate);
