// SPDX-License-Identifier: GPL-2.0-or-later
// Plots in the terminal
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "cli/series.h"

struct plot {
    const char *unit; // as text_put_unit() knows it
    bool rates; // values are growth: shown per second, averaged within a column; else the highest
                // of a column
    bool utf8;  // block characters, else ASCII
    int width;  // of the whole plot
    int64_t now_ms; // wall clock
};

// A plot of several lines with its scale and the times at both ends.
void plot_put(
        const struct plot *plot, const struct series_list *list, const double *values, FILE *out);
// One line of `columns` characters, scaled to its own highest value.
void plot_put_line(const struct plot *plot, const struct series_list *list, const double *values,
        int columns, FILE *out);
