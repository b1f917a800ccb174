// SPDX-License-Identifier: GPL-2.0-or-later
// Nearest word
#include "core/nearest.h"

#include <ctype.h>
#include <string.h>

static size_t least(size_t a, size_t b) {
    return a < b ? a : b;
}

// Optimal string alignment: three rows of the table are enough.
size_t edit_distance(const char *a, const char *b) {
    size_t rows[3][NEAREST_MAX + 1], n = strlen(a), m = strlen(b);
    if (n > NEAREST_MAX || m > NEAREST_MAX)
        return NEAREST_MAX;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        size_t *row = rows[i % 3], *above = rows[(i - 1) % 3], *second = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t differs = tolower((unsigned char) a[i - 1]) != tolower((unsigned char) b[j - 1]);
            row[j] = least(least(above[j] + 1, row[j - 1] + 1), above[j - 1] + differs);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return rows[n % 3][m];
}

void nearest_init(struct nearest *nearest, const char *word) {
    // A third of the letters may be wrong, and one always.
    *nearest = (struct nearest){ .word = word, .distance = 2 + strlen(word) / 3 };
}

void nearest_try(struct nearest *nearest, const char *candidate) {
    size_t distance = edit_distance(nearest->word, candidate);
    if (distance < nearest->distance) {
        nearest->distance = distance;
        nearest->best = candidate;
    }
}
