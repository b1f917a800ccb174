// SPDX-License-Identifier: GPL-2.0-or-later
// Kinds of outputs
#include "formats/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/cleanup.h"

// Of the values that either of two looks has, the part that both have: from here on they surely are
// the same output (what is 0 is not always printed), below they surely are not.
#define SURELY_SAME 0.9
#define SURELY_OTHER 0.5

struct output {
    const struct format *format;
    const char *command;
    unsigned char *has; // by column, of all tables
};

struct outputs {
    struct output *output;
    size_t n, n_columns;
    unsigned char *look; // columns of the look that is compared
};

static void outputs_done(struct outputs *outputs) {
    for (size_t i = 0; i < outputs->n; i++)
        free(outputs->output[i].has);
    free(outputs->output);
    free(outputs->look);
}

static void mark_rows(const struct rows *rows, unsigned char *has) {
    const struct table *table = rows->table;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t c = table->n_keys; c < table->n_columns; c++)
            has[c] |= rows_at(rows, i)[c] != CELL_NULL;
}

static void mark_look(
        const struct intake *intake, const struct look *look, struct outputs *outputs) {
    unsigned char *has = outputs->look;
    memset(has, 0, outputs->n_columns);
    for (size_t t = 0; look->table && t < intake->n_tables; t++) {
        if (look->table[t]) {
            mark_rows(&look->table[t]->set.rows, has);
            mark_rows(&look->table[t]->grown, has);
        }
        has += intake->tables[t]->n_columns;
    }
}

static double overlap(const struct outputs *outputs, const struct output *output) {
    size_t both = 0, either = 0;
    for (size_t i = 0; i < outputs->n_columns; i++) {
        both += outputs->look[i] && output->has[i];
        either += outputs->look[i] || output->has[i];
    }
    return either > 0 ? (double) both / (double) either : 1;
}

// The last command of a line, before a pipe: "sleep 10; netstat -su | head".
static const char *last_command(const char *line, size_t *ret_length) {
    const char *begin = line, *at;
    while ((at = strpbrk(begin, ";&")) && at[strspn(at, ";& ")])
        begin = at + strspn(at, ";& ");
    *ret_length = strcspn(begin, "|;&>");
    return begin;
}

// Same options, whatever program runs it (sudo, watch).
static bool same_options(const char *a, const char *b) {
    size_t length_a, length_b;
    if (!a || !b)
        return true;
    a = last_command(a, &length_a);
    b = last_command(b, &length_b);
    const char *option_a = memchr(a, '-', length_a), *option_b = memchr(b, '-', length_b);
    if (!option_a || !option_b)
        return option_a == option_b;
    length_a -= (size_t) (option_a - a);
    length_b -= (size_t) (option_b - b);
    while (length_a > 0 && option_a[length_a - 1] == ' ')
        length_a--;
    while (length_b > 0 && option_b[length_b - 1] == ' ')
        length_b--;
    return length_a == length_b && memcmp(option_a, option_b, length_a) == 0;
}

static bool is_same(
        const struct outputs *outputs, const struct output *output, const struct look *look) {
    if (output->format != look->format)
        return false;
    double part = overlap(outputs, output);
    return part >= SURELY_SAME ||
           (part >= SURELY_OTHER && same_options(output->command, look->command));
}

static int add(struct outputs *outputs, const struct look *look) {
    struct output *grown = reallocarray(outputs->output, outputs->n + 1, sizeof(*grown));
    if (!grown)
        return -ENOMEM;
    outputs->output = grown;
    unsigned char *has = malloc(outputs->n_columns + 1);
    if (!has)
        return -ENOMEM;
    memcpy(has, outputs->look, outputs->n_columns);
    grown[outputs->n++] = (struct output){ look->format, look->command, has };
    return 0;
}

int outputs_number(struct intake *intake) {
    _cleanup_(outputs_done) struct outputs outputs = { 0 };
    for (size_t t = 0; t < intake->n_tables; t++)
        outputs.n_columns += intake->tables[t]->n_columns;
    outputs.look = malloc(outputs.n_columns + 1);
    if (!outputs.look)
        return -ENOMEM;
    for (size_t i = 0; i < intake->n_looks; i++) {
        struct look *look = &intake->look[i];
        mark_look(intake, look, &outputs);
        size_t found = 0;
        while (found < outputs.n && !is_same(&outputs, &outputs.output[found], look))
            found++;
        int r = found == outputs.n ? add(&outputs, look) : 0;
        if (r < 0)
            return r;
        look->output = found;
    }
    return 0;
}
