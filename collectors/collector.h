// SPDX-License-Identifier: GPL-2.0-or-later
// Collector interface
//
// A collector fills one table. It keeps its files open between steps and allocates nothing once warm.
#pragma once

#include "core/rows.h"
#include "core/sample.h"
#include "core/source.h"

struct netns_list; // collectors/netns.h
struct watch;      // collectors/watch.h

// What every collector may use.
struct collect_context {
    struct source *source;
    struct netns_list *netns; // namespaces as found last
    struct watch *watch;      // sockets and their owners, filled by the socket collector
    int64_t now_ms;           // CLOCK_MONOTONIC of this look
    bool all_sockets;         // every socket is wanted, with its owners, not only those that something happens to
};

enum lane {
    LANE_FAST, // every step
    LANE_SLOW, // every COLLECT_SLOW_MS
};
#define COLLECT_SLOW_MS 10000

struct collector {
    const struct table *table;
    enum lane lane;
    // Returns the collector's state in *ret_state, or -ENOMEM. Opens nothing yet. May be NULL: no state.
    int (*start)(struct collect_context *context, void **ret_state);
    // Adds the rows of this moment to `rows` (already cleared) and says in `outcome` (OUTCOME_OK before)
    // how it went. An error is an outcome, not a return value; rows that are certain are kept.
    void (*collect)(struct collect_context *context, void *state, struct rows *rows, struct outcome *outcome);
    void (*stop)(void *state); // frees it; NULL: nothing to free
    // A short look between two of collect(), while context->watch->lossy; it only counts in `state`. May be NULL.
    void (*peek)(struct collect_context *context, void *state);
};

// Every collector, in table order.
extern const struct collector *const collectors[];
extern const size_t n_collectors;
// Their tables, in the same order: what sample_new(), growth_new() and store_open() take.
const struct table *const *collector_tables(void);

struct collection;
// Starts all collectors. 0 or -errno. Ownership of nothing passes; `source` must outlive the collection.
int collection_new(struct source *source, struct collection **ret);
struct collection *collection_free(struct collection *collection); // returns NULL
// From the next look on every socket is listed: for people who look, not for a daemon.
void collection_want_all_sockets(struct collection *collection);
// The next look reads the slow lane too: a loss is compared with limits as they are when it begins.
void collection_want_slow(struct collection *collection);
// One look: sets the sample's times, runs what is due (everything on the first call and when `all`), records
// outcomes and costs. Rows of a table that was not due are empty and its outcome is OUTCOME_NOT_DUE.
void collection_look(struct collection *collection, bool all, struct sample *sample);

// Dense looks: while datagrams are lost, short looks between the steps tell what a look a second cannot. When the
// next is due, in microseconds of CLOCK_MONOTONIC; INT64_MAX: none is wanted.
#define COLLECT_PEEK_MS 50 // on average, unless that cost more than 1 % of one CPU
int64_t collection_peek_due_us(const struct collection *collection);
static inline bool collection_wants_peek(const struct collection *collection) {
    return collection_peek_due_us(collection) != INT64_MAX;
}
// Looks if it is due, and sets when the next is. What it costs is added to the costs of the next collection_look().
void collection_peek(struct collection *collection, int64_t now_us);
