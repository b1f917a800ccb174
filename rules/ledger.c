// SPDX-License-Identifier: GPL-2.0-or-later
// Ledger file
#include "rules/ledger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "rules/append.h"

enum ledger_word {
    WORD_LOCUS,
    WORD_DIRECTION,
    WORD_FROM,
    WORD_COUNTERS,
    WORD_BESIDE,
    WORD_WHERE,
    WORD_WHEN,
    WORD_ESTIMATED,
    WORD_PAST,
};

static const struct header_word words[] = {
    [WORD_LOCUS] = { "locus", SPLIT_NONE, 1, false },
    [WORD_DIRECTION] = { "direction", SPLIT_NONE, 1, false },
    [WORD_FROM] = { "from", SPLIT_NONE, 1, false },
    [WORD_COUNTERS] = { "counters", SPLIT_NONE, 1, false },
    [WORD_BESIDE] = { "beside", SPLIT_NONE, 1, false },
    [WORD_WHERE] = { "where", SPLIT_NONE, 1, false },
    [WORD_WHEN] = { "when", SPLIT_NONE, 1, false },
    [WORD_ESTIMATED] = { "estimated", SPLIT_NONE, 1, false },
    [WORD_PAST] = { "past", SPLIT_NONE, 1, false },
};
#define N_WORDS (sizeof(words) / sizeof(words[0]))
#define N_NEEDED (WORD_COUNTERS + 1) // the first of them

static const char section_mark[] = "-- locus ";

// "yes" or "no".
static bool read_flag(const struct ledger_section *section, enum ledger_word word, bool fallback,
        struct problems *problems) {
    const struct header_line *line = header_find(&section->header, word);
    if (!line)
        return fallback;
    bool yes = strcmp(line->part[0], "yes") == 0;
    if (!yes && strcmp(line->part[0], "no") != 0)
        problem(problems, line->line, "'%s' is 'yes' or 'no'", words[word].name);
    return yes;
}

static int add_counter(struct ledger_section *section, const char *name, int sign, int line,
        struct problems *problems) {
    int column = table_column(section->table, name);
    if (column < 0 || section->table->columns[column].kind != COLUMN_COUNTER) {
        problem(problems, line, "%s has no counter '%s'", section->table->name, name);
        return 0;
    }
    struct ledger_counter *counter = append(section->counters, section->n_counters);
    if (!counter)
        return -ENOMEM;
    *counter = (struct ledger_counter){ column, sign };
    return 0;
}

static int read_counters(
        struct ledger_section *section, enum ledger_word word, struct problems *problems) {
    const struct header_line *line = header_find(&section->header, word);
    if (!line)
        return 0;
    size_t n;
    for (const char *p = line->part[0]; *p; p += n + strspn(p + n, " \t")) {
        char name[128];
        n = strcspn(p, " \t");
        bool minus = *p == '-';
        snprintf(name, sizeof(name), "%.*s", (int) n - minus, p + minus);
        int sign = word == WORD_BESIDE ? 0 : minus ? -1 : 1;
        if (add_counter(section, name, sign, line->line, problems) < 0)
            return -ENOMEM;
    }
    return 0;
}

static int read_section(struct ledger_section *section, const struct table *const *tables,
        size_t n_tables, struct problems *problems) {
    const struct header_line *mark = header_find(&section->header, WORD_LOCUS);
    for (size_t word = 0; word < N_NEEDED; word++)
        if (!header_find(&section->header, (int) word)) {
            problem(problems, mark ? mark->line : section->sql_line, "no '-- %s' line",
                    words[word].name);
            return 0;
        }
    section->locus = header_value(&section->header, WORD_LOCUS);
    section->direction = header_value(&section->header, WORD_DIRECTION);
    section->where = header_value(&section->header, WORD_WHERE);
    section->when = header_value(&section->header, WORD_WHEN);
    section->estimated = read_flag(section, WORD_ESTIMATED, false, problems);
    section->past = read_flag(section, WORD_PAST, true, problems);
    if (strcmp(section->direction, "receive") != 0 && strcmp(section->direction, "send") != 0)
        problem(problems, mark->line, "'direction' is 'receive' or 'send'");
    const struct header_line *from = header_find(&section->header, WORD_FROM);
    section->table = table_find(tables, n_tables, from->part[0]);
    if (!section->table) {
        problem(problems, from->line, "no such table: %s", from->part[0]);
        return 0;
    }
    int r = read_counters(section, WORD_COUNTERS, problems);
    return r < 0 ? r : read_counters(section, WORD_BESIDE, problems);
}

static int read_sections(struct ledger *ledger, const struct table *const *tables, size_t n_tables,
        struct problems *problems) {
    int line = 1;
    char *p = header_section(ledger->parsed, section_mark, &line);
    while (*p) {
        struct ledger_section *section = append(ledger->sections, ledger->n);
        if (!section)
            return -ENOMEM;
        int next_line = line;
        char *next = header_section(p + 1, section_mark, &next_line);
        if (*next)
            next[-1] = '\0';
        if (header_read(&p, &line, words, N_WORDS, problems, &section->header) < 0)
            return -ENOMEM;
        section->sql = p;
        section->sql_line = line;
        if (read_section(section, tables, n_tables, problems) < 0)
            return -ENOMEM;
        p = next;
        line = next_line;
    }
    return 0;
}

static int list_counters(struct ledger *ledger) {
    for (size_t i = 0; i < ledger->n; i++) {
        const struct ledger_section *section = &ledger->sections[i];
        for (size_t j = 0; j < section->n_counters; j++) {
            if (section->counters[j].sign <= 0)
                continue;
            struct rules_counter *counter = append(ledger->counters, ledger->n_counters);
            if (!counter)
                return -ENOMEM;
            *counter = (struct rules_counter){ section->locus, section->table->name,
                section->table->columns[section->counters[j].column].name };
        }
    }
    return 0;
}

int ledger_parse(const char *text, const struct table *const *tables, size_t n_tables,
        struct problems *problems, struct ledger *ret) {
    size_t before = problems->n;
    *ret = (struct ledger){ .parsed = strdup(text) };
    if (!ret->parsed || read_sections(ret, tables, n_tables, problems) < 0)
        return -ENOMEM;
    if (ret->n == 0)
        problem(problems, 0, "no '-- locus' line");
    if (problems->n > before)
        return 1;
    return list_counters(ret);
}

void ledger_done(struct ledger *ledger) {
    for (size_t i = 0; i < ledger->n; i++) {
        header_done(&ledger->sections[i].header);
        free(ledger->sections[i].counters);
    }
    free(ledger->sections);
    free(ledger->counters);
    free(ledger->parsed);
    *ledger = (struct ledger){ 0 };
}

bool ledger_has(const struct ledger *ledger, const char *locus) {
    for (size_t i = 0; i < ledger->n; i++)
        if (ledger->sections[i].locus && strcmp(ledger->sections[i].locus, locus) == 0)
            return true;
    return false;
}
