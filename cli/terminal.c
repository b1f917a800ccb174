// SPDX-License-Identifier: GPL-2.0-or-later
// Terminal properties
#include "cli/terminal.h"

#include <langinfo.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define WIDTH_DEFAULT 80
// Narrower than this, labels and numbers leave no room for words: lines get longer than the
// terminal instead.
#define WIDTH_LEAST 40
#define WIDTH_MOST 500

static int find_width(bool is_terminal) {
    struct winsize size;
    const char *columns = getenv("COLUMNS");
    int width = columns ? atoi(columns) : 0;
    if (width <= 0 && is_terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0)
        width = size.ws_col;
    if (width <= 0)
        width = WIDTH_DEFAULT;
    return width < WIDTH_LEAST ? WIDTH_LEAST : width > WIDTH_MOST ? WIDTH_MOST : width;
}

static bool wants_color(bool is_terminal) {
    const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
    return is_terminal && !(no_color && *no_color) && term && strcmp(term, "dumb") != 0;
}

void terminal_init(struct terminal *terminal, enum color color) {
    bool is_terminal = isatty(STDOUT_FILENO);
    *terminal = (struct terminal){
        .width = find_width(is_terminal),
        .is_terminal = is_terminal,
        .color = color == COLOR_ALWAYS || (color == COLOR_AUTO && wants_color(is_terminal)),
        .utf8 = strcmp(nl_langinfo(CODESET), "UTF-8") == 0,
    };
}

const char *style_sequence(enum style style) {
    static const char *const sequences[] = {
        [STYLE_PLAIN] = "",
        [STYLE_BOLD] = "\033[1m",
        [STYLE_DIM] = "\033[2m",
        [STYLE_GOOD] = "\033[32m",
        [STYLE_WARNING] = "\033[33m",
        [STYLE_CRITICAL] = "\033[1;31m",
    };
    return sequences[style];
}

void style_begin(const struct terminal *terminal, FILE *out, enum style style) {
    if (terminal->color)
        fputs(style_sequence(style), out);
}

void style_end(const struct terminal *terminal, FILE *out, enum style style) {
    if (terminal->color && style != STYLE_PLAIN)
        fputs("\033[0m", out);
}

int text_columns(const char *text) {
    int columns = 0;
    for (; *text; text++)
        columns += (*text & 0xc0) != 0x80;
    return columns;
}
