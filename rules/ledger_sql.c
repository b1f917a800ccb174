// SPDX-License-Identifier: GPL-2.0-or-later
// Ledger queries
//
// Generated from the sections' headers. All names in them come from the tables' declarations; the
// condition is a part of the ledger file.
#include <stdio.h>
#include <stdlib.h>

#include "rules/ledger.h"

const char *ledger_counter_name(const struct ledger_section *section, size_t counter) {
    return section->table->columns[section->counters[counter].column].name;
}

static bool has_netns(const struct ledger_section *section) {
    return table_column(section->table, "netns") >= 0;
}

// The linear sum of the counters of one row.
static void put_sum(FILE *out, const struct ledger_section *section) {
    fputc('0', out);
    for (size_t i = 0; i < section->n_counters; i++)
        if (section->counters[i].sign != 0)
            fprintf(out, " %c coalesce(\"%s\", 0)", section->counters[i].sign < 0 ? '-' : '+',
                    ledger_counter_name(section, i));
}

static void put_where(FILE *out, const struct ledger_section *section) {
    fprintf(out, " WHERE (%s)", section->where ? section->where : "1");
}

// What the window of a section without a query is.
static void put_plain_query(FILE *out, const struct ledger_section *section) {
    fprintf(out, "SELECT %s AS netns, sum(", has_netns(section) ? "netns" : "NULL");
    put_sum(out, section);
    fprintf(out, ") AS datagrams FROM \"%s\"", section->table->name);
    put_where(out, section);
    fputs(has_netns(section) ? " GROUP BY netns" : "", out);
}

static void put_counters_query(FILE *out, const struct ledger_section *section) {
    fprintf(out, "SELECT %s", has_netns(section) ? "netns" : "NULL");
    for (size_t i = 0; i < section->n_counters; i++)
        fprintf(out, ", sum(\"%s\")", ledger_counter_name(section, i));
    fprintf(out, " FROM \"%s\"", section->table->name);
    put_where(out, section);
    fputs(has_netns(section) ? " GROUP BY 1" : "", out);
}

// The steps of the loss, for the namespaces that the ledger has.
static void put_steps_query(FILE *out, const struct ledger_section *section) {
    fputs("INSERT INTO temp.loss_step SELECT s.step, l.locus, l.direction, l.netns, sum(s.n) AS n"
          " FROM temp.ledger l JOIN (SELECT *, ",
            out);
    put_sum(out, section);
    fprintf(out, " AS n FROM \"%s_step\"", section->table->name);
    put_where(out, section);
    fprintf(out,
            ") s%s WHERE l.locus = ?1 AND s.n <> 0 GROUP BY s.step, l.netns HAVING sum(s.n) > 0",
            has_netns(section) ? " ON s.netns IS l.netns" : "");
}

// Totals know keys and counters only: the condition is asked of the same object in the window.
static void put_total_query(FILE *out, const struct ledger_section *section) {
    fputs("SELECT sum(", out);
    put_sum(out, section);
    fputs("), (SELECT total(", out);
    put_sum(out, section);
    fprintf(out, ") FROM \"%s\"", section->table->name);
    put_where(out, section);
    fprintf(out, ") FROM \"%s_total\" AS total", section->table->name);
    if (!section->where)
        return;
    fprintf(out, " WHERE EXISTS (SELECT 1 FROM \"%s\" AS object WHERE (%s)", section->table->name,
            section->where);
    for (size_t i = 0; i < section->table->n_keys; i++)
        fprintf(out, " AND object.\"%s\" = total.\"%s\"", section->table->columns[i].name,
                section->table->columns[i].name);
    fputc(')', out);
}

char *ledger_sql(const struct ledger_section *section, enum ledger_query query) {
    static void (*const put[])(FILE * out, const struct ledger_section *section) = {
        [LEDGER_WINDOW] = put_plain_query,
        [LEDGER_COUNTERS] = put_counters_query,
        [LEDGER_STEPS] = put_steps_query,
        [LEDGER_TOTAL] = put_total_query,
    };
    char *sql = NULL;
    size_t size;
    FILE *out = open_memstream(&sql, &size);
    if (!out)
        return NULL;
    put[query](out, section);
    if (fclose(out) == 0)
        return sql;
    free(sql);
    return NULL;
}
