// SPDX-License-Identifier: GPL-2.0-or-later
// Samples as text, read
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/sample_text.h"

// More than any table has.
#define COLUMNS_MAX 512
// No count, size or time comes near it; two of them can be added and subtracted.
#define VALUE_MAX (INT64_C(1) << 60)

struct reading {
    struct sample *sample;
    struct rows *rows; // of the table that is being read; NULL: of one that is not known here
    bool in_table, ended;
    int column[COLUMNS_MAX]; // where each word of a row goes; -1: nowhere
    size_t n_columns;        // 0: not told yet
};

// Takes the next word off, with its escapes undone. NULL: there is none. *ret_null: it is \N.
static char *take_word(char **rest, bool *ret_null) {
    char *word = *rest, *in = word, *out = word;
    if (!word)
        return NULL;
    *ret_null = strcmp(word, "\\N") == 0 || strncmp(word, "\\N\t", 3) == 0;
    for (; *in && *in != '\t'; in++) {
        if (*in == '\\' && in[1]) {
            in++;
            *out++ = *in == 't' ? '\t' : *in == 'n' ? '\n' : *in == 'r' ? '\r' : *in;
        } else {
            *out++ = *in;
        }
    }
    *rest = *in ? in + 1 : NULL;
    *out = '\0';
    return word;
}

static bool take_integer(char **rest, cell *ret) {
    bool null;
    char *word = take_word(rest, &null), *end;
    if (!word || !*word)
        return false;
    errno = 0;
    long long value = strtoll(word, &end, 10);
    if (!null && (errno || *end || value > VALUE_MAX || value < -VALUE_MAX))
        return false;
    *ret = null ? CELL_NULL : value;
    return true;
}

static int read_head(struct reading *reading, char *rest) {
    struct sample *sample = reading->sample;
    cell version;
    if (!take_integer(&rest, &version))
        return -EINVAL;
    if (version != SAMPLE_TEXT_VERSION)
        return -EPROTONOSUPPORT;
    int64_t *const clocks[] = { &sample->wall_ms, &sample->boottime_ms, &sample->monotonic_ms };
    for (size_t i = 0; i < sizeof(clocks) / sizeof(clocks[0]); i++)
        if (!take_integer(&rest, clocks[i]) || *clocks[i] < 0)
            return -EINVAL;
    return 0;
}

static int outcome_of(const char *name) {
    for (int i = OUTCOME_OK; i <= OUTCOME_FAILED; i++)
        if (strcmp(outcome_name((enum outcome_state) i), name) == 0)
            return i;
    return -EINVAL;
}

static int read_table(struct reading *reading, char *rest) {
    bool null;
    const char *name = take_word(&rest, &null), *state = take_word(&rest, &null);
    const char *reason = take_word(&rest, &null);
    int outcome = state ? outcome_of(state) : -EINVAL;
    if (outcome < 0)
        return outcome;
    reading->in_table = true;
    reading->rows = NULL;
    reading->n_columns = 0;
    for (size_t t = 0; t < reading->sample->n_tables; t++) {
        if (strcmp(reading->sample->rows[t].table->name, name) != 0)
            continue;
        reading->rows = &reading->sample->rows[t];
        rows_clear(reading->rows);
        outcome_set(&reading->sample->outcome[t], (enum outcome_state) outcome, "%s",
                reason ? reason : "");
    }
    return 0;
}

static int read_columns(struct reading *reading, char *rest) {
    bool null;
    const char *name;
    if (!reading->in_table)
        return -EINVAL;
    for (reading->n_columns = 0; (name = take_word(&rest, &null)); reading->n_columns++) {
        if (reading->n_columns == COLUMNS_MAX)
            return -EINVAL;
        reading->column[reading->n_columns] =
                reading->rows ? table_column(reading->rows->table, name) : -1;
    }
    return 0;
}

static int take_text(struct rows *rows, const char *word, cell *ret) {
    *ret = rows_put_text(rows, word, strlen(word));
    return *ret == CELL_NULL ? -ENOMEM : 0;
}

static int read_values(struct reading *reading, char *rest, cell *row) {
    struct rows *rows = reading->rows;
    for (size_t i = 0; i < reading->n_columns; i++) {
        int at = reading->column[i];
        bool null;
        char *word;
        int r = 0;
        if (at >= 0 && !column_is_text(&rows->table->columns[at])) {
            bool counts = rows->table->columns[at].kind == COLUMN_COUNTER;
            bool good = take_integer(&rest, &row[at]);
            r = good && !(counts && row[at] != CELL_NULL && row[at] < 0) ? 0 : -EINVAL;
        } else if (!(word = take_word(&rest, &null))) {
            r = -EINVAL;
        } else if (at >= 0 && !null) {
            r = take_text(rows, word, &row[at]);
        }
        if (r < 0)
            return r;
    }
    return rest ? -EINVAL : 0;
}

static int read_row(struct reading *reading, char *rest) {
    if (reading->n_columns == 0)
        return -EINVAL;
    if (!reading->rows)
        return 0;
    cell *row = rows_add(reading->rows);
    return row ? read_values(reading, rest, row) : -ENOMEM;
}

static int read_before(struct reading *reading, char *rest) {
    if (reading->n_columns == 0 || (reading->rows && reading->rows->n == 0))
        return -EINVAL;
    if (!reading->rows)
        return 0;
    cell *row = rows_before(reading->rows);
    return row ? read_values(reading, rest, row) : -ENOMEM;
}

static int read_end(struct reading *reading, char *rest) {
    reading->ended = true;
    return 0;
}

static const struct {
    const char *word;
    int (*read)(struct reading *reading, char *rest);
} kinds[] = {
    { "table", read_table },
    { "columns", read_columns },
    { "row", read_row },
    { "before", read_before },
    { "end", read_end },
};

static int read_line(struct reading *reading, char *line, unsigned number) {
    bool null;
    char *rest = line;
    const char *word = take_word(&rest, &null);
    if (number == 1)
        return strcmp(word, "sample") == 0 ? read_head(reading, rest) : -EINVAL;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(word, kinds[i].word) == 0)
            return kinds[i].read(reading, rest);
    return -EINVAL;
}

int sample_text_read(struct sample *sample, char *text, unsigned *ret_line) {
    struct reading reading = { .sample = sample };
    unsigned number = 0;
    for (size_t t = 0; t < sample->n_tables; t++) {
        rows_clear(&sample->rows[t]);
        sample->outcome[t] = (struct outcome){ .state = OUTCOME_NOT_DUE };
    }
    for (char *line = text; *line && !reading.ended;) {
        char *end = strchrnul(line, '\n');
        bool last = !*end;
        *end = '\0';
        *ret_line = ++number;
        int r = read_line(&reading, line, number);
        if (r < 0)
            return r;
        line = last ? end : end + 1;
    }
    *ret_line = number;
    return reading.ended ? 0 : -EINVAL;
}
