// SPDX-License-Identifier: GPL-2.0-or-later
// Plots in the terminal
#include "cli/plot.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/terminal.h"
#include "core/cleanup.h"
#include "core/moment.h"
#include "core/text.h"

#define PLOT_HEIGHT 8
// A gauge is drawn from its lowest value where 0 would make its changes hard to see, and from 0
// where they are tiny.
#define CHANGE_LEAST 0.05
#define CHANGE_MOST 0.5

// Eighths of a character's height: none to all.
static const char *const blocks[] = { " ", "\xe2\x96\x81", "\xe2\x96\x82", "\xe2\x96\x83",
    "\xe2\x96\x84", "\xe2\x96\x85", "\xe2\x96\x86", "\xe2\x96\x87", "\xe2\x96\x88" };
static const char *const ascii[] = { " ", "_", ".", ".", "-", "-", "=", "=", "#" };
// Of a single line, where the height within a character is all there is.
static const char *const ascii_line[] = { " ", "_", ".", ":", "-", "=", "+", "*", "#" };

// What falls into one column of characters.
struct bin {
    double sum, seconds, most; // most: NAN where nothing is known
};

static void add_to_bin(struct bin *bin, double value, double share, double seconds) {
    bin->sum += value * share;
    bin->seconds += seconds * share;
    if (isnan(bin->most) || value > bin->most)
        bin->most = value;
}

static double start_of(const struct series_list *list) {
    return (double) list->steps[0].end_ms - list->steps[0].seconds * 1000;
}

// Spreads every step over the columns that it overlaps.
static void fill_bins(
        const struct series_list *list, const double *values, struct bin *bins, int columns) {
    double start = start_of(list),
           width = ((double) list->steps[list->n_steps - 1].end_ms - start) / columns;
    for (int i = 0; i < columns; i++)
        bins[i] = (struct bin){ .most = NAN };
    for (size_t i = 0; i < list->n_steps && width > 0; i++) {
        double length = list->steps[i].seconds * 1000, end = (double) list->steps[i].end_ms - start;
        double begin = end - length;
        if (isnan(values[i]) || length <= 0)
            continue;
        for (int at = (int) fmax(0, floor(begin / width)); at < columns && at * width < end; at++) {
            double overlap = fmin(end, (at + 1) * width) - fmax(begin, at * width);
            if (overlap > 0)
                add_to_bin(&bins[at], values[i], overlap / length, list->steps[i].seconds);
        }
    }
}

static double bin_value(const struct plot *plot, const struct bin *bin) {
    return isnan(bin->most) ? NAN : plot->rates ? bin->sum / bin->seconds : bin->most;
}

struct scale {
    double bottom, top;
};

static struct scale find_scale(const struct plot *plot, const struct bin *bins, int columns) {
    double least = NAN, most = NAN;
    for (int i = 0; i < columns; i++) {
        double value = bin_value(plot, &bins[i]);
        least = fmin(isnan(least) ? value : least, isnan(value) ? least : value);
        most = fmax(isnan(most) ? value : most, isnan(value) ? most : value);
    }
    if (isnan(most))
        return (struct scale){ 0, 0 };
    double change = most > 0 ? (most - least) / most : 0;
    bool from_least = !plot->rates && change >= CHANGE_LEAST && change < CHANGE_MOST;
    return (struct scale){ from_least ? least : fmin(0, least), most };
}

// Height in eighths of a line, of `lines` lines; a value above the bottom shows.
static int height_of(double value, const struct scale *scale, int lines) {
    if (isnan(value))
        return 0;
    if (scale->top <= scale->bottom)
        return 0;
    double part = (value - scale->bottom) / (scale->top - scale->bottom);
    int height = (int) lround(part * lines * 8);
    return height == 0 && value > scale->bottom ? 1 : height;
}

static const char *character(const struct plot *plot, int height, bool single) {
    int eighths = height < 0 ? 0 : height > 8 ? 8 : height;
    return plot->utf8 ? blocks[eighths] : single ? ascii_line[eighths] : ascii[eighths];
}

static char *scale_text(const struct plot *plot, double value) {
    char *text = NULL;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    text_put_unit(out, value, plot->unit);
    fclose(out);
    return text;
}

static void put_times(const struct plot *plot, const struct series_list *list, int margin,
        int columns, FILE *out) {
    char start[MOMENT_SIZE], end[MOMENT_SIZE];
    moment_format_short((int64_t) start_of(list), plot->now_ms, start);
    moment_format_short(list->steps[list->n_steps - 1].end_ms, plot->now_ms, end);
    int gap = columns - (int) strlen(start) - (int) strlen(end);
    fprintf(out, "%*s%s%*s%s\n", margin, "", start, gap > 0 ? gap : 1, "", end);
}

// A line of the plot without the blanks at its end.
static void put_plot_line(const struct plot *plot, const struct bin *bins, int columns,
        const struct scale *scale, int line, FILE *out) {
    int used = columns;
    while (used > 0 && height_of(bin_value(plot, &bins[used - 1]), scale, PLOT_HEIGHT) <= line * 8)
        used--;
    for (int i = 0; i < used; i++)
        fputs(character(plot, height_of(bin_value(plot, &bins[i]), scale, PLOT_HEIGHT) - line * 8,
                      false),
                out);
    fputc('\n', out);
}

static void put_axes(const struct plot *plot, const struct series_list *list,
        const struct bin *bins, int columns, const char *top, const char *bottom, int margin,
        FILE *out) {
    struct scale scale = find_scale(plot, bins, columns);
    for (int line = PLOT_HEIGHT - 1; line >= 0; line--) {
        const char *label = line == PLOT_HEIGHT - 1 ? top : line == 0 ? bottom : "";
        fprintf(out, "%*s%s %s", margin - 2 - text_columns(label), "", label,
                plot->utf8 ? "\xe2\x94\x82" : "|");
        put_plot_line(plot, bins, columns, &scale, line, out);
    }
    put_times(plot, list, margin, columns, out);
}

void plot_put(
        const struct plot *plot, const struct series_list *list, const double *values, FILE *out) {
    _cleanup_free_ struct bin *bins = calloc((size_t) plot->width, sizeof(*bins));
    if (!bins || list->n_steps == 0)
        return;
    // The scale's texts decide how many columns are left, and those the scale: first for the whole
    // width.
    fill_bins(list, values, bins, plot->width);
    struct scale scale = find_scale(plot, bins, plot->width);
    _cleanup_free_ char *widest = scale_text(plot, scale.top);
    _cleanup_free_ char *bottom = scale_text(plot, scale.bottom);
    int margin =
            (int) fmax(text_columns(widest ? widest : ""), text_columns(bottom ? bottom : "")) + 4;
    int columns = plot->width - margin;
    if (columns < 1)
        return;
    fill_bins(list, values, bins, columns);
    scale = find_scale(plot, bins, columns);
    _cleanup_free_ char *top = scale_text(plot, scale.top);
    put_axes(plot, list, bins, columns, top ? top : "", bottom ? bottom : "", margin, out);
}

void plot_put_line(const struct plot *plot, const struct series_list *list, const double *values,
        int columns, FILE *out) {
    _cleanup_free_ struct bin *bins = calloc((size_t) columns, sizeof(*bins));
    if (!bins || list->n_steps == 0)
        return;
    fill_bins(list, values, bins, columns);
    struct scale scale = find_scale(plot, bins, columns);
    for (int i = 0; i < columns; i++)
        fputs(character(plot, height_of(bin_value(plot, &bins[i]), &scale, 1), true), out);
}
