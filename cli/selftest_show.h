// SPDX-License-Identifier: GPL-2.0-or-later
// Self-test shown
#pragma once

#include "cli/selftest.h"
#include "cli/writer.h"

struct selftest_entry { // one scenario with one family
    const struct scenario *scenario;
    int family;
    char id[SELFTEST_ID_SIZE];
    bool quick, chosen, done;
    struct selftest_result result;
    json_object *document; // the last verdict, where it was wrong; NULL: none
};

struct selftest_list {
    struct selftest_entry *entries;
    size_t n;
    int64_t took_ms;
};

// All scenarios with their families. 0 or -ENOMEM.
int selftest_list_init(struct selftest_list *list);
void selftest_list_done(struct selftest_list *list);

struct selftest_figures {
    size_t passed, failed, skipped;
    size_t fixes, fixes_cured;  // remedies that were tried, and that did what they should
    int64_t largest_difference; // of ledger and truth, where it can be exact
};
void selftest_figures(const struct selftest_list *list, struct selftest_figures *ret);

void selftest_show_list(struct writer *writer, const struct selftest_list *list);
void selftest_show(struct writer *writer, const struct selftest_list *list);
