// SPDX-License-Identifier: GPL-2.0-or-later
// Values that fit
#include "formats/sanity.h"

#include <inttypes.h>
#include <string.h>

#include "formats/intake_private.h"

// What a counter contains cannot be more than it. Counters are read one after the other while they
// move: a hundredth, or a hundred, is no contradiction.
static const struct containment {
    const char *table, *whole, *part;
} containments[] = {
    { "snmp", "udp_in_errors", "udp_rcvbuf_errors" },
    { "snmp", "udp_in_errors", "udp_in_csum_errors" },
    { "snmp", "udp_in_errors", "udp_mem_errors" },
    { "snmp", "udp6_in_errors", "udp6_rcvbuf_errors" },
    { "snmp", "udp6_in_errors", "udp6_in_csum_errors" },
    { "snmp", "ip_reasm_reqds", "ip_reasm_oks" },
    { "snmp", "ip6_reasm_reqds", "ip6_reasm_oks" },
    { "snmp", "ip_frag_creates", "ip_frag_oks" },
};
#define SLACK_SHARE 100
#define SLACK_LEAST 100

static bool contradicts(cell whole, cell part) {
    return whole != CELL_NULL && part != CELL_NULL &&
           part - whole > SLACK_LEAST + part / SLACK_SHARE;
}

static void check_row(struct intake *intake, const struct look *look, const struct rows *rows,
        size_t i, unsigned line, const struct containment *pair) {
    int whole = table_column(rows->table, pair->whole);
    int part = table_column(rows->table, pair->part);
    if (whole < 0 || part < 0)
        return;
    const cell *row = rows_at(rows, i);
    if (!contradicts(row[whole], row[part]))
        return;
    intake->file = look->file;
    intake_note(intake, &(struct line){ .number = line },
            "%s is %" PRId64 " and contains %s, which is %" PRId64
            ": one of them is misread, or they are of different times",
            rows->table->columns[whole].field, row[whole], rows->table->columns[part].field,
            row[part]);
}

void sanity_check(struct intake *intake) {
    size_t n = sizeof(containments) / sizeof(containments[0]);
    for (size_t i = 0; i < intake->n_looks; i++)
        for (size_t t = 0; intake->look[i].table && t < intake->n_tables; t++) {
            const struct look_table *table = intake->look[i].table[t];
            const char *name = intake->tables[t]->name;
            for (size_t k = 0; table && k < n; k++)
                for (size_t row = 0;
                        strcmp(name, containments[k].table) == 0 && row < table->set.rows.n; row++)
                    check_row(intake, &intake->look[i], &table->set.rows, row, table->line[row],
                            &containments[k]);
        }
}
