// SPDX-License-Identifier: GPL-2.0-or-later
// Loss watch
#include "daemon/loss_watch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

// Growth in one step beyond this many times what was judged before, and beyond a few strays, is
// news.
#define NEWS_FACTOR 4
#define NEWS_MARGIN 16

struct watched {
    char *locus;
    size_t table, column;
    bool readable, was_readable;
    bool judged, harmless;
    int64_t usual;   // most growth in one step when it was judged
    int64_t highest; // most growth in one step since then
};

struct loss_watch {
    struct watched *counters;
    size_t n;
};

struct loss_watch *loss_watch_free(struct loss_watch *watch) {
    if (!watch)
        return NULL;
    for (size_t i = 0; i < watch->n; i++)
        free(watch->counters[i].locus);
    free(watch->counters);
    free(watch);
    return NULL;
}

static int add(struct loss_watch *watch, const struct rules_counter *counter,
        const struct table *const *tables, size_t n_tables) {
    for (size_t t = 0; t < n_tables; t++) {
        int column = strcmp(tables[t]->name, counter->table) == 0
                             ? table_column(tables[t], counter->column)
                             : -1;
        if (column < 0)
            continue;
        char *locus = strdup(counter->locus);
        if (!locus)
            return -ENOMEM;
        watch->counters[watch->n++] = (struct watched){
            .locus = locus,
            .table = t,
            .column = (size_t) column,
        };
    }
    return 0;
}

int loss_watch_new(const struct rule_set *rules, const struct table *const *tables, size_t n_tables,
        struct loss_watch **ret) {
    const struct rules_counter *counters;
    size_t n = rules_counters(rules, &counters);
    struct loss_watch *watch = calloc(1, sizeof(*watch));
    if (watch)
        watch->counters = calloc(n + 1, sizeof(*watch->counters));
    int r = watch && watch->counters ? 0 : -ENOMEM;
    for (size_t i = 0; i < n && r >= 0; i++)
        r = add(watch, &counters[i], tables, n_tables);
    if (r < 0)
        loss_watch_free(watch);
    else
        *ret = watch;
    return r;
}

static int64_t growth_in(const struct rows *rows, size_t column) {
    int64_t sum = 0;
    for (size_t i = 0; i < rows->n; i++) {
        cell value = rows_at(rows, i)[column];
        if (value != CELL_NULL)
            sum += value;
    }
    return sum;
}

static void note_outcome(struct watched *counter, enum outcome_state state) {
    if (state == OUTCOME_NOT_DUE)
        return;
    counter->readable = state == OUTCOME_OK;
    counter->was_readable |= counter->readable;
}

static bool is_news(const struct watched *counter, int64_t growth) {
    return !counter->judged || growth > counter->usual * NEWS_FACTOR + NEWS_MARGIN;
}

enum glance loss_watch_step(struct loss_watch *watch, const struct step *step, bool *ret_grew) {
    enum glance glance = GLANCE_QUIET;
    *ret_grew = false;
    for (size_t i = 0; i < watch->n; i++) {
        struct watched *counter = &watch->counters[i];
        note_outcome(counter, step->outcome[counter->table].state);
        int64_t growth = growth_in(&step->growth[counter->table], counter->column);
        if (growth <= 0)
            continue;
        *ret_grew = true;
        if (growth > counter->highest)
            counter->highest = growth;
        if (is_news(counter, growth))
            glance = GLANCE_NEWS;
        else if (!counter->harmless && glance < GLANCE_LOSS)
            glance = GLANCE_LOSS;
    }
    return glance;
}

static bool is_lost_at(const struct verdict *verdict, const char *locus) {
    for (size_t i = 0; i < verdict->n_ledger; i++)
        if (verdict->ledger[i].datagrams > 0 && strcmp(verdict->ledger[i].locus, locus) == 0)
            return true;
    return false;
}

void loss_watch_settle(struct loss_watch *watch, const struct verdict *verdict) {
    for (size_t i = 0; i < watch->n; i++) {
        struct watched *counter = &watch->counters[i];
        if (counter->highest > 0) {
            counter->judged = true;
            counter->usual = counter->highest;
            counter->harmless = !is_lost_at(verdict, counter->locus);
        } else if (!is_lost_at(verdict, counter->locus)) {
            // A window without it: what comes next is a new event.
            counter->judged = false;
        }
        counter->highest = 0;
    }
}

static bool is_listed(const char **loci, size_t n, const char *locus) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(loci[i], locus) == 0)
            return true;
    return false;
}

size_t loss_watch_blind(const struct loss_watch *watch, const char **ret_loci, size_t max) {
    size_t n = 0;
    for (size_t i = 0; i < watch->n && n < max; i++) {
        const struct watched *counter = &watch->counters[i];
        if (counter->was_readable && !counter->readable && !is_listed(ret_loci, n, counter->locus))
            ret_loci[n++] = counter->locus;
    }
    return n;
}
