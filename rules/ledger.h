// SPDX-License-Identifier: GPL-2.0-or-later
// Ledger
//
// The places where datagrams are lost, as rules/ledger.sql declares them: sections of header lines,
// each with an optional query. Without one a locus counts the plain sum of its counters.
#pragma once

#include "core/verdict.h"
#include "rules/header.h"
#include "rules/rules.h"

struct sandbox;

struct ledger_counter {
    int column; // of the section's table
    int sign;   // of the linear sum: 1, -1; 0: only shown
};

struct ledger_section {
    struct header header;
    const char *locus, *direction;
    const struct table *table;
    const char *where; // condition on the table's rows, or NULL
    const char *when;  // condition without which its query gives nothing, or NULL
    bool estimated;
    bool past; // its counters alone mean a loss, also long ago
    struct ledger_counter *counters;
    size_t n_counters;
    const char *sql; // "" for the plain sum
    int sql_line;
};

struct ledger {
    char *parsed; // what the sections point into
    struct ledger_section *sections;
    size_t n;
    struct rules_counter *counters;
    size_t n_counters;
};

// 0, 1: problems, or -ENOMEM. `ret` is ledger_done()d by the caller in any case.
int ledger_parse(const char *text, const struct table *const *tables, size_t n_tables,
        struct problems *problems, struct ledger *ret);
void ledger_done(struct ledger *ledger);
bool ledger_has(const struct ledger *ledger, const char *locus);

const char *ledger_counter_name(const struct ledger_section *section, size_t counter);

enum ledger_query {
    LEDGER_WINDOW,   // netns, datagrams: for sections without a query of their own
    LEDGER_COUNTERS, // netns, each counter
    LEDGER_STEPS,    // inserts the steps of locus ?1 into loss_step
    LEDGER_TOTAL,    // the counters' sum since boot, and in the window
};
char *ledger_sql(const struct ledger_section *section, enum ledger_query query); // malloc()ed

// Makes the temporary tables `ledger` and `loss_step` anew, empty. 0 or -errno.
int ledger_create(struct sandbox *sandbox);
// Checks the sections' queries against the window on the sandbox's connection. 0 or 1: problems.
int ledger_check(const struct ledger *ledger, struct sandbox *sandbox, struct problems *problems);
// Fills both tables and verdict->ledger and ->lost. A section that fails stands in not_judged. 0 or
// -errno.
int ledger_fill(const struct ledger *ledger, struct sandbox *sandbox, struct verdict *verdict);
// Whether any counter of any place is known at all. 0 or -errno.
int ledger_counted(const struct ledger *ledger, struct sandbox *sandbox, bool *ret);
// Adds a note for each locus whose counters rose before the window and not in it. 0 or -errno;
// *ret_any: there was one.
int ledger_look_back(const struct ledger *ledger, struct sandbox *sandbox, struct verdict *verdict,
        bool *ret_any);
