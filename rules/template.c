// SPDX-License-Identifier: GPL-2.0-or-later
// Placeholders
#include "rules/template.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/text.h"

#define NAME_SIZE 64

// The unit that a column's name tells; the longest suffix first. "#": an identifier, written
// plainly.
static const struct {
    const char *suffix, *unit;
} suffixes[] = {
    { "_bytes_rate", "bytes/s" },
    { "_bytes", "bytes" },
    { "_share", "ratio" },
    { "_percent", "percent" },
    { "_rate", "/s" },
    { "_pages", "pages" },
    { "_seconds", "s" },
    { "_ms", "ms" },
    { "_us", "us" },
    { "_s", "s" },
    { "_port", "#" },
    { "_pid", "#" },
    { "_cpu", "#" },
    { "_inode", "#" },
};

int row_column(sqlite3_stmt *row, const char *name) {
    int n = sqlite3_column_count(row);
    for (int i = 0; i < n; i++)
        if (strcmp(sqlite3_column_name(row, i), name) == 0)
            return i;
    return -1;
}

// A column "seconds" or "bytes" has the unit of the suffix too.
static const char *unit_of(const char *name) {
    size_t length = strlen(name);
    for (size_t i = 0; i < sizeof(suffixes) / sizeof(suffixes[0]); i++) {
        const char *suffix = suffixes[i].suffix;
        size_t n = strlen(suffix);
        if (strcmp(name, suffix + 1) == 0 || (length > n && strcmp(name + length - n, suffix) == 0))
            return suffixes[i].unit;
    }
    return NULL;
}

struct placeholder {
    char name[NAME_SIZE];
    bool raw;
};

// The placeholder that begins at the brace at p. Returns what follows it, or NULL: no placeholder.
static const char *read_placeholder(const char *p, struct placeholder *ret) {
    size_t n = strspn(p + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    const char *end = p + 1 + n;
    ret->raw = strncmp(end, ":raw", 4) == 0;
    if (ret->raw)
        end += 4;
    if (n == 0 || n >= NAME_SIZE || *end != '}')
        return NULL;
    memcpy(ret->name, p + 1, n);
    ret->name[n] = '\0';
    return end + 1;
}

bool template_check(const char *text, sqlite3_stmt *row, char *fault, size_t size) {
    for (const char *p = text; *p;) {
        struct placeholder hole;
        if (*p != '{' && *p != '}') {
            p++;
            continue;
        }
        if (p[1] == p[0]) {
            p += 2;
            continue;
        }
        const char *next = *p == '{' ? read_placeholder(p, &hole) : NULL;
        if (!next) {
            snprintf(fault, size, "a single '%c' (write '%c%c' for a plain one)", *p, *p, *p);
            return false;
        }
        if (row_column(row, hole.name) < 0) {
            snprintf(fault, size, "no column for {%s}", hole.name);
            return false;
        }
        p = next;
    }
    return true;
}

static void put_number(FILE *out, sqlite3_stmt *row, int column, const char *name) {
    const char *unit = unit_of(name);
    if (unit && strcmp(unit, "#") == 0)
        fprintf(out, "%lld", (long long) sqlite3_column_int64(row, column));
    else if (unit)
        text_put_unit(out, sqlite3_column_double(row, column), unit);
    else if (sqlite3_column_type(row, column) == SQLITE_INTEGER)
        text_put_count(out, sqlite3_column_int64(row, column));
    else
        text_put_number(out, sqlite3_column_double(row, column));
}

// Whole numbers without ".0"; SQLite writes the others whatever the locale.
static void put_raw(FILE *out, sqlite3_stmt *row, int column) {
    double value = sqlite3_column_double(row, column);
    if (sqlite3_column_type(row, column) == SQLITE_FLOAT && value == trunc(value) &&
            fabs(value) < 1e15)
        fprintf(out, "%lld", (long long) value);
    else
        fputs((const char *) sqlite3_column_text(row, column), out);
}

static void put_quoted(FILE *out, const char *text) {
    static const char plain[] =
            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_@%+=:,./-";
    if (*text && text[strspn(text, plain)] == '\0') {
        fputs(text, out);
        return;
    }
    fputc('\'', out);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", out);
        else
            fputc(*text, out);
    fputc('\'', out);
}

static void put_value(FILE *out, const struct placeholder *hole, enum template_use use,
        sqlite3_stmt *row, int column) {
    int type = sqlite3_column_type(row, column);
    const char *text = (const char *) sqlite3_column_text(row, column);
    if (!text) // NULL, or out of memory
        fputs("unknown", out);
    else if (use == TEMPLATE_TEXT && type == SQLITE_TEXT)
        text_put(out, text);
    else if (use == TEMPLATE_TEXT && !hole->raw)
        put_number(out, row, column, hole->name);
    else if (type != SQLITE_TEXT || hole->raw || strcmp(hole->name, "enter") == 0)
        put_raw(out, row, column);
    else
        put_quoted(out, text);
}

char *template_fill(const char *text, enum template_use use, sqlite3_stmt *row, bool *ret_null) {
    char *filled = NULL;
    size_t size;
    FILE *out = open_memstream(&filled, &size);
    if (!out)
        return NULL;
    *ret_null = false;
    for (const char *p = text; *p;) {
        struct placeholder hole;
        const char *next = *p == '{' && p[1] != '{' ? read_placeholder(p, &hole) : NULL;
        int column = next ? row_column(row, hole.name) : -1;
        if (column >= 0) {
            *ret_null |= sqlite3_column_type(row, column) == SQLITE_NULL;
            put_value(out, &hole, use, row, column);
            p = next;
            continue;
        }
        fputc(*p, out);
        p += (*p == '{' || *p == '}') && p[1] == p[0] ? 2 : 1;
    }
    if (fclose(out) == 0)
        return filled;
    free(filled);
    return NULL;
}
