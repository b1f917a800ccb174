// SPDX-License-Identifier: GPL-2.0-or-later
// Collection
#include <errno.h>
#include <stdlib.h>
#include <time.h>

#include "collectors/dense.h"
#include "collectors/list.h"
#include "collectors/netns.h"
#include "collectors/watch.h"

#define COLLECTOR_ADDRESS(name) &name##_collector,
const struct collector *const collectors[] = { COLLECTOR_LIST(COLLECTOR_ADDRESS) };
#define N_COLLECTORS (sizeof(collectors) / sizeof(collectors[0]))
const size_t n_collectors = N_COLLECTORS;

#define TABLE_ADDRESS(name) &name##_table,
static const struct table *const tables[] = { COLLECTOR_LIST(TABLE_ADDRESS) };

const struct table *const *collector_tables(void) {
    return tables;
}

struct collection {
    struct collect_context context;
    struct netns_list netns;
    struct watch watch;
    struct dense dense;
    size_t n_started;
    void *state[N_COLLECTORS];
    int64_t peek_cost_us[N_COLLECTORS]; // since the last look
    int64_t slow_due_ms; // monotonic
};

static int64_t now_us(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t) now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static int start_all(struct collection *collection) {
    for (size_t i = 0; i < N_COLLECTORS; i++) {
        int r = collectors[i]->start
                        ? collectors[i]->start(&collection->context, &collection->state[i])
                        : 0;
        if (r < 0)
            return r;
        collection->n_started++;
    }
    return 0;
}

int collection_new(struct source *source, struct collection **ret) {
    struct collection *collection = calloc(1, sizeof(*collection));
    if (!collection)
        return -ENOMEM;
    collection->context = (struct collect_context){
        .source = source, .netns = &collection->netns, .watch = &collection->watch
    };
    collection->slow_due_ms = INT64_MIN;
    int r = netns_list_init(&collection->netns, source);
    if (r == 0)
        r = start_all(collection);
    if (r < 0)
        collection_free(collection);
    else
        *ret = collection;
    return r;
}

struct collection *collection_free(struct collection *collection) {
    if (!collection)
        return NULL;
    for (size_t i = 0; i < collection->n_started; i++)
        if (collectors[i]->stop)
            collectors[i]->stop(collection->state[i]);
    netns_list_done(&collection->netns);
    watch_done(&collection->watch);
    free(collection);
    return NULL;
}

void collection_want_all_sockets(struct collection *collection) {
    collection->context.all_sockets = true;
}

void collection_want_slow(struct collection *collection) {
    collection->slow_due_ms = INT64_MIN;
}

// A look that comes late does not move the later ones.
static bool is_slow_due(struct collection *collection, bool all, int64_t now_ms) {
    if (!all && now_ms < collection->slow_due_ms)
        return false;
    bool late = all || now_ms >= collection->slow_due_ms + COLLECT_SLOW_MS;
    collection->slow_due_ms = (late ? now_ms : collection->slow_due_ms) + COLLECT_SLOW_MS;
    return true;
}

// People who look want everything of this very moment.
static void begin_turns(struct collection *collection, bool all, bool slow, int64_t now_ms) {
    all |= collection->context.all_sockets;
    netns_turns_begin(&collection->netns, NETNS_COUNTERS, now_ms, all);
    if (slow)
        netns_turns_begin(&collection->netns, NETNS_LIMITS, now_ms, all);
}

static void run(struct collection *collection, size_t i, bool due, struct sample *sample) {
    rows_clear(&sample->rows[i]);
    sample->outcome[i] = (struct outcome){ .state = due ? OUTCOME_OK : OUTCOME_NOT_DUE };
    if (due)
        collectors[i]->collect(
                &collection->context, collection->state[i], &sample->rows[i], &sample->outcome[i]);
}

void collection_look(struct collection *collection, bool all, struct sample *sample) {
    int64_t before = now_us(CLOCK_MONOTONIC);
    sample->monotonic_ms = collection->context.now_ms = before / 1000;
    sample->boottime_ms = now_us(CLOCK_BOOTTIME) / 1000;
    sample->wall_ms = now_us(CLOCK_REALTIME) / 1000;
    bool slow = is_slow_due(collection, all, sample->monotonic_ms);
    // The time that this takes counts for the first table, which has a row for each namespace.
    if (slow || !netns_list_is_current(&collection->netns))
        netns_list_discover(&collection->netns);
    begin_turns(collection, all, slow, sample->monotonic_ms);
    for (size_t i = 0; i < N_COLLECTORS; i++) {
        run(collection, i, collectors[i]->lane == LANE_FAST || slow, sample);
        int64_t after = now_us(CLOCK_MONOTONIC);
        sample->outcome[i].cost_us = after - before + collection->peek_cost_us[i];
        collection->peek_cost_us[i] = 0;
        before = after;
    }
}

int64_t collection_peek_due_us(const struct collection *collection) {
    return collection->watch.lossy ? collection->dense.due_us : INT64_MAX;
}

void collection_peek(struct collection *collection, int64_t clock_us) {
    if (clock_us < collection_peek_due_us(collection))
        return;
    int64_t start_us = now_us(CLOCK_THREAD_CPUTIME_ID), before_us = start_us;
    for (size_t i = 0; i < N_COLLECTORS; i++) {
        if (!collectors[i]->peek)
            continue;
        collectors[i]->peek(&collection->context, collection->state[i]);
        int64_t after_us = now_us(CLOCK_THREAD_CPUTIME_ID);
        collection->peek_cost_us[i] += after_us - before_us;
        before_us = after_us;
    }
    dense_schedule(&collection->dense, clock_us, before_us - start_us);
}
